import unittest

import swift_source
from swift_style import names
from check_style import Source


class Masking(unittest.TestCase):
    RAW = 'func `Sends "{" and } over http:// or /* but not */ in (\'`() { let text = "a" } // end'

    def test_raw_identifiers_are_blank(self):
        mask = swift_source.masked(self.RAW)
        self.assertEqual(len(mask), len(self.RAW))
        self.assertRegex(mask, r'^func ` +`\(\) \{ let text = " " \} +$')

    def test_keywords_in_backticks_stay(self):
        text = "case `default`, `in`, other"
        self.assertEqual(swift_source.masked(text), text)

    def test_backticks_in_strings_and_comments_name_nothing(self):
        self.assertEqual(swift_source.masked('f("a `") // `\nfunc g() {}'), 'f("   ")     \nfunc g() {}')

    def test_declarations_have_the_raw_name_and_what_follows(self):
        text = f"@Suite struct SomeTests {{\n    @Test {self.RAW}\n    func next() {{}}\n}}\nstruct Other {{}}\n"
        found = swift_source.declarations(text)
        self.assertEqual([each.name for each in found], ["SomeTests", "Other"])
        self.assertEqual([each.name for each in found[0].members], [self.RAW.split("`")[1], "next"])


class TwoNames(unittest.TestCase):
    def test_a_display_name_beside_the_functions_is_found(self):
        text = ('@Test("One", .serialized) func one() {}\n@Test func `Two`() {}\n'
                '@Test(arguments: ["three"]) func three(_: String) {}\n@Test(\n    "Four"\n)\nfunc four() {}\n')
        mask = swift_source.masked(text)
        found = names.twice([Source("ATests.swift", text, mask, swift_source.declarations(text, mask))])
        self.assertEqual(([name for _, _, name in found.places], found.total), (["one", "four"], 4))
