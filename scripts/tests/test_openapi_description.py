"""Which operation an exchange belongs to, the pages that are rendered, and the layout that the Swift test relies on."""

import pytest

pytest.importorskip("yaml")
from openapi_documents import answer, described, operation  # noqa: E402

import description as descriptions  # noqa: E402
import render  # noqa: E402

OPEN = {"anyOf": [{"enum": ["a", "b"]}, {"type": "string"}]}


@pytest.fixture
def description(tmp_path):
    return described(tmp_path)


@pytest.mark.parametrize("method, path, expected", [
    ("GET", "/v1/products", "listProducts"), ("GET", "/v1/products/", "listProducts"),
    ("GET", "/v1/products?a=/b", "listProducts"),
    ("GET", "/v1/products/x", "getProduct"), ("GET", "/v1/products/newest", "getNewest"),
    ("HEAD", "/v1/products", "listProducts"),
    ("POST", "/v1/receipts", "sendReceipt"), ("HEAD", "/v1/receipts", None), ("PUT", "/v1/products", None),
    ("GET", "//v1/products", None), ("GET", "/v1//products", None), ("GET", "/v1", None),
    ("GET", "/v1/products/x/y", None)])
def test_the_operation_is_the_one_that_the_router_chooses(description, method, path, expected):
    found = description.operation(method, path)
    assert (found and found.id) == expected


def test_a_path_is_there_whatever_the_method(description):
    assert description.has_path("/v1/receipts") and not description.has_path("/v1/receipt")


def test_head_has_an_operation_of_its_own_where_that_is_described(tmp_path):
    found = described(tmp_path, lambda document: document["paths"]["/v1/products"].update(
        head=operation("headProducts", {"200": answer()})))
    assert found.operation("HEAD", "/v1/products").id == "headProducts"
    assert found.operation("HEAD", "/v1/products/x").id == "getProduct"


def test_references_are_followed_and_members_beside_them_are_added(tmp_path):
    found = described(tmp_path, lambda document: document["components"]["schemas"].update(
        Alias={"$ref": "#/components/schemas/Receipt", "required": []}))
    assert found.resolve({"$ref": "#/components/schemas/Alias"})["required"] == []
    assert found.resolve({"$ref": "#/components/schemas/Receipt"})["required"] == ["receipt"]
    assert found.resolve("text") == "text"


@pytest.mark.parametrize("schema, expected", [
    ({"enum": [1, 2]}, [1, 2]), (OPEN, ["a", "b"]), ({"type": "string"}, None),
    ({"anyOf": [{"type": "null"}, {"type": "string"}]}, None)])
def test_known_values_are_those_of_an_enumeration(schema, expected):
    assert descriptions.enumeration(schema) == expected


def test_what_fits_on_a_line_is_on_one_line():
    assert descriptions.pretty({"b": [1, 2], "a": "ä"}) == '{"a": "ä", "b": [1, 2]}'
    assert descriptions.pretty({"b": [1, 2], "a": "ä"}, width=7) == '{\n  "a": "ä",\n  "b": [\n    1,\n    2\n  ]\n}'
    assert descriptions.pretty([], width=0) == "[\n]"


LAYOUT = """\
info:
  /v1/none:
paths:
  /v1/products:
    get:
    parameters:
  /v1/receipts:
    post:
        put:
components:
    get:
"""


def test_paths_and_methods_are_read_by_their_layout_alone():
    assert descriptions.lines_of_paths(LAYOUT) == [("get", "/v1/products"), ("post", "/v1/receipts")]


@pytest.mark.parametrize("replaced, by, mistake", [
    ("", "", None), ("    get:\n      o", "    get:   \n      o", {("get", "/v1/a")}),
    ("  /v1/b:", '  "/v1/b":', {("post", "/v1/b"), ("post", "/v1/a")})])
def test_a_description_that_is_laid_out_otherwise_is_a_mistake(tmp_path, replaced, by, mistake):
    text = ("paths:\n  /v1/a:\n    get:\n      operationId: a\n  /v1/b:\n    post:\n      operationId: b\n")
    path = tmp_path / "openapi.yaml"
    path.write_text(text.replace(replaced, by, 1) if replaced else text)
    assert render.layout_mistake(descriptions.Description(path)) == mistake


@pytest.mark.parametrize("heading, expected", [
    ("GET /v1/products/{id}", "get-v1productsid"), ("DenialReason", "denialreason"),
    ("A type, or `two`", "a-type-or-two")])
def test_anchors_are_as_github_makes_them(heading, expected):
    assert render.anchor(heading) == expected


@pytest.mark.parametrize("count, expected", [
    (1 << 20, "1 MiB"), (4096, "4 KiB"), (1536, "1 KiB and 512 bytes"),
    ((1 << 20) + 1025, "1 MiB and 1 KiB and 1 bytes"),
    (512, "512 bytes"), (1 << 21 | 1 << 10, "2 MiB and 1 KiB")])
