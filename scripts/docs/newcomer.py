"""Plays what docs/start.md begins with, from an empty folder to a pack that is delivered, and counts the commands.

Ends with 1 where they are more than five, or one fails. A pipeline is one command; two on one line are two.
"""

import argparse
import re
import subprocess
import time
from pathlib import Path

import markdown
from failure import Failure, run_of
from play import Played, empty_folder
from process import free_ports

PAGE = Path("docs/start.md")
MOST_COMMANDS, MOST_SECONDS = 5, 600


def is_whole(text):
    """Whether a shell would run it as it is, and not wait for more."""
    return not text.endswith("\\") and subprocess.run(["bash", "-n", "-c", text], capture_output=True).returncode == 0


def commands(text):
    """The commands of a block."""
    found, begun = [], ""
    for line in text.strip().split("\n"):
        begun += line
        if is_whole(begun):
            found.append(begun)
            begun = ""
        else:
            begun += "\n"
    if begun or re.search(r"&&|;\s", text):
        raise Failure(f"these are not whole commands, one after the other:\n{text}")
    return found


def first_chapter(page):
    """The blocks before the second chapter."""
    begins = [number for number, line in page.prose.items() if line.startswith("## ")]
    return [block for block in page.blocks if block.line < begins[1]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", type=Path, required=True)
    page = markdown.read(PAGE)
    page.blocks = first_chapter(page)
    played = Played(page)
    typed = [command for block in played.commands for command in commands(block.text)]
    for number, command in enumerate(typed, 1):
        print(f" {number}  " + command.replace("\n", "\n    "), flush=True)
    if len(typed) > MOST_COMMANDS:
        raise Failure(f"{len(typed)} commands to a pack that is delivered, and {MOST_COMMANDS} are allowed")
    began = time.monotonic()
    with empty_folder(parser.parse_args().binary) as folder:
        played.play(folder, free_ports(2))
    print(f"{len(typed)} commands to a pack that is delivered, in {time.monotonic() - began:.1f} s without the typing")


if __name__ == "__main__":
    with run_of("check-newcomer", MOST_SECONDS):
        main()
