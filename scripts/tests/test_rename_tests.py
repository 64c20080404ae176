import unittest

import rename_tests


def renamed(text):
    return rename_tests.renamed(text)[0]


class Renaming(unittest.TestCase):
    def test_a_head_that_fits_is_one_line(self):
        self.assertEqual(
            renamed('struct ATests {\n    @Test("Refuses it, \'x\'")\n    func refusesIt() async throws {\n    }\n}\n'),
            "struct ATests {\n    @Test func `Refuses it, 'x'`() async throws {\n    }\n}\n")

    def test_a_head_that_does_not_fit_keeps_its_attribute_on_a_line(self):
        words = "word " * 20 + "end"
        self.assertEqual(renamed(f'@Test("{words}")\nfunc words() {{ }}\n'), f"@Test\nfunc `{words}`() {{ }}\n")

    def test_traits_arguments_and_modifiers_stay(self):
        self.assertEqual(renamed('@Test("A", .tags(.b))\n@MainActor\nfunc a() {}\n'),
                         "@Test(.tags(.b))\n@MainActor\nfunc `A`() {}\n")
        text = '@Test(\n    "A", .serialized,\n    arguments: [1], [2])\nfunc a(\n    x: Int\n) {}\n'
        self.assertEqual(renamed(text), "@Test(.serialized, arguments: [1], [2]) func `A`(x: Int) {}\n")

    def test_a_list_of_arguments_stays_a_list(self):
        text = '@Test(\n    "A",\n    arguments: [\n        1,\n        2,\n    ])\nfunc a(x: Int) {}\n'
        self.assertEqual(renamed(text), "@Test(arguments: [\n    1,\n    2,\n])\nfunc `A`(x: Int) {}\n")

    def test_comments_between_arguments_stay_comments(self):
        text = '@Test(\n    "A",  // why\n    .serialized)\nfunc a() {}\n'
        self.assertIn("// why\n", renamed(text))

    def test_running_again_changes_nothing(self):
        once = renamed('@Test("Sends \'//\'")\nfunc a() {}\n@Test(arguments: ["x"])\nfunc other(_: String) {}\n')
        self.assertEqual(rename_tests.renamed(once), (once, []))

    def test_what_cannot_be_a_name_is_refused(self):
        self.assertEqual(rename_tests.name("Without `finish`"), "Without 'finish'")
        for sentence in (r"A \"quote\"", "==", " ", "a\tb"):
            with self.assertRaises(rename_tests.Failure):
                rename_tests.name(sentence)
