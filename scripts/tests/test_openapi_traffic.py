"""Recorded exchanges beside the description: each that is not as described is a mistake, and what no test shows."""

import json
from collections import Counter

import pytest

pytest.importorskip("jsonschema")
from openapi_documents import described  # noqa: E402

import traffic  # noqa: E402

PRODUCT = {"id": "hints", "type": "consumable", "credits": 10}


@pytest.fixture
def checker(tmp_path):
    return traffic.Checker(described(tmp_path))


def exchange(method="GET", path="/v1/products/hints", status=200, body=PRODUCT, test="Tests/lists", **members):
    headers = {"X-Request-Id": "0123abcd", "Cache-Control": "no-store", "Content-Type": "application/json"}
    headers |= members.pop("headers", {})
    text = body if isinstance(body, str) else json.dumps(body)
    return {"test": test, "method": method, "path": path, "status": status, "body": text,
            "headers": {name: value for name, value in headers.items() if value is not None},
            "requestHeaders": {"Authorization": "Bearer x"}, "requestBody": "", **members}


def problem(status, code, **members):
    headers = {"Content-Type": "application/problem+json", **members.pop("headers", {})}
    return exchange(status=status, body={"code": code, **members.pop("more", {})}, headers=headers, **members)


def receipt(**members):
    headers = {"Location": "/v1/receipts/1", "Content-Type": None, **members.pop("headers", {})}
    return exchange("POST", "/v1/receipts", **{"status": 201, "body": "", "headers": headers, **members})


def mistakes(checker, *exchanges):
    for each in exchanges:
        checker.check(each)
    return sorted(checker.mistakes)


GENERAL = {"path": "/v1/products", "headers": {"Connection": "close"}}


@pytest.mark.parametrize("each", [
    exchange(), exchange(path="/v1/products/newest"), exchange(path="/v1/products/hints/?a=1"), receipt(),
    exchange("HEAD", body=""), problem(404, "gone"), problem(503, "busy", path="/v1/products"),
    # Too long to be recorded.
    exchange(body="70000 bytes"),
    # The open enumeration is closed, but not for tests with words of their own.
    exchange(body={**PRODUCT, "type": "gift"}, test="OwnTypeTests/gifts"),
    # Of every request.
    problem(413, "request_too_large"), problem(500, "internal_error"), problem(400, "invalid_request", **GENERAL),
    problem(404, "not_found", path="/v1/products/%00"), problem(400, "invalid_request", requestHeaders={":path": "/"}),
    # No operation.
    problem(404, "not_found", path="/v1/nothing"), problem(405, "busy", method="PUT", headers={"Allow": "GET"}),
    exchange(path="/admin/login", body="<p>", headers={"Content-Type": "text/html"}),
    # No HTTP, and a store that is not Apple's.
    exchange(status=400, body="", headers={"X-Request-Id": None}),
    exchange("POST", "/v1/notifications/other", test="SecondStoreTests/x"),
    # A 401 needs no token.
    receipt(status=422, body={"code": "bad_receipt"}, headers={
        "Location": None, "Content-Type": "application/problem+json"}),
])
def test_what_is_as_described_is_no_mistake(checker, each):
    assert mistakes(checker, each) == []


PRODUCT_200 = "GET /v1/products/{id} 200"


