"""What breaks a client of an earlier release, and what does not."""

import pytest

pytest.importorskip("yaml")
from openapi_documents import answer, described, operation  # noqa: E402

from compatibility import Comparison, answers  # noqa: E402

LIST, SEND = ("/v1/products", "get"), ("/v1/receipts", "post")
CHANGED = "changed.yaml"


def breaks(folder, change, before=lambda document: None):
    old = described(folder, before)

    def both(document):
        before(document)
        change(document)

    return sorted(set(Comparison(old, described(folder, both, CHANGED)).run()))


def of(place):
    path, method = place
    return lambda document: document["paths"][path][method]


def schema(name):
    return lambda document: document["components"]["schemas"][name]


def changes(part, *path, to=None, gone=False):
    """A change of the member at a path; another member there, or none."""
    def change(document):
        found = part(document)
        for name in path[:-1]:
            found = found[name]
        if gone:
            del found[path[-1]]
        else:
            found[path[-1]] = to
    return change


PRODUCT, RECEIPT, PROBLEM = (schema(name) for name in ("Product", "Receipt", "Problem"))
NUMBER = {"name": "page", "in": "query", "schema": {"type": "integer"}}
LIMIT = {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 100}}


@pytest.mark.parametrize("change", [
    lambda document: None,
    # More of everything.
    changes(lambda document: document["paths"], "/v1/more", to={"get": operation("more", {"200": answer()})}),
    changes(of(LIST), "responses", "500", to=answer(codes=["internal_error"])),
    changes(of(LIST), "responses", "404", "x-codes", "gone", to="why"),
    changes(of(LIST), "responses", "200", "headers", "ETag", to={"schema": {"type": "string"}}),
    changes(of(LIST), "parameters", to=[LIMIT, NUMBER]),
    changes(PRODUCT, "properties", "name", to={"type": "string"}),
    changes(PRODUCT, "required", to=["id", "type", "credits"]),
    changes(PRODUCT, "properties", "type", "anyOf", 0, "enum", to=["consumable", "bundle", "gift"]),
    changes(RECEIPT, "properties", "more", to={"type": "string"}), changes(RECEIPT, "required", to=[]),
    # Less of what a request must be.
    changes(of(LIST), "parameters", 0, "schema", to={"type": "integer"}),
    changes(of(SEND), "requestBody", "x-maximum-bytes", to=2048),
    changes(of(SEND), "requestBody", "required", to=False),
    changes(of(SEND), "security", to=[]),
    # The names of a path's parameters are nobody's.
    lambda document: document["paths"].update({"/v1/products/{name}": document["paths"].pop("/v1/products/{id}")}),
    # An answer may be narrower.
    changes(PRODUCT, "properties", "credits", to={"type": "integer", "minimum": 5, "maximum": 10}),
    changes(of(LIST), "summary", to="Otherwise"),
])
def test_what_clients_of_before_do_not_see_breaks_nothing(tmp_path, change):
    assert breaks(tmp_path, change) == []


SENT = "POST /v1/receipts"


