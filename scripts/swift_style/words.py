"""Words of an earlier dialect, for which docs/develop/glossary.md has the field's terms."""

import re

from swift_source import walk

from . import Result

# The word in a name, and what to write. A word is a part of a name in camel case.
OLD = {
    "verdict": "result", "verdicts": "results", "kept": "stored, retained or pending", "doubt": "awaiting",
    "news": "changes", "judge": "verification", "dossier": "report", "purse": "balance", "purses": "balances",
    "fence": "queue", "lane": "worker or pool", "lanes": "workers or pools", "speaker": "deciding",
    "uptake": "activation",
    "stranger": "unknown signer or another account", "strangers": "unknown signers or other accounts",
}
# Names that begin so are limits.
LIMIT = re.compile(r"(most|longest|least)(?=[A-Z]\w*(Bytes|Time|Wait|Period|Size|Count|Length|Seconds|Days))")
# Names of what is printed or stored.
WIRE = {"keptCheckpoints"}
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
DECLARED = ("func", "var", "let", "case", "typealias", "struct", "class", "enum", "actor", "protocol")


def old(sources):
    places, total = [], 0
    for source in sources:
        # An example's own words are its own.
        if source.path.startswith("examples/"):
            continue
        for declaration, _ in walk(source.declared):
            if declaration.kind not in DECLARED:
                continue
            total += 1
            words = {word.lower() for word in WORDS.findall(declaration.name)}
            if declaration.name not in WIRE and (words & OLD.keys() or LIMIT.match(declaration.name)):
                places.append((source.path, declaration.line, declaration.name))
    return Result(places, total)
