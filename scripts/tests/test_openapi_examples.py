"""Which exchange is an example, what is replaced in it, and what an example may not be."""

import json

import pytest

pytest.importorskip("jsonschema")
from openapi_documents import described  # noqa: E402

import examples  # noqa: E402
from examples import Disguise, example, fits, members, order, parsed, size, wanted, written  # noqa: E402

UUID = "5f0c3f0e-7d1c-4b6a-9a35-0c8c2f2f9a11"


@pytest.mark.parametrize("name, value, expected", [
    ("accessToken", "secret", "…"), ("password", "x", "…"), ("orderID", "MK123", "MK…"),
    (None, "abcdefgh.abcdefgh.abcdefgh", "eyJ…"), (None, "A" * 60, "MII…"), (None, "/v1/content/x?grant=abc&a=1",
     "/v1/content/x?grant=…&a=1"), (None, "r_abcdefghijk", "r_…"), ("id", "2000000000001234", "2000000000000001"),
    ("purchaseDate_ms", "1700000000000", "1700000000000"), ("history", "7_2000000000001234", "7_2000000000000001"),
    (None, UUID, "0b0e5c1e-0000-4000-8000-000000000001"),
    (None, f"of {UUID.upper()}", "of 0b0e5c1e-0000-4000-8000-000000000001"),
    # What is no secret stays.
    (None, "hints", "hints"), ("count", 5, 5), ("flag", True, True), (None, "A" * 59, "A" * 59), (None, "x_abcdefghijk",
     "x_abcdefghijk"), (None, "12345678", "12345678"),
])
def test_secrets_and_what_differs_from_run_to_run_are_replaced(name, value, expected):
    assert Disguise()(value, name) == expected


def test_the_same_value_is_replaced_by_the_same_one_and_another_by_another():
    other = UUID.replace("5", "6")
    hashes = ["a" * 64, "b" * 64, "a" * 64]
    found = Disguise()({"a": UUID, "list": [other, UUID], UUID: hashes})
    first, second = found["a"], found["list"][0]
    assert found["list"][1] == first != second and first in found
    one, two, again = found[first]
    assert one == again != two and len(one) == 64 and one not in hashes


@pytest.mark.parametrize("better, worse", [
    # The typical one, whatever else; then what is not too long, not unusual, of the usual shop.
    ({"a": "typical", "b": "alice"}, {"hangman": 1, "more": 2}), ({"a": 1}, {"a": "b " * 1_100, "b": 2, "hangman": 3}),
    ({"a": 1}, {"hangman": "alice", "b": 2}), ({"a": "hangman"}, {"a": 1, "b": 2}),
    # More members, unless only lists are longer; then the shorter.
    ({"a": 1, "b": 2}, {"a": 1}), ({"a": [1]}, {"a": [1] * 20}), ({"a": 1}, {"a": 100}),
])
def test_the_example_is_the_exchange_that_shows_most(better, worse):
    assert order(None, better, "typical") < order(None, worse, "typical")


def test_members_are_counted_by_their_paths_and_elements_of_lists_once():
    value = {"a": [{"b": 1}, {"b": 2, "c": 3}], "empty": [], "none": {}}
    assert members(value) == {"a", "a.b", "a.c"}
    assert size(value) == 2 and size({"a": [[1, 2], [3]]}) == 5
    assert (parsed(""), parsed("{"), parsed("[1]")) == (None, None, [1])


@pytest.mark.parametrize("request_, is_right", [
    ({"receipt": "x"}, True), ({"receipt": "x", "note": None}, True), ({}, False), ({"receipt": 1}, False),
    ({"receipt": "x", "more": 1}, False), (["x"], False), (None, False)])
def test_an_example_is_of_a_request_as_it_is_described(tmp_path, request_, is_right):
    description = described(tmp_path)
    assert fits(description, description.operation("POST", "/v1/receipts"), request_) == is_right
    assert fits(description, description.operation("GET", "/v1/products"), request_)


