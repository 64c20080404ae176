"""Codes, reasons and other words: the same in the description, the sources and the page about errors."""

import pytest

pytest.importorskip("yaml")
from openapi_documents import described  # noqa: E402

import words  # noqa: E402

SOURCE = """
enum Gift { case words, hints(Int, String)
    indirect case other
    case `default`, night = "night-theme"
    var name: String { switch self { case .words: "x" } }
}
struct Remedy: RawRepresentable { static let wait = Self(rawValue: "wait"); static let ask = Remedy(rawValue: "ask") }
struct Empty { let value: Int }
"""


def test_values_of_enumerations_and_of_constants_are_read():
    assert dict(words.declarations_in(SOURCE)) == {
        "Gift": {"words", "hints", "other", "default", "night-theme"}, "Remedy": {"wait", "ask"}}


def test_what_stands_in_further_braces_is_left_out():
    assert words.direct("a { b { c } } d } e") == "a  d "


@pytest.mark.parametrize("text, expected", [
    ('throw Problem(.notFound, "unknown_app")', [(404, "unknown_app")]),
    ('f(\n    .conflict,\n    "gone"', [(409, "gone")]),
    ('var status = 503\n    var code = "busy"', [(503, "busy")]), ('(.other, "code")', []),
    ('(.notFound, "no code")', [])])
def test_statuses_with_their_codes_are_read(text, expected):
    assert list(words.pairs_in(text)) == expected


PAGE = """\
# Errors

## Codes

| `status` | code |
|---|---|
| 404 | `gone` |
| 503 | `busy` |

Text.

## A transaction's outcome

| reason | outcome |
|---|---|
| `late` | `denied` |
"""


def test_tables_are_read_by_the_heading_above_and_the_first_word():
    assert words.tables(PAGE) == {
        ("Codes", "status"): [{"status": "404", "code": "`gone`"}, {"status": "503", "code": "`busy`"}],
        ("A transaction's outcome", "reason"): [{"reason": "`late`", "outcome": "`denied`"}]}


def test_differences_say_where_a_word_is_and_where_not():
    assert list(words.differences("code", {"a", "b"}, {"a", "b"}, ("one", "other"))) == []
    assert list(words.differences("code", {"a", "b"}, {"b", "c"}, ("one", "other"))) == [
        "code a: in one, not in other", "code c: in other, not in one"]


GENERAL = [("badRequest", "invalid_request"), ("notFound", "not_found"), ("methodNotAllowed", "method_not_allowed"),
           ("contentTooLarge", "request_too_large"), ("internalServerError", "internal_error")]
OWN = [("notFound", "unknown_app"), ("notFound", "gone"), ("unprocessableContent", "bad_receipt"),
       ("serviceUnavailable", "busy")]


def codes(folder, sources=(), told=(), known=()):
    """What is found with the pairs of the sources, of the page, and the schema Code."""
    text = "".join(f'(.{status}, "{code}")' for status, code in sources)
    page = "# Codes\n\n| status | code |\n|---|---|\n" + "".join(
        f"| {words.STATUSES[status]} | `{code}` |\n" for status, code in told)

    def change(document):
        document["components"]["schemas"]["Code"] = {"anyOf": [{"enum": list(known)}, {"type": "string"}]}

    return sorted(words.check_codes(described(folder, change), [text], words.tables(page)))


ALL = [*GENERAL, *OWN]
KNOWN = {code for _, code in ALL}


def test_the_same_codes_everywhere_are_no_mistake(tmp_path):
    assert codes(tmp_path, ALL, ALL, KNOWN) == []
    # What commands alone say is on no wire.
    assert codes(tmp_path, [*ALL, ("conflict", "name_taken")], ALL, KNOWN) == []


@pytest.mark.parametrize("sources, told, known, mistakes", [
    (ALL[:-1], ALL, KNOWN, ["code (503, 'busy'): in docs/openapi.yaml, not in Sources"]),
    ([*ALL, ("conflict", "new")], ALL, KNOWN, ["code (409, 'new'): in Sources, not in docs/openapi.yaml"]),
    ([*ALL[:-1], ("conflict", "busy")], ALL, KNOWN, [
        "code (409, 'busy'): in Sources, not in docs/openapi.yaml",
        "code (503, 'busy'): in docs/openapi.yaml, not in Sources"]),
    (ALL, ALL[:-1], KNOWN, ["code (503, 'busy'): in docs/openapi.yaml, not in docs/app/errors.md"]),
    (ALL, [*ALL, ("conflict", "new")], KNOWN, ["code (409, 'new'): in docs/app/errors.md, not in docs/openapi.yaml"]),
    (ALL, ALL, KNOWN - {"busy"}, ["code busy: in an answer, not in the schema Code"]),
    (ALL, ALL, KNOWN | {"new"}, ["code new: in the schema Code, not in an answer"]),
])
def test_a_code_that_one_of_them_lacks_is_a_mistake(tmp_path, sources, told, known, mistakes):
    assert codes(tmp_path, sources, told, known) == mistakes


@pytest.mark.parametrize("source, mistakes", [
    ("enum Kind { case consumable, bundle }", []), ('enum Any { case bundle\n case other = "consumable" }', []),
    ("enum Kind { case consumable }", ["Product.type: ['bundle', 'consumable'] is no enumeration of Sources; Kind has "
                                       "['consumable']"]),
    ("enum Kind { case consumable, bundle, gift }\nenum Far { case x }",
     ["Product.type: ['bundle', 'consumable'] is no enumeration of Sources; Kind has "
      "['bundle', 'consumable', 'gift']"])])
def test_an_enumeration_is_one_of_the_sources(tmp_path, monkeypatch, source, mistakes):
    monkeypatch.setattr(words, "ENUMERATIONS", ["Product.type"])
    assert list(words.check_enumerations(described(tmp_path), [source])) == mistakes


REASONS = {"DenialReason": "late", "Outcome": "denied", "Remedy": "wait", "RejectionReason": "chain",
    "ReceiptStatus": "verified"}
TABLES = {
    ("A transaction's outcome", "reason"): [{"reason": "`late`", "outcome": "`denied`"}],
    ("remedy", "remedy"): [{"remedy": "`wait`"}], ("A rejected receipt's reason", "reason"): [{"reason": "`chain`"}],
    ("A receipt's status", "status"): [{"status": "`verified`"}, {"status": "none"}]}


@pytest.mark.parametrize("schema, what", [
    ("DenialReason", "reason"), ("Outcome", "outcome"), ("Remedy", "remedy"), ("RejectionReason", "reason"),
    ("ReceiptStatus", "status")])
def test_reasons_of_the_page_are_those_of_the_description(tmp_path, schema, what):
    def mistakes(**values):
        def change(document):
            schemas = {name: {"enum": [value]} for name, value in (REASONS | values).items()}
            document["components"]["schemas"].update(schemas)

        return list(words.check_page(described(tmp_path, change), TABLES))

    assert mistakes() == []
    told = REASONS[schema]
    assert mistakes(**{schema: "new"}) == [
        f"{what} new: in the schema {schema}, not in docs/app/errors.md",
        f"{what} {told}: in docs/app/errors.md, not in the schema {schema}"]
