"""Reads what the checks of the pages need of Markdown: headings, links, and fenced blocks."""

import re
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[\w+-]*) *(?P<rest>.*)$")
HEADING = re.compile(r"^(?P<level>#{1,6}) +(?P<text>.+?) *#*$")
LINK = re.compile(r"(?<!!)\[(?:[^\[\]]|\[[^\]]*\])*\]\((?P<target>[^()\s]+)(?: \"[^\"]*\")?\)", re.DOTALL)
NAMED = re.compile(r'<a id="([^"]+)">')
NOT_PLAYED = re.compile(r"<!-- not played: (?P<reason>.+) -->")
# Folders whose pages are the project's.
SKIPPED = {".build", ".git", "var", "node_modules"}


@dataclass
class Block:
    """A fenced block. `follows` tells whether nothing but blank lines stands between it and the block before."""
    language: str
    rest: str
    text: str
    line: int
    follows: bool = False
    not_played: str | None = None


@dataclass
class Page:
    path: Path
    blocks: list
    # Lines outside of fenced blocks, by their numbers.
    prose: dict
    # Why nothing of the page is played.
    not_played: str | None = None

    @property
    def headings(self):
        return [match["text"] for line in self.prose.values() if (match := HEADING.match(line))]

    @property
    def anchors(self):
        """What a link may name after `#`; a heading that stands twice gets a number."""
        found = {}
        for heading in self.headings:
            slug = anchor(heading)
            found[slug] = found.get(slug, -1) + 1
        named = {name for line in self.prose.values() for name in NAMED.findall(line)}
        return named | {f"{slug}-{number}" if number else slug for slug, last in found.items() for number in range(last + 1)}

    @property
    def links(self):
        text = "\n".join(re.sub(r"`[^`]*`", "``", line) for line in self.prose.values())
        return [match["target"] for match in LINK.finditer(text)]


def anchor(heading):
    """As GitHub makes it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def read(path):
    page, opened, body, before = Page(Path(path), [], {}), None, [], None
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").split("\n"), 1):
        fence = FENCE.match(line)
        if opened is None and fence:
            opened, body = (number, fence), []
        elif opened and line.strip() == "```":
            add(page, opened, body, before)
            opened, before = None, "block"
        elif opened:
            indent = len(opened[1]["indent"])
            body.append(line[indent:] if line[:indent].isspace() or not indent else line)
        else:
            page.prose[number] = line
            if line.strip():
                before = line.strip()
                if (match := NOT_PLAYED.fullmatch(before)) and not page.headings:
                    page.not_played = match["reason"]
    return page


def add(page, opened, body, before):
    number, fence = opened
    match = NOT_PLAYED.fullmatch(before or "")
    page.blocks.append(Block(
        fence["language"], fence["rest"], "\n".join(body) + "\n", number, before == "block",
        match["reason"] if match else None))


def pages(folder):
    """Every page of the checkout."""
    return sorted(path for path in Path(folder).rglob("*.md") if not SKIPPED & set(path.relative_to(folder).parts))