def recorded(folder, *exchanges):
    path = folder / "record"
    path.write_text("".join(json.dumps({
        "test": "x", "method": "GET", "path": "/v1/products/a", "status": 200, "requestBody": "", **each}) + "\n"
        for each in exchanges))
    return path


def test_the_best_exchange_of_each_status_and_code_is_read(tmp_path):
    sent = {"method": "POST", "path": "/v1/receipts"}
    record = recorded(
        tmp_path, {"body": '{"id": "a"}'}, {"body": '{"id": "a", "type": "hangman"}'},
        {"body": "{}", "path": "/nowhere"},
        {"body": "{}", "method": "HEAD"}, {"body": '{"code": "gone", "title": "x"}', "status": 404},
        {**sent, "requestBody": '{"receipt": 1}', "body": '{"a": 1}'},
        {**sent, "requestBody": '{"receipt": 1}', "body": '{"code": "bad_receipt"}', "status": 422})
    assert examples.read(described(tmp_path), record, "server") == {
        ("getProduct", 200, None): (None, {"id": "a", "type": "hangman"}),
        ("getProduct", 404, None): (None, {"code": "gone", "title": "x"}),
        ("getProduct", 404, "gone"): (None, {"code": "gone", "title": "x"}),
        # What was wrong is not shown; what was wrong and taken is no example.
        ("sendReceipt", 422, None): (None, {"code": "bad_receipt"}),
        ("sendReceipt", 422, "bad_receipt"): (None, {"code": "bad_receipt"})}


def test_a_request_and_its_answer_have_the_same_values():
    exchanges = {("buy", 201, None): ({"account": UUID}, {"of": UUID}), ("buy", 404, "gone"): (None, {"code": "gone"})}
    shown = "0b0e5c1e-0000-4000-8000-000000000001"
    assert example("buy.request", exchanges, []) == {"account": shown}
    assert example("buy.201", exchanges, []) == {"of": shown}
    assert example("buy.404.gone", exchanges, []) == {"code": "gone"}
    for name in ("buy.404", "buy.200", "sell.request", "sell.200"):
        assert example(name, exchanges, []) is None


def test_examples_are_wanted_by_their_references_and_written_below_their_names():
    text = "a: {$ref: '#/components/examples/buy.201'}\nb: '#/components/examples/buy.404.gone' '#/components/x'"
    assert wanted(text) == ["buy.201", "buy.404.gone"]
    assert written("buy.201", {"a": 1}) == '    buy.201:\n      value:\n        {"a": 1}\n'


def mistakes(folder, value):
    def change(document):
        content = document["paths"]["/v1/products/{id}"]["get"]["responses"]["200"]["content"]["application/json"]
        content["examples"] = {"recorded": {"$ref": "#/components/examples/getProduct.200"}}
        document["components"]["examples"]["getProduct.200"] = {"value": value}

    return list(examples.check(described(folder, change)))


@pytest.mark.parametrize("value", [
    {"id": "hints", "type": "x"}, {"id": "hints", "type": "x", "sha256": "a" * 64}, {"id": "a", "type": UUID * 3},
    {"id": "a", "type": "/v1/content/" + "a" * 40}])
def test_an_example_as_described_is_no_mistake(tmp_path, value):
    assert mistakes(tmp_path, value) == []


@pytest.mark.parametrize("value, mistake", [
    ({"id": "hints"}, "getProduct.200: $: 'type' is a required property"),
    ({"id": 1, "type": "x"}, "getProduct.200: $.id: 1 is not of type 'string'"),
    ({"id": "a", "type": "A" * 40}, "getProduct.200: AAAAAAAAAAAA… looks like a secret"),
    ({"id": "a", "type": "x", "k": "Bearer abc+/def" + "0" * 33}, "getProduct.200: abc+/def0000… looks like a secret"),
])
def test_an_example_that_is_not_as_described_or_has_a_secret_is_a_mistake(tmp_path, value, mistake):
    assert mistakes(tmp_path, value) == [mistake]
