"""Looks up what pages refer to: files and headings by links, tests and types by their names, messages of the log. The
README stays a page that is read at once."""

import re
import sys
from pathlib import Path
from urllib.parse import unquote

import markdown

README, MAXIMUM_BYTES = Path("README.md"), 10_240
# `Suite`, `Suite/The sentence that names a test` or `Suite.function`. A line may end within the sentence.
TEST = re.compile(r"`(?P<suite>[A-Z]\w*Tests)(?:[./](?P<name>[^`]+))?`")
MESSAGES = Path("docs/operate/troubleshooting.md")
LOG = "## It serves, and the log says"
# Pages that name types.
NAMING = [Path("docs/develop/architecture.md"), Path("docs/develop/glossary.md")]
# A type, perhaps with a member; words all in capitals are HTTP's and SQL's.
TYPE = re.compile(r"`(?P<name>[A-Z]\w*[a-z]\w*)(?:\.\w+)*(?:\([^`]*\))?`")

# What people look for, in their words: the site's search finds only words that a page has.
SOUGHT = ["A/B test", "Android", "GDPR", "RevenueCat", "discount", "gift", "images", "quickstart", "sale", "scheduled",
          "tutorial", "voucher", "webhook"]


def links(pages):
    """Links to a file that is not there, or to a heading that a page does not have."""
    known = {page.path.resolve(): page for page in pages}
    for page in pages:
        for target in page.links:
            if "://" in target or target.startswith("mailto:"):
                continue
            name, _, heading = unquote(target).partition("#")
            led = (page.path.parent / name).resolve() if name else page.path.resolve()
            if not led.exists():
                yield f"{page.path}: {target}: no such file"
            elif heading and led in known and heading not in known[led].anchors:
                yield f"{page.path}: {target}: no such heading"


def sizes():
    """The README, if it has grown too large."""
    size = len(README.read_bytes())
    if size > MAXIMUM_BYTES:
        yield f"{README}: {size} bytes, and {MAXIMUM_BYTES} are allowed: what it says belongs on a page of docs"


def sought(pages):
    """Words that people look for and no page of the documentation has, in prose."""
    text = "\n".join(line for page in pages if page.path == README or page.path.is_relative_to("docs")
                     for line in page.prose.values())
    for word in SOUGHT:
        if not re.search(rf"(?i)\b{re.escape(word)}s?\b", text):
            yield f"docs: no page has the words {word}, which people look for"


def tests(pages):
    """Names of suites and tests that no file of the tests declares."""
    suites = {}
    for path in Path("Tests").rglob("*.swift"):
        text = path.read_text(encoding="utf-8")
        names = {raw or plain for raw, plain in re.findall(r"\bfunc (?:`([^`\n]+)`|(\w+))", text)}
        for suite in re.findall(r"\b(?:struct|class|actor|enum|extension) (\w+Tests)\b", text):
            suites.setdefault(suite, set()).update(names)
    for page in pages:
        for match in TEST.finditer("\n".join(page.prose.values())):
            suite, name = match["suite"], " ".join((match["name"] or "").split())
            if suite not in suites and not Path("Tests", suite).is_dir():
                yield f"{page.path}: {suite}: no such suite of tests"
            elif name and name not in suites.get(suite, set()):
                yield f"{page.path}: {suite}/{name}: no such test"


def messages():
    """Messages of the log, as the page about trouble has them, that no source has."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path("Sources").rglob("*.swift")))
    section = MESSAGES.read_text(encoding="utf-8").split(LOG)[1].split("\n## ")[0]
    for message in re.findall(r"(?m)^\| `([^`]+)`", section):
        text = message.removesuffix("…").removesuffix(" ").removesuffix(";")
        if text not in sources:
            yield f"{MESSAGES}: {message}: no source has such a message"


def types():
    """Types that a page about the code names, and no source declares, nor the manifest as a target."""
    folders = [Path("Sources"), Path("Plugins"), Path("examples"), Path("Tests")]
    sources = "\n".join(path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.swift"))
    declared = set(re.findall(r"\b(?:struct|class|actor|enum|protocol|typealias|extension) (\w+)", sources))
    known = declared | set(re.findall(r'[tT]arget\(\s*name: "(\w+)"', Path("Package.swift").read_text()))
    for page in NAMING:
        for name in sorted(set(TYPE.findall(page.read_text(encoding="utf-8"))) - known):
            yield f"{page}: {name}: no source declares it"


def main():
    pages = [markdown.read(path) for path in markdown.pages(".")]
    wrong = [*sizes(), *links(pages), *sought(pages), *tests(pages), *messages(), *types()]
    for each in wrong:
        print(each, file=sys.stderr)
    print(f"{sum(len(page.links) for page in pages)} links, and the tests, types and messages that pages name: "
          + (f"{len(wrong)} wrong" if wrong else "all right"))
    sys.exit(bool(wrong))


main()
