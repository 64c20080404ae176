import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import compare_test_logs


class Comparing(unittest.TestCase):
    def compare(self, before, after):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder, "before"), Path(folder, "after")]
            for path, lines in zip(paths, (before, after)):
                path.write_text("".join(f"{line} after 1.0 seconds.\n" for line in lines), encoding="utf-8")
            return compare_test_logs.compare(*paths)

    ALL = "✔ Test run with 2 tests in 1 suite passed"

    def test_a_name_in_another_form_is_the_same_test(self):
        lines, is_same = self.compare(
            ['✔ Test "Is \'it\'" with 3 test cases passed', '✘ Test "B" failed', self.ALL],
            ['✘ Test "B" failed', '✔ Test "Is `it`" with 3 test cases passed', self.ALL])
        self.assertTrue(is_same)
        self.assertEqual(lines, ["2 tests, of which 2 ran, with 4 cases"] * 2)

    def test_fewer_cases_and_empty_logs_are_told(self):
        lines, is_same = self.compare(['✔ Test "A" with 3 test cases passed'], ['✔ Test "A" with 2 test cases passed'])
        self.assertFalse(is_same)
        self.assertEqual(lines[:2], ["only before: A, 3 cases", "only after: A, 2 cases"])
        self.assertFalse(self.compare([self.ALL], [self.ALL])[1])


if __name__ == "__main__":
    unittest.main()
