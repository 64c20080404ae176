"""The reader of Swift without its strings and comments, and what looks for two names of a test."""

import re

import swift_source
from check_style import source_of
from swift_style import names

RAW = 'func `Sends "{" and } over http:// or /* but not */ in (\'`() { let text = "a" } // end'


def test_raw_identifiers_are_blank():
    mask = swift_source.masked(RAW)
    assert len(mask) == len(RAW)
    assert re.search(r'^func ` +`\(\) \{ let text = " " \} +$', mask)


def test_keywords_in_backticks_stay():
    text = "case `default`, `in`, other"
    assert swift_source.masked(text) == text


def test_backticks_in_strings_and_comments_name_nothing():
    assert swift_source.masked('f("a `") // `\nfunc g() {}') == 'f("   ")     \nfunc g() {}'


def test_declarations_have_the_raw_name_and_what_follows():
    text = f"@Suite struct SomeTests {{\n    @Test {RAW}\n    func next() {{}}\n}}\nstruct Other {{}}\n"
    found = swift_source.declarations(text)
    assert [each.name for each in found] == ["SomeTests", "Other"]
    assert [each.name for each in found[0].members] == [RAW.split("`")[1], "next"]


def test_a_display_name_beside_the_functions_is_found():
    text = ('@Test("One", .serialized) func one() {}\n@Test func `Two`() {}\n'
            '@Test(arguments: ["three"]) func three(_: String) {}\n@Test(\n    "Four"\n)\nfunc four() {}\n')
    found = names.twice([source_of("ATests.swift", text)])
    assert ([name for _, _, name in found.places], found.total) == (["one", "four"], 4)