def test_sizes_are_told_without_rounding(count, expected):
    assert render.size(count) == expected


@pytest.mark.parametrize("schema, expected", [
    ({"type": "string"}, "string"), ({"type": ["string", "null"]}, "string"),
    ({"type": "string", "format": "uuid"}, "UUID"),
    ({"type": "string", "format": "date-time"}, "time"), ({"enum": ["a", None, "b"]}, "`a`, `b`"), (OPEN, "`a`, `b`"),
    ({"const": False}, "`false`"), ({"type": "array", "items": {"type": "integer"}}, "array of integer"),
    ({"type": "object", "additionalProperties": {"type": "integer"}}, "object of integer"), ({}, "any"),
    ({"anyOf": [{"type": "string"}, {"type": "null"}, {"type": "integer"}]}, "string or integer"),
    ({"$ref": "#/components/schemas/Product"}, "[Product](#product)")])
def test_a_type_is_told_in_a_word(description, schema, expected):
    assert render.Reference(description).type(schema) == expected


@pytest.mark.parametrize("schema, expected", [
    ({"description": "A | b\n c."}, "A \\| b c."), ({"minimum": 1, "maximum": 2000}, "1 to 2,000."),
    ({"minimum": 1}, ""), ({"minimum": 1, "maximum": 1 << 62}, ""), ({"maxLength": 7}, "At most 7 characters."),
    ({"default": True}, "Default: `true`."),
    ({"default": 20, "description": "How many; default 20."}, "How many; default 20.")])
def test_a_meaning_has_the_bounds(description, schema, expected):
    assert render.Reference(description).meaning(schema) == expected


GROUPS = [render.Group("shop", "Shop", ("/v1/products", "/v1/receipts")),
          render.Group("newest", "What is new", ("/v1/products/newest",)), render.Group("none", "Nothing", ("/v1/prod",))]


def test_the_pages_tell_every_route_code_and_type(description):
    pages = render.Reference(description).render(GROUPS)
    assert sorted(pages) == ["api.md", "api/newest.md", "api/shop.md", "api/types.md"]
    for name, line in (
            ("api/shop.md", "## GET /v1/products/{id}"), ("api/newest.md", "## GET /v1/products/newest"),
            ("api.md", '| <a id="post-v1receipts"></a>[POST /v1/receipts](api/shop.md#post-v1receipts) | Does sendReceipt |'),
            ("api.md", "**[What is new](api/newest.md)**"), ("api.md", "## Shop"),
            ("api.md", '<a id="product"></a>[Product](api/types.md#product).'),
            ("api/shop.md", "| 404 | `unknown_app` | When unknown_app. |"),
            ("api/shop.md", "Request body (JSON, at most 1 KiB):"),
            ("api/shop.md", "| `products` | array of [Product](types.md#product) | yes |  |"),
            ("api/shop.md", "| `receipt` | string | yes |  |"), ("api/shop.md", "| `limit` | query | integer |  | 1 to 100. |"),
            ("api/types.md", "## Product"), ("api/shop.md", "| 201 | | An answer. Headers: `Location`. |"),
            ("api/shop.md", "**Does sendReceipt.** Authentication: access token.")):
        assert line in pages[name].splitlines(), (name, line)
    for name, page in pages.items():
        assert page.startswith("# ") and page.endswith("\n") and not page.endswith("\n\n"), name


@pytest.mark.parametrize("written, led", [
    ("[one](#get-v1products)", "[one](#get-v1products)"),
    ("[one](#get-v1productsnewest)", "[one](newest.md#get-v1productsnewest)"),
    ("[one](#product)", "[one](types.md#product)"), ("[one](#nowhere)", "[one](#nowhere)")])
def test_a_link_to_a_heading_leads_to_its_page(tmp_path, written, led):
    found = described(tmp_path, lambda document: document["paths"]["/v1/products"]["get"].update(description=written))
    assert led in render.Reference(found).render(GROUPS)["api/shop.md"].splitlines()


def test_a_route_without_a_page_is_told(description):
    with pytest.raises(LookupError, match="POST /v1/receipts"):
        render.Reference(description).render([render.Group("shop", "Shop", ("/v1/products",))])


@pytest.mark.parametrize("change", [
    lambda document: document["paths"]["/v1/products"]["get"].update(summary="Otherwise"),
    lambda document: document["components"]["schemas"]["Product"]["properties"]["credits"].update(maximum=9),
    lambda document: document["paths"]["/v1/products"]["get"]["responses"]["404"]["x-codes"].update(more="Why."),
    lambda document: document["info"].update(version="2.0.0")])
def test_the_pages_are_others_where_the_description_is(tmp_path, change):
    assert render.Reference(described(tmp_path)).render(GROUPS) \
        != render.Reference(described(tmp_path, change)).render(GROUPS)
