#!/usr/bin/env python3
"""Copies the descriptions of the HTTP interfaces into the sources, as string literals: the programs serve them.

    scripts/openapi/embed.py [--check]

With --check nothing is written; it ends with 1 if a copy is stale.
"""

import argparse
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
# The description, its copy, and whose interface it describes.
COPIES = [
    ("docs/openapi.yaml", "Sources/QuartermasterServer/HTTP/OpenAPIDescription.swift", "server"),
    (
        "docs/openapi-simulator.yaml", "Sources/AppStoreSimulator/HTTP/SimulatorOpenAPIDescription.swift",
        "simulated App Store",
    ),
]
QUOTES = '"""'


def swift(source, name, whose, text):
    assert QUOTES + "#" not in text and "\\#" not in text, f"{source} ends the literal"
    lines = "".join(f"        {line}".rstrip() + "\n" for line in text.split("\n"))
    return f"""\
// swift-format-ignore-file
// Copied from {source} by `make api-docs`. Change that file, not this one.

/// The description of the {whose}'s HTTP interface in OpenAPI 3.1.
enum {name} {{
    /// The text of `{source}`.
    static let text = #{QUOTES}
{lines}        {QUOTES}#
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = []
    for source, copy, whose in COPIES:
        with open(os.path.join(ROOT, source), encoding="utf-8") as file:
            wanted = swift(source, os.path.splitext(os.path.basename(copy))[0], whose, file.read())
        path = os.path.join(ROOT, copy)
        present = open(path, encoding="utf-8").read() if os.path.exists(path) else None
        if present == wanted:
            continue
        stale.append(copy)
        if not check:
            with open(path, "w", encoding="utf-8") as file:
                file.write(wanted)
    if check and stale:
        sys.exit(f"stale: {', '.join(stale)}; run make api-docs")


main()