@pytest.mark.parametrize("change, expected", [
    # Routes.
    (changes(lambda document: document["paths"], *LIST[:1], gone=True), "GET /v1/products: is gone"),
    (lambda document: document["paths"]["/v1/products"].update(put=document["paths"]["/v1/products"].pop("get")),
     "GET /v1/products: is gone"),
    (changes(of(LIST), "security", to=[{"player": []}]), "GET /v1/products: needs authentication"),
    # Answers.
    (changes(of(LIST), "responses", "503", gone=True), "GET /v1/products: status 503 is gone"),
    (changes(of(LIST), "responses", "404", "x-codes", to={}), "GET /v1/products 404: code unknown_app is gone"),
    (changes(of(SEND), "responses", "201", "headers", "Location", gone=True), f"{SENT} 201: header Location is gone"),
    (changes(of(SEND), "responses", "201", "headers", "Location", "required", to=False),
     f"{SENT} 201: header Location may be missing now"),
    (changes(of(LIST), "responses", "200", "content", to={"text/html": {}}),
     "GET /v1/products 200: application/json is gone"),
    (changes(PRODUCT, "properties", "credits", gone=True), "GET /v1/products/{id} 200: member credits is gone"),
    (changes(PRODUCT, "properties", "credits", gone=True), "GET /v1/products 200 products[]: member credits is gone"),
    (changes(PRODUCT, "required", to=["id"]), "GET /v1/products/{id} 200: member type may be missing now"),
    (changes(PRODUCT, "properties", "id", "type", to=["string", "null"]),
     "GET /v1/products/{id} 200 id: may be null now"),
    (changes(PRODUCT, "properties", "credits", "type", to="string"),
        "GET /v1/products/{id} 200 credits: may be string now"),
    (changes(PRODUCT, "properties", "type", "anyOf", 0, "enum", to=["consumable"]),
     "GET /v1/products/{id} 200 type: value bundle is gone"),
    # Requests.
    (changes(of(LIST), "parameters", to=[]), "GET /v1/products: parameter limit is gone"),
    (changes(of(LIST), "parameters", 0, "in", to="header"), "GET /v1/products: parameter limit is gone"),
    (changes(of(LIST), "parameters", 0, "required", to=True), "GET /v1/products: parameter limit is required now"),
    (changes(of(LIST), "parameters", to=[LIMIT, {**NUMBER, "required": True}]),
     "GET /v1/products: parameter page is new and required"),
    (changes(of(LIST), "parameters", 0, "schema", "maximum", to=99), "GET /v1/products limit: maximum is narrower"),
    (changes(of(LIST), "parameters", 0, "schema", "minimum", to=2), "GET /v1/products limit: minimum is narrower"),
    (changes(of(LIST), "parameters", 0, "schema", "type", to="string"),
     "GET /v1/products limit: integer is not accepted any more"),
    (changes(of(LIST), "parameters", 0, "schema", "enum", to=[1, 2]),
        "GET /v1/products limit: fewer values are accepted"),
    (changes(of(SEND), "requestBody", gone=True), f"{SENT}: takes no body any more"),
    (changes(of(SEND), "requestBody", "x-maximum-bytes", to=1023), f"{SENT}: takes a smaller body only"),
    (changes(of(SEND), "requestBody", "content", to={"text/plain": {}}), f"{SENT}: takes no application/json any more"),
    (changes(of(LIST), "requestBody", to={"required": True, "content": {}}), "GET /v1/products: needs a body now"),
    (changes(RECEIPT, "required", to=["receipt", "note"]), f"{SENT} request: member note is required now"),
    (changes(RECEIPT, "properties", "note", gone=True), f"{SENT} request: member note is gone"),
    (changes(RECEIPT, "properties", "note", "type", to="string"),
        f"{SENT} request note: null is not accepted any more"),
    (changes(RECEIPT, "properties", "receipt", "maxLength", to=10), f"{SENT} request receipt: maxLength is narrower"),
    (changes(RECEIPT, "properties", "receipt", "pattern", to="x"), f"{SENT} request receipt: pattern differs"),
    (changes(RECEIPT, "properties", "receipt", "const", to="x"), f"{SENT} request receipt: fewer values are accepted"),
])
def test_what_a_client_of_before_would_miss_is_a_break(tmp_path, change, expected):
    assert expected in breaks(tmp_path, change)


@pytest.mark.parametrize("before, after, found", [
    (["a", "b"], ["a", "b", "c"], []), (["a", "b"], ["a"], ["fewer values are accepted"]), (["a"], None, [])])
def test_a_request_with_a_closed_enumeration_may_get_more_values(tmp_path, before, after, found):
    part = ("properties", "receipt")
    new = {"type": "string", **({"enum": after} if after else {})}
    assert breaks(tmp_path, changes(RECEIPT, *part, to=new),
                  changes(RECEIPT, *part, to={"type": "string", "enum": before})) == [
        f"{SENT} request receipt: {each}" for each in found]


def test_a_new_form_of_answer_with_a_parameter_leaves_that_without_it(tmp_path):
    """x-only-with: requests of before have no such parameter."""
    def change(document):
        schemas = document["components"]["schemas"]
        schemas["Compact"] = {"type": "string", "x-only-with": "compact"}
        of(LIST)(document)["responses"]["200"]["content"]["application/json"]["schema"] = {"anyOf": [
            {"$ref": "#/components/schemas/Products"}, {"$ref": "#/components/schemas/Compact"}]}

    def without_condition(document):
        change(document)
        del document["components"]["schemas"]["Compact"]["x-only-with"]

    assert breaks(tmp_path, change) == []
    assert "GET /v1/products 200: may be string now" in breaks(tmp_path, without_condition)


def test_recorded_answers_to_players_are_kept(tmp_path):
    def change(document):
        document["paths"]["/admin/v1/apps"] = {"get": operation("listApps", {"200": answer()})}
        document["paths"]["/v1/notify"] = {"post": operation("notify", {"200": answer()}, tags=["App Store"])}
        document["components"]["examples"] = {name: {"value": name} for name in (
            "listProducts.200", "listProducts.404.unknown_app", "sendReceipt.request", "listApps.200", "notify.200")}

    assert answers(described(tmp_path, change)) == {
        name: name for name in ("listProducts.200", "listProducts.404.unknown_app")}
