"""Compares what modules declare public with the lines kept in scripts/symbols/public-api, or writes these.
scripts/check-public-api.sh makes the symbol graphs that this reads.

    check_public_api.py FOLDER [--write] MODULE…    FOLDER/MODULE.symbols.json, FOLDER/MODULE@OTHER.symbols.json

What is removed or changed is written only if CHANGELOG.md names it.
"""

import json
import sys
from pathlib import Path

from failure import Failure, run_of
from public_api import Changes, lines_of, names_in

ROOT = Path(__file__).resolve().parents[2]
KEPT = Path(__file__).parent / "public-api"
NAME_IT = "Name in backticks in CHANGELOG.md, under Unreleased in another section than Added"
# A lost file of a module may not bury what is to be done.
MAXIMUM_LINES = 40


def declared_by(module, folder):
    paths = [folder / f"{module}.symbols.json", *sorted(folder.glob(f"{module}@*.symbols.json"))]
    lines = lines_of([json.loads(path.read_text(encoding="utf-8")) for path in paths])
    if not lines:
        raise Failure(f"{module} declares nothing public")
    return lines


def changes_of(module, folder):
    path = KEPT / f"{module}.txt"
    kept = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return Changes(kept, declared_by(module, folder))


def check(every, names):
    complaints = []
    for module, changes in every.items():
        lines = [f"- {line}" for line in changes.gone] + [f"+ {line}" for line in changes.new]
        if lines:
            complaints += [f"{module}.txt is not what {module} declares:", *shortened(lines)]
        elif changes.kept != changes.declared:
            complaints.append(f"{module}.txt is not sorted")
    if complaints:
        raise Failure("\n".join([*complaints, *demands(every, names), "Run make public-api, and read the difference"]))
    print("public API: " + ", ".join(f"{len(changes.kept)} symbols of {module}" for module, changes in every.items())
          + ", as scripts/symbols/public-api has them")


def shortened(lines):
    rest = len(lines) - MAXIMUM_LINES
    return lines if rest <= 0 else [*lines[:MAXIMUM_LINES], f"{rest} more"]


def demands(every, names):
    """What CHANGELOG.md lacks."""
    paths = [path for changes in every.values() for path in changes.unnamed(names)]
    return [f"{NAME_IT}: {path}" for path in paths]


def write(every, names):
    if lacking := demands(every, names):
        raise Failure("\n".join(["removed or changed, so that nothing is written.", *lacking]))
    KEPT.mkdir(exist_ok=True)
    for module, changes in every.items():
        (KEPT / f"{module}.txt").write_text("".join(f"{line}\n" for line in changes.declared), encoding="utf-8")
        print(f"{module}: {len(changes.gone)} lines gone, {len(changes.new)} new")


def main():
    [folder, *modules] = [argument for argument in sys.argv[1:] if argument != "--write"]
    every = {module: changes_of(module, Path(folder)) for module in modules}
    names = names_in((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    (write if "--write" in sys.argv else check)(every, names)


if __name__ == "__main__":
    with run_of("public-api"):
        main()
