"""A small description of an interface, as docs/openapi.yaml has it, for the tests of what judges by one."""

import copy
import json

import pytest

pytest.importorskip("yaml")
import description as descriptions  # noqa: E402

SCHEMAS = {
    "Product": {
        "type": "object", "required": ["id", "type"], "properties": {
            "id": {"type": "string", "maxLength": 20}, "credits": {"type": "integer", "minimum": 1, "maximum": 1000},
            "type": {"anyOf": [{"enum": ["consumable", "bundle"]}, {"type": "string"}]}}},
    "Products": {"type": "object", "required": ["products"], "properties": {
        "products": {"type": "array", "items": {"$ref": "#/components/schemas/Product"}}}},
    "Receipt": {"type": "object", "required": ["receipt"], "properties": {
        "receipt": {"type": "string"}, "note": {"type": ["string", "null"]}}},
    "Problem": {"type": "object", "required": ["code"], "properties": {
        "code": {"anyOf": [{"enum": ["not_found", "busy", "bad_receipt", "invalid_request", "gone", "unknown_app"]},
            {"type": "string"}]},
        "title": {"type": "string"}}},
}
PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}


def answer(schema=None, codes=(), **members):
    reference = {"$ref": f"#/components/schemas/{schema}"}
    content = {"content": {"application/json": {"schema": reference}}} if schema else {}
    problem = {"content": PROBLEM, "x-codes": {code: f"When {code}." for code in codes}} if codes else {}
    headers = {"X-Request-Id": {"$ref": "#/components/headers/X-Request-Id"}, **members.pop("headers", {})}
    return {"description": "An answer.", "headers": headers, **content, **problem, **members}


def operation(id, responses, **members):
    return {"operationId": id, "summary": f"Does {id}", "tags": ["Shop"], "security": [], "responses": responses,
            **members}


def document():
    receipt = {"required": True, "x-maximum-bytes": 1024, "content": {
        "application/json": {"schema": {"$ref": "#/components/schemas/Receipt"}}}}
    limit = {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 100}}
    return copy.deepcopy({
        "openapi": "3.1.0", "info": {"title": "Shop", "version": "1.0.0", "description": "A shop."},
        "tags": [{"name": "Shop", "description": "What is sold."}],
        "paths": {
            "/v1/products": {"get": operation("listProducts", {
                "200": answer("Products"), "404": answer(codes=["unknown_app"]), "503": answer(codes=["busy"])},
                parameters=[limit])},
            "/v1/products/{id}": {"get": operation("getProduct",
                {"200": answer("Product"), "404": answer(codes=["gone"])})},
            "/v1/products/newest": {"get": operation("getNewest", {"200": answer("Product")})},
            "/v1/receipts": {"post": operation("sendReceipt", {
                "201": answer(headers={"Location": {"required": True, "schema": {"type": "string"}}}),
                "422": answer(codes=["bad_receipt"])}, requestBody=receipt, security=[{"player": []}])},
        },
        "components": {"schemas": SCHEMAS, "examples": {}, "headers": {
            "X-Request-Id": {"required": True, "schema": {"type": "string", "pattern": "[0-9a-f]{8}"}}}},
    })


def described(folder, change=lambda document: None, name="openapi.yaml"):
    """The description with a change. JSON is YAML, too."""
    found = document()
    change(found)
    path = folder / name
    path.write_text(json.dumps(found))
    return descriptions.Description(path)
