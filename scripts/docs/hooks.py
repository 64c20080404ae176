"""Makes the pages of the checkout pages of the site: mkdocs.yml names this file.

On the site are README.md, as its first page, and the other pages and files outside of docs/ that pages link to. So a link
in the checkout, as GitHub shows it, leads to the same place on the site.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
# Pages outside of docs/, and where they are on the site.
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "develop/contributing.md", "CHANGELOG.md": "changelog.md",
         "SECURITY.md": "security.md", "SUPPORT.md": "support.md", "examples/HangmanApp/README.md": "app/hangman-app.md"}
SOURCES = {site: source for source, site in PAGES.items()}
LINK = re.compile(r"(?P<before>\]\()(?P<target>[^()\s#]+)(?P<after>#[^()\s]*)?\)")
ROW = re.compile(r"<tr>(?P<cell>\s*<td><code>(?P<name>[A-Za-z]+)</code></td>)")
# ```swift Package.swift: a block that is a file.
FILE = re.compile(r"(?m)^(?P<fence> *```[\w+-]+) (?P<name>[^\s=`]+(?: [^\s=`]+)?)$")


def on_files(files, config):
    for source, site in PAGES.items():
        files.append(File.generated(config, site, abs_src_path=str(ROOT / source)))
    for source in sorted(set(linked())):
        files.append(File.generated(config, f"files/{source}", abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown, page, config, files):
    site = page.file.src_uri
    source = SOURCES.get(site, f"docs/{site}")

    def follow(match):
        target = match["target"]
        led = leads(source, target)
        if led is None or source.startswith("docs/") and led.startswith("docs/"):
            return match[0]
        path = posixpath.relpath(place(led), posixpath.dirname(site) or ".")
        return f"{match['before']}{path}{match['after'] or ''})"

    return FILE.sub(r'\g<fence> title="\g<name>"', outside_of_fences(markdown, lambda text: LINK.sub(follow, text)))


def on_page_content(html, page, config, files):
    """A row whose first cell is one name has it as its ID: alerts lead there. A heading keeps an ID of its own."""
    def name(match):
        return match[0] if f'id="{match["name"]}"' in html else f'<tr id="{match["name"]}">{match["cell"]}'

    return ROW.sub(name, html)


def outside_of_fences(markdown, change):
    parts = re.split(r"(?ms)(^ *```.*?^ *```$)", markdown)
    return "".join(part if index % 2 else change(part) for index, part in enumerate(parts))


def leads(source, target):
    """A file of the checkout; nothing for an address elsewhere."""
    if "://" in target or target.startswith("mailto:"):
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    return path if (ROOT / path).exists() else None


def place(path):
    if path in PAGES:
        return PAGES[path]
    return path.removeprefix("docs/") if path.startswith("docs/") else f"files/{path}"


def linked():
    """Files outside of docs/, no pages of the site, that a page links to."""
    for page in [*(ROOT / "docs").rglob("*.md"), *(ROOT / source for source in PAGES)]:
        source = page.relative_to(ROOT).as_posix()
        found = set()
        outside_of_fences(page.read_text(encoding="utf-8"),
                          lambda text: found.update(match["target"] for match in LINK.finditer(text)) or text)
        for target in found:
            led = leads(source, target)
            if led and not led.startswith("docs/") and led not in PAGES and (ROOT / led).is_file():
                yield led
