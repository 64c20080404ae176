#!/usr/bin/env python3
"""Gives each test one name: `@Test("A sentence") func aSentence()` becomes @Test func `A sentence`().

    scripts/rename_tests.py

Tests that have one name stay as they are, and so do suites, which are chosen by the names of their types. Ends with 1,
and changes nothing, where a sentence cannot be a name. Counts the tests before and after.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True

import swift_source
from swift_style.names import display_name

ROOT = Path(__file__).resolve().parent.parent
MAXIMUM_COLUMNS = 120
OPERATOR = re.compile(r"[-/=+!*%<>&|^~?.]+")


class Failure(Exception):
    pass


def output(*command, input=None):
    return subprocess.run(command, cwd=ROOT, input=input, check=True, stdout=subprocess.PIPE, text=True).stdout


def name(sentence):
    """The raw identifier without its backticks."""
    found = sentence.replace("`", "'")
    if "\\" in found or not found.isprintable() or not found.strip() or OPERATOR.fullmatch(found):
        raise Failure(f"{sentence}: no name of a function; the test wants another one")
    return found


def on_one_line(text, mask):
    """The text with its line ends made spaces; as it is where one is within brackets, or where a comment is."""
    depth = 0
    for character, masked in zip(text, mask):
        depth += (masked in "([{") - (masked in ")]}")
        if (character == "\n" and depth > 0) or (character == "/" and masked == " " and "//" in text):
            return text
    return re.sub(r"\s*\n\s*", " ", text)


def head(text, mask, declared):
    """The text from `@Test` to the opening brace with one name, and that name."""
    sentence, rest, past = display_name(text, mask, declared)
    new = name(sentence)
    indent = " " * (declared.start - text.rfind("\n", 0, declared.start) - 1)
    traits = on_one_line(text[rest:past - 1].rstrip(), mask[rest:past - 1])
    if "\n" in text[declared.start:rest]:
        # They began on a line of their own, a step further in.
        traits = traits.replace("\n" + indent + "    ", "\n" + indent)
    attribute = f"@Test({traits})" if traits else "@Test"
    begin = re.compile(r"func\s+`?\w+`?").match(text, declared.keyword).end()
    signature = re.sub(r"\s+", " ", text[begin:declared.body + 1]).replace("( ", "(").replace(" )", ")")
    function = f"func `{new}`{signature}"
    between = text[past:declared.keyword]
    tail = text[declared.body + 1:text.index("\n", declared.body)]
    is_short = len(f"{indent}{attribute} {function}{tail}") <= MAXIMUM_COLUMNS
    if not between.strip():
        between = " " if is_short and "\n" not in attribute else "\n" + indent
    return attribute + between + function, new


def renamed(text):
    """The text with tests that have one name, and (suite, function, new name, parameters) of each that had two."""
    mask, names = swift_source.masked(text), []
    tests = [(declared, around) for declared, around in swift_source.walk(swift_source.declarations(text, mask))
             if display_name(text, mask, declared)]
    for declared, around in sorted(tests, key=lambda test: -test[0].start):
        new, sentence = head(text, mask, declared)
        text = text[:declared.start] + new + text[declared.body + 1:]
        names.append((".".join(outer.name for outer in around), declared.name, sentence, declared.signature))
    return text, names


def counted(text):
    return Counter({"@Test": len(re.findall(r"@Test\b", text)), "lines": text.count("\n")})


def rename():
    listed = map(ROOT.joinpath, output("git", "ls-files", "-co", "--exclude-standard", "*.swift").splitlines())
    changed, seen, before = {}, Counter(), Counter()
    for path in filter(Path.is_file, listed):
        if "@Test" in (text := path.read_text(encoding="utf-8")):
            changed[path], found = renamed(text)
            for suite, _, new, signature in found:
                seen[path.parts[len(ROOT.parts) + 1], suite, new, re.sub(r"\s", "", signature)] += 1
            before += counted(text)
    if twins := [f"{suite}: {new}: two tests" for (_, suite, new, _), count in seen.items() if count > 1]:
        raise Failure("\n".join(twins))
    for path, text in changed.items():
        if text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8")
    output("swift", "format", "format", "--in-place", "--parallel", *changed)
    after = sum((counted(path.read_text(encoding="utf-8")) for path in changed), Counter())
    print(f"{before['@Test']} tests, of which {seen.total()} had two names, in {before['lines']} lines; "
          f"now {after['@Test']} in {after['lines']} lines")
    if before["@Test"] != after["@Test"]:
        raise Failure("that is another number of tests")


def main():
    argparse.ArgumentParser(usage=__doc__).parse_args()
    try:
        rename()
    except Failure as failure:
        sys.exit(f"rename_tests: {failure}")


if __name__ == "__main__":
    main()