@pytest.mark.parametrize("each, mistake", [
    # The body.
    (exchange(body={"id": "hints"}), f"{PRODUCT_200}: $: 'type' is a required property"),
    (exchange(body={**PRODUCT, "more": 1}), f"{PRODUCT_200}: $: Additional properties are not allowed ('more' was un"),
    (exchange(body={**PRODUCT, "credits": "10"}), f"{PRODUCT_200}: $.credits: '10' is not of type 'integer'"),
    (exchange(body={**PRODUCT, "credits": 0}), f"{PRODUCT_200}: $.credits: 0 is less than the minimum of 1"),
    (exchange(body={"id": "hints"}, test="OwnTypeTests/gifts"), f"{PRODUCT_200}: $: 'type' is a required property"),
    (exchange(body={**PRODUCT, "type": "gift"}), f"{PRODUCT_200}: $.type: 'gift' is not one of ["),
    (exchange(path="/v1/products", body={"products": [PRODUCT, {**PRODUCT, "id": 1}]}),
     "GET /v1/products 200: $.products[].id: 1 is not of type 'string'"),
    (exchange(body="{"), f"{PRODUCT_200}: no JSON"),
    (exchange(headers={"Content-Type": "text/plain"}), f"{PRODUCT_200}: text/plain is not described"),
    (exchange(headers={"Content-Type": None}), f"{PRODUCT_200}: no type is not described"),
    (receipt(body="x"), "POST /v1/receipts 201: a body that is not described"),
    # The headers.
    (exchange(headers={"X-Request-Id": None}), "GET /v1/products/hints 200: no X-Request-Id"),
    (exchange(headers={"X-Request-Id": "7"}), "GET /v1/products/hints 200: no X-Request-Id"),
    (receipt(headers={"Location": None}), "POST /v1/receipts 201: header location is missing"),
    (exchange(headers={"X-Odd": "1"}), f"{PRODUCT_200}: header x-odd is not described"),
    (exchange(headers={"Vary": "a"}), f"{PRODUCT_200}: header vary is not described"),
    (exchange(headers={"Cache-Control": "public"}), f"{PRODUCT_200}: Cache-Control: public"),
    (exchange(headers={"Cache-Control": None}), f"{PRODUCT_200}: Cache-Control: None"),
    (exchange(path="/v1/products", body={"products": []}), "GET /v1/products 200: Cache-Control: no-store"),
    # Status and code.
    (exchange(status=204, body=""), "GET /v1/products/{id} 204 : not described"),
    (problem(404, "busy"), "GET /v1/products/{id} 404 busy: not described"),
    (problem(404, "not_found"), "GET /v1/products/{id} 404 not_found: not described"),
    (problem(400, "invalid_request"), "GET /v1/products/{id} 400 invalid_request: not described"),
    (problem(503, "busy"), "GET /v1/products/{id} 503 busy: not described"),
    # The token.
    (receipt(requestHeaders={}), "POST /v1/receipts 201: without a token"),
    # No operation.
    (exchange("PUT"), "PUT /v1/products/hints 200: no such operation"),
    (exchange(path="/v1/nothing?a=1"), "GET /v1/nothing 200: no such operation"),
    (problem(405, "busy", method="PUT"), "PUT /v1/products/hints 405 without Allow"),
    (exchange("GET", "/v1/nothing", 404, body={}), "GET /v1/nothing 404: $: 'code' is a required property"),
    (exchange(path="/admin/v1/x"), "GET /admin/v1/x 200: no such operation"),
    (exchange("POST", "/v1/notifications/other"), "POST /v1/notifications/other 200: no such operation"),
])
def test_what_is_not_as_described_is_a_mistake(checker, each, mistake):
    assert any(found.startswith(mistake) for found in mistakes(checker, each)), sorted(checker.mistakes)


def test_a_401_of_a_route_without_a_token_is_a_mistake(tmp_path):
    def change(document):
        responses = document["paths"]["/v1/products/{id}"]["get"]["responses"]
        responses["401"] = {**responses["404"], "x-codes": {"busy": "", "invalid_credentials": ""}}

    checker = traffic.Checker(described(tmp_path, change))
    assert mistakes(checker, problem(401, "busy")) == ["GET /v1/products/{id} 401: needs a token"]
    checker = traffic.Checker(described(tmp_path, change))
    assert "GET /v1/products/{id} 401: needs a token" not in mistakes(checker, problem(401, "invalid_credentials"))


def test_mistakes_of_one_kind_are_counted_together(checker):
    assert len(mistakes(checker, exchange(body="{"), exchange(body="["),
        exchange(path="/v1/products/x", body="{"))) == 1
    assert len(checker.mistakes["GET /v1/products/{id} 200: no JSON"]) == 3


@pytest.mark.parametrize("each, is_mistake", [
    # Faults have Apple's interfaces answer anything; the simulator's own routes are not among them.
    (exchange(path="/inApps/v1/x", status=503, test="FaultTests/x"), False),
    (exchange(path="/inApps/v1/x", status=503, test="OtherTests/x"), True),
    (exchange(path="/simulator/v1/x", status=503, test="FaultTests/x"), True),
    (exchange("GET", "/verifyReceipt?a", status=503), False), (exchange("POST", "/verifyReceipt", status=503), True),
    # It says nothing of caches.
    (exchange(headers={"Cache-Control": None}), False), (exchange(headers={"X-Odd": "1"}), True),
    (receipt(requestHeaders={}), False),
])
def test_the_simulator_may_do_less(tmp_path, each, is_mistake):
    assert bool(mistakes(traffic.SimulatorChecker(described(tmp_path)), each)) == is_mistake


