"""Screens on the pages: each between two comments, `<!-- screen: NAME -->` and `<!-- end of screen -->`."""

import re
from pathlib import Path

PAGES = [Path("docs/app/hangman.md"), Path("README.md")]
PLACE = re.compile(r"<!-- screen: (?P<name>[\w-]+)(?P<short>, short)? -->\n(?:(?!<!--).)*<!-- end of screen -->", re.S)


def block(lines, is_short):
    lines = [line.rstrip() for line in lines]
    # Blank lines at a stretch are one.
    lines = [line for at, line in enumerate(lines) if line or at == 0 or lines[at - 1]]
    if is_short:
        lines = [line for line in lines if line]
    return "```text\n" + "\n".join(lines).strip("\n") + "\n```"


def write(screens):
    """Writes the screens to the pages. Returns the names that the pages ask for and nobody took."""
    missing = []
    for page in PAGES:
        def place(match):
            name = match["name"]
            if name not in screens:
                missing.append(f"{page}: {name}")
                return match.group()
            shown = block(screens[name], bool(match["short"]))
            return f"<!-- screen: {name}{match['short'] or ''} -->\n{shown}\n<!-- end of screen -->"
        page.write_text(PLACE.sub(place, page.read_text()))
    return missing
