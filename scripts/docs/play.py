"""Plays the commands of the documentation's pages against a real server, so that no page can rot.

A page is played in one shell, in an empty folder with the sample shop, against a server of its own with the simulated App
Store. A page that has a block in `sh serve` starts its server itself, and its folder is empty. Every other block in `sh` is played, unless a comment `<!-- not played: why -->` stands before it, or before the page's
title. A command that fails, or a request that is answered by an error, fails the page.

A block in `json` or `text` right below one that was played is what its commands print. Values that differ from run to
run (times, UUIDs, tokens, IDs) are compared by their form; `…` stands for anything. JSON is compared as a value.

A block whose fence has `title="NAME"` is a file, and is written to the folder.

A variable with a short name in capitals means one thing: all pages assign it the same words.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path

import markdown
from failure import Failure, folder_of, run_of
from process import free_ports, running, stock

PAGES = ["README.md", "docs/start.md", "docs/app", "docs/operate"]
# Of these every request and every command of the server is played.
WHOLE = ("README.md", "docs/start.md", "docs/app/")
PAGE_WITHIN = 120  # seconds
SERVER, STORE = "127.0.0.1:8080", "127.0.0.1:8090"

# What differs from run to run, by its form.
FORMS = [(re.compile(form), name) for form, name in [
    (r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<UUID>"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", "<time>"),
    (r"(?<!\w)(?:[0-9A-Z]{4}-){5}[0-9A-Z]{4}(?!\w)", "<recovery code>"),
    (r"(?<!\w)([a-z])_[\w-]{22}(?![\w-])", r"<\1 ID>"),
    (r"(?<!\w)2000\d{12}(?!\w)", "<transaction ID>"),
    (r"(?<![\w-])[\w-]{43}(?![\w-])", "<token>"),
    # The notification of a purchase may be faster than its receipt.
    (r"\balreadyDelivered\b", "delivered"),
]]

# Before each page: a failed command ends it, and so does an answer with an error, which curl alone takes for a success.
PROLOGUE = """set -Eeuo pipefail
curl() { command curl --fail-with-body --noproxy '*' --max-time 60 "$@"; }
trap 'printf "%s\\n" "$BASH_COMMAND" >"$blocks/failed"' ERR
"""
# Starts what a page serves, and waits until it answers.
SERVE = """bash -c "exec $(<"$blocks/{0}")" >"$blocks/{0}.out" 2>&1 </dev/null & server=$!
trap 'kill "$server"; wait "$server" || true' EXIT
until curl -s -o "$blocks/ready" "http://127.0.0.1:$QUARTERMASTER_PORT/ready" 2>&1; do kill -0 "$server"; sleep 0.1; done
"""
ASSIGNMENT = re.compile(
    r"""(?<![\w$\-"'/{])(?P<name>[A-Z][A-Z0-9]{0,7})=(?P<value>"(?:[^"\\]|\\.)*"|'[^']*'|"""
    r"""\$\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[^\s;]+)""")


def formless(text):
    for form, name in FORMS:
        text = form.sub(name, text)
    return text


def fits(expected, printed):
    """Whether a text is what the page says, but for what differs from run to run."""
    pattern = ".*".join(re.escape(part) for part in formless(expected).split("…"))
    return re.fullmatch(pattern, formless(printed)) is not None


def differences(expected, printed, path="$"):
    """Where two JSON values differ."""
    if isinstance(expected, dict) and isinstance(printed, dict):
        for name in expected.keys() | printed.keys():
            if name not in printed:
                yield f"{path}.{name}: is not printed"
            elif name not in expected:
                yield f"{path}.{name}: the page does not have it"
            else:
                yield from differences(expected[name], printed[name], f"{path}.{name}")
    elif isinstance(expected, list) and isinstance(printed, list) and len(expected) == len(printed):
        for index, pair in enumerate(zip(expected, printed)):
            yield from differences(*pair, f"{path}[{index}]")
    elif isinstance(expected, str) and isinstance(printed, str):
        if not fits(expected, printed):
            yield f"{path}: the page has {expected!r}, and {printed!r} is printed"
    elif expected != printed or type(expected) is not type(printed):
        yield f"{path}: the page has {expected!r}, and {printed!r} is printed"


def values(text):
    """JSON values, one after the other."""
    decoder, rest, found = json.JSONDecoder(), text.strip(), []
    while rest:
        value, end = decoder.raw_decode(rest)
        found.append(value)
        rest = rest[end:].lstrip()
    return found


def compare(block, printed):
    if block.language == "json":
        try:
            wrong = list(differences(values(block.text), values(printed)))
        except json.JSONDecodeError as error:
            wrong = [f"no JSON: {error}"]
    else:
        expected, lines = block.text.rstrip("\n").split("\n"), printed.rstrip("\n").split("\n")
        wrong = [f"the page has {pair[0]!r}, and {pair[1]!r} is printed"
                 for pair in zip(expected, lines) if not fits(*pair)]
        if len(expected) != len(lines):
            wrong.append(f"the page has {len(expected)} lines, and {len(lines)} are printed")
    if wrong:
        raise Failure(f"line {block.line}: " + "\n  ".join(wrong) + f"\nPrinted was:\n{printed[:4000]}")


class Played:
    """A page with what of it is played."""

    def __init__(self, page):
        self.page = page
        self.steps, self.skipped = [], 0
        for block in page.blocks:
            self.add(block)

    def add(self, block):
        title = re.search(r'title="([^"]+)"', block.rest)
        if title:
            self.steps.append(("file", title[1], block))
        elif block.language == "sh":
            if block.not_played:
                self.skipped += 1
            elif block.rest == "serve":
                self.steps.append(("serve", None, block))
            else:
                self.steps.append(("run", None, block))
        elif block.follows and block.language in ("json", "text") and self.steps and self.steps[-1][0] == "run":
            self.steps.append(("compare", None, block))

    @property
    def commands(self):
        return [block for kind, _, block in self.steps if kind in ("run", "serve")]

    @property
    def serves(self):
        """Whether it starts its server itself."""
        return any(kind == "serve" for kind, _, _ in self.steps)

    def play(self, folder, ports):
        """Everything in one shell; what each block printed is compared afterwards."""
        blocks = folder / "blocks"
        blocks.mkdir()
        work, script = folder / "work", [PROLOGUE]
        for number, (kind, name, block) in enumerate(self.steps):
            if kind == "file":
                (work / name).write_text(block.text)
            elif kind in ("run", "serve"):
                (blocks / str(number)).write_text(directed(block.text, ports))
                script.append(f'echo {block.line} >"$blocks/line"\n')
                script.append(SERVE.format(number) if kind == "serve" else
                              f'source "$blocks/{number}" >"$blocks/{number}.out"\n')
        run = subprocess.run(
            ["timeout", str(PAGE_WITHIN), "bash", "-c", "".join(script)], cwd=work, stdin=subprocess.DEVNULL,
            capture_output=True, text=True,
            env={**os.environ, **(listening(ports) if self.serves else {}), "blocks": str(blocks),
                 "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"})
        failed = run.returncode and int((blocks / "line").read_text())
        for number, (kind, _, block) in enumerate(self.steps):
            if failed and block.line >= failed:
                break
            if kind == "compare":
                compare(block, (blocks / f"{number - 1}.out").read_text())
        if failed:
            raise Failure(self.told(blocks, failed, run))

    def told(self, blocks, line, run):
        command = (blocks / "failed").read_text().strip() if (blocks / "failed").exists() else ""
        printed = next((blocks / f"{number}.out").read_text() for number, step in enumerate(self.steps)
                       if step[2].line == line)
        return f"the block at line {line} failed with {run.returncode}: {command}\n{printed[:2000]}{run.stderr[:2000]}"


def directed(text, ports):
    """The server and the store that the pages name are those that were started."""
    return text.replace(SERVER, f"127.0.0.1:{ports[0]}").replace(STORE, f"127.0.0.1:{ports[1]}")


def listening(ports):
    """The variables of a server that a page starts."""
    return {"QUARTERMASTER_PORT": str(ports[0]), "QUARTERMASTER_SIMULATOR_PORT": str(ports[1])}


@contextmanager
def empty_folder(binary):
    """A folder to play in, and beside it the program."""
    with folder_of("quartermaster-pages", None) as folder:
        for name in ("work", "bin"):
            (folder / name).mkdir()
        (folder / "bin" / "quartermaster").symlink_to(binary)
        yield folder


def serving(binary, folder, ports):
    """A fresh server with the sample shop, whose settings every command in the folder finds."""
    work = folder / "work"
    stock(work)
    settings = {"host": "127.0.0.1", "port": ports[0], "database": "ledger.sqlite", "simulator": True,
                "simulatorPort": ports[1]}
    (work / "quartermaster.json").write_text(json.dumps(settings))
    command = ["env", f"--chdir={work}", str(binary), "serve"]
    return running("the server", command, None, ports[0], "/ready", folder / "log")


def variables(pages):
    """What is wrong with the variables of the pages: one that is assigned different words."""
    assigned = {}
    for page in pages:
        for block in page.blocks:
            if block.language != "sh":
                continue
            text = re.sub(r"(?m)(^|\s)#.*$", r"\1", block.text)
            text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)  # A port that a page lets others choose.
            for match in ASSIGNMENT.finditer(text):
                words = " ".join(match["value"].split())
                assigned.setdefault(match["name"], {}).setdefault(words, f"{page.path}:{block.line}")
    for name, meanings in sorted(assigned.items()):
        if len(meanings) > 1:
            yield f"{name} means several things: " + "; ".join(f"{words} ({place})" for words, place in
                                                               meanings.items())


def left_out(pages):
    """Blocks with requests or commands of the server, on pages of which all are to be played, that are not."""
    for page in pages:
        for block in page.blocks:
            if block.language == "sh" and str(page.path).startswith(WHOLE) and (block.not_played or page.not_played) \
                    and re.search(r"(?m)\b(?:curl|quartermaster) ", block.text):
                yield f"{page.path}: the block at line {block.line} is not played"


def played_pages():
    for name in PAGES:
        path = Path(name)
        for each in sorted(path.glob("*.md")) if path.is_dir() else [path]:
            page = markdown.read(each)
            if not page.not_played:
                played = Played(page)
                if played.commands:
                    yield played


def play(binary, wanted):
    failures = []
    for played in played_pages():
        if wanted and str(played.page.path) not in wanted:
            continue
        try:
            ports = free_ports(2)
            with empty_folder(binary) as folder:
                with nullcontext() if played.serves else serving(binary, folder, ports):
                    played.play(folder, ports)
            compared = sum(kind == "compare" for kind, _, _ in played.steps)
            skipped = f", {played.skipped} not played" if played.skipped else ""
            print(f" ✔ {played.page.path}: {len(played.commands)} blocks, {compared} outputs{skipped}", flush=True)
        except Failure as failure:
            failures.append(played.page.path)
            print(f" ✘ {played.page.path}: {failure}", file=sys.stderr, flush=True)
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("page", nargs="*", help="only these")
    arguments = parser.parse_args()
    pages = [markdown.read(path) for path in markdown.pages(".")]
    wrong = [*variables(pages), *left_out(pages)]
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    failures = play(arguments.binary, set(arguments.page))
    if wrong or failures:
        sys.exit(1)
    print("the pages, all right")


if __name__ == "__main__":
    with run_of("check-pages"):
        main()