def test_closing_a_schema_leaves_the_description_open():
    schema = {"type": "object", "properties": {"a": {"anyOf": [{"enum": ["x"]}, {"type": "string"}]}, "b": {
        "properties": {}, "additionalProperties": True}, "c": {"anyOf": [{"type": "null"}, {"type": "string"}]}},
        "default": {"properties": {}}}
    before = json.dumps(schema)
    assert traffic.closed(schema) == {
        "type": "object", "additionalProperties": False, "default": {"properties": {}}, "properties": {
            "a": {"enum": ["x"]}, "b": {"properties": {}, "additionalProperties": True},
            "c": {"anyOf": [{"type": "null"}, {"type": "string"}]}}}
    assert json.dumps(schema) == before


def test_every_operation_status_and_code_that_no_exchange_shows_is_found(checker):
    checker.check(exchange())
    checker.check(problem(404, "gone"))
    assert list(traffic.never_seen(checker.description, checker.seen)) == [
        ("listProducts", 200, ""), ("listProducts", 404, "unknown_app"), ("listProducts", 503, "busy"),
        ("getNewest", 200, ""), ("sendReceipt", 201, ""), ("sendReceipt", 422, "bad_receipt")]


LIST, OTHER = ("list", 503, "busy"), ("other", 503, "busy")


@pytest.mark.parametrize("unseen, seen, rules, expected", [
    ([], [], [], ([], [])), ([LIST], [], [], ([LIST], [])), ([LIST], [], [LIST], ([], [])),
    # A reason that nothing needs: it was seen, or is not described.
    ([], [LIST], [LIST], ([], [LIST])),
    # A rule for every operation holds where one shows it.
    ([LIST], [OTHER], [("*", 503, "busy")], ([], [])),
    ([LIST], [], [("*", 503, "busy")], ([LIST], [("*", 503, "busy")])),
    ([LIST], [("other", 503, "gone")], [("*", 503, "busy")], ([LIST], [("*", 503, "busy")])),
    ([LIST], [OTHER], [("*", 404, "busy")], ([LIST], [("*", 404, "busy")])),
])
def test_what_is_never_seen_needs_a_reason_and_a_reason_something_that_is_not(unseen, seen, rules, expected):
    assert traffic.unexplained(unseen, Counter(seen), {rule: "why" for rule in rules}) == expected


def test_reasons_are_read_with_their_operations():
    text = "# why\n\n* 503 busy   the same place: for all\nlist 501 -  no body\n"
    assert traffic.reasons_in(text) == {("*", 503, "busy"): "the same place: for all", ("list", 501, ""): "no body"}


def record(folder, *exchanges):
    path = folder / "record.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in exchanges))
    return path


def test_a_record_is_as_described_only_if_all_of_it_is(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(traffic, "HERE", tmp_path)
    rules = "listProducts 200 - x\n* 404 unknown_app x\nlistProducts 503 busy x\nlistProducts 404 unknown_app x\n"
    (tmp_path / "unseen.txt").write_text(rules.replace("* 404 unknown_app x\n", ""))
    shown = [exchange(), problem(404, "gone"), exchange(path="/v1/products/newest"), receipt(), receipt(
        status=422, body={"code": "bad_receipt"},
        headers={"Location": None, "Content-Type": "application/problem+json"})]

    def check(*exchanges):
        return traffic.check(traffic.Checker(described(tmp_path)), record(tmp_path, *exchanges), "server")

    assert check(*shown)
    assert not check(*shown[1:])
    assert "never seen: getProduct 200 -" in capsys.readouterr().out
    assert not check(*shown, exchange(body="{"))
    (tmp_path / "unseen.txt").write_text(rules)
    assert not check(*shown)
    assert "in unseen.txt, and was seen, or is not described: * 404 unknown_app" in capsys.readouterr().out
