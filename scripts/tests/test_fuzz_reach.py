"""What shows that a fuzz target calls what a request calls."""

import re

import pytest

import fuzz
from index_store import ACCESSOR_OF, CHILD_OF, OVERRIDE_OF, Symbol

ROUTES, PARSER, READER = (f"Sources/{name}.swift" for name in ("Routes", "Receipts/Parser", "Receipts/Reader"))
ROOTS = re.compile("Sources/Routes.swift")


def symbols(*found):
    return {each.usr: each for each in found}


def symbol(usr, name, kind="method", file=PARSER, called_by=(), **members):
    return Symbol(usr, name, kind, file, 1, references={(ROUTES, each) for each in called_by}, **members)


ROUTE = symbol("s:route", "route()", file=ROUTES)


def reached(*found):
    every = symbols(ROUTE, *found)
    calls = fuzz.Calls(every)
    before = calls.reached(ROOTS)
    return {every[usr].name: calls.way(before, usr) for usr in before}


def test_the_way_goes_through_calls():
    found = reached(symbol("s:a", "a()", called_by=["s:route"]), symbol("s:b", "b()", called_by=["s:a"]))
    assert found["b()"] == ["route()", "a()", "b()"]


def test_what_fulfils_a_requirement_and_an_accessor_are_reached():
    found = reached(
        symbol("s:requirement", "read()", called_by=["s:route"]),
        symbol("s:fulfils", "read()", file=READER, related={"s:requirement": OVERRIDE_OF}),
        symbol("s:getter", "getter", related={"s:fulfils": ACCESSOR_OF}))
    # One name after the other once.
    assert found["getter"] == ["route()", "read()", "getter"]


@pytest.mark.parametrize("each", [
    symbol("s:a", "a()"), symbol("s:a", "a()", called_by=["s:other"]),
    # A member of what is reached is not called by that.
    symbol("s:a", "a()", related={"s:route": CHILD_OF}),
    Symbol("s:a", "a()", "method", PARSER, 1, references={("Tests/ATests.swift", "s:route")}),
])
def test_what_no_request_leads_to_is_not_reached(each):
    assert set(reached(each)) == {"route()"}


PRODUCT = symbols(
    symbol("s:Parser", "Parser", kind="struct"), symbol("s:Parser.init", "init(limit:)", kind="initializer"),
    symbol("s:Parser.parse", "parse(_:)"), symbol("s:Parser.parse2", "parse(text:)"), symbol("s:Parser.skip", "skip()"),
    symbol("s:Reader", "Reader", kind="class"), symbol("s:Reader.parse", "parse(_:)"),
    symbol("s:Parser.test", "test()", file="Tests/ATests.swift"))


@pytest.mark.parametrize("text, expected", [
    ("_ = Parser(limit: 7).parse(bytes)", {"s:Parser.init", "s:Parser.parse"}),
    ("let parser: Parser = parser(); parser.parse(text: x)", {"s:Parser.parse", "s:Parser.parse2"}),
    ("Parser(other: 7)", set()),
    # Without its type, or without a call.
    ("value.parse(bytes)", set()), ("Parser parse", set()), ("Parser; x.test()", set()),
    ("Reader.parse(bytes)", {"s:Reader.parse"}),
])
def test_entries_are_what_a_target_calls_of_types_that_it_names(text, expected):
    assert set(fuzz.entries(PRODUCT, text)) == expected


def test_lists_are_static_properties_that_a_target_names_with_their_type():
    product = symbols(
        symbol("s:Cases", "Cases", kind="enum"), symbol("s:Cases.all", "all", kind="static property"),
        symbol("s:Other.all", "all", kind="static property"),
        symbol("s:Cases.server", "server", kind="static property", file=fuzz.ASSEMBLY))
    assert list(fuzz.lists(product, "for each in Cases.all {} Cases.server")) == ["s:Cases.all"]
    assert list(fuzz.lists(product, "for each in all {} Cases")) == []


def test_through_a_list_leads_to_what_it_calls_outside_of_its_file():
    product = symbols(
        symbol("s:all", "all", kind="static property"), symbol("s:own", "own()", called_by=["s:all"]),
        symbol("s:parse", "parse()", file=READER, called_by=["s:own"]),
        symbol("s:deeper", "deeper()", file=READER, called_by=["s:parse"]),
        symbol("s:data", "data", kind="property", file=READER, called_by=["s:own"]),
        symbol("s:server", "Server", kind="struct", file=fuzz.ASSEMBLY, called_by=["s:own"]))
    assert fuzz.through(product, fuzz.Calls(product), "s:all") == {"s:parse"}


@pytest.mark.parametrize("call, arguments, matches", [
    ("x.parse(7)", ("parse", False, "_:)"), True), ("x.parse(text: 7)", ("parse", False, "text:)"), True),
    ("x.parse(\n    text: 7)", ("parse", False, "text:)"), True), ("x.parse(7)", ("parse", False, "text:)"), False),
    ("Parser()", ("Parser", True, ")"), True), ("MyParser()", ("Parser", True, ")"), False),
    ("x.reparse(7)", ("parse", False, "_:)"), False)])
def test_a_call_has_the_first_label(call, arguments, matches):
    assert bool(re.search(fuzz.pattern(*arguments), call)) == matches
