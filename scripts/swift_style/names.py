"""Names: no vague ones, no words of an earlier dialect, errors that say whose matter they are, one for each test."""

import re

from swift_source import closing, walk

from . import Result, each_of

# Names that each meant several things. There is a plain one for whatever they did.
VAGUE = re.compile(r"(take|settle|keep|note|demand\w*)")
# The word of an earlier dialect in a name, and what docs/develop/glossary.md has for it. A word is a part of a name in
# camel case.
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
# The names of errors: CONTRIBUTING.md, "Errors".
FAMILIES = ("Refusal", "Error", "Unavailable", "Problem")
TYPE = re.compile(
    r"^[ \t]*(?P<access>private |fileprivate )?(?:public |package |final )*(?:struct|enum|class|actor) (?P<name>\w+)"
    r"(?:<[^>{]*>)?: (?P<conformances>[^{]*)\{", re.M)
# Each with the reason why it has another name.
OTHERS = {
    "ReceiptRejection": "a rejected receipt is a value, which is stored, sent and documented by this word",
    "NotificationRejection": "the same, of a notification",
    "FolderInUse": "of the client's public interface: a state that an app tells its player",
    "NoAccount": "the same", "SignedOut": "the same", "SpendPending": "the same",
    "Failure": "ZstdPatchDecoder.Failure, of the client's public interface",
    "SearchError": "what was typed, which the page of the search explains in its place",
    "UnreadableContent": "of the example: the game says it and goes on",
    "LedgerDifference": "what a check found; nobody throws it",
    "RefusedInGroup": "ends a group of writes, and reaches no caller",
    "RolledBackWrite": "the same, with what was written",
    "NotATransaction": "ends the reading of an entry, and reaches no caller",
}


def functions(source, name):
    """Whether each has a name of that form, with its line and name."""
    return [name.fullmatch(each.name) and (each.line, each.name) for each, _ in walk(source.declared)
            if each.kind == "func"]


def vague(sources):
    return each_of(sources, lambda source: functions(source, VAGUE))


def note(sources):
    """For whoever renames them: some are the right word, such as for a margin note, so that none is too many."""
    places = each_of(sources, lambda source: functions(source, re.compile(r"note\w+"))).places
    return Result(places, len(places), len(places))


def old(sources):
    def look(source):
        for declaration, _ in walk(source.declared):
            if declaration.kind in DECLARED:
                words = {word.lower() for word in WORDS.findall(declaration.name)}
                is_old = declaration.name not in WIRE and (words & OLD.keys() or LIMIT.match(declaration.name))
                yield is_old and (declaration.line, declaration.name)

    # An example's own words are its own.
    return each_of([each for each in sources if not each.path.startswith("examples/")], look)


def outside_families(sources):
    """Types within the module or wider: what is private ends a loop, and reaches nobody."""
    def look(source):
        for match in TYPE.finditer(source.mask):
            conformances = re.split(r"[,&\s]+", match["conformances"])
            if not match["access"] and {"Error", "LocalizedError"} & set(conformances):
                is_outside = not match["name"].endswith(FAMILIES) and match["name"] not in OTHERS
                yield is_outside and (source.mask[:match.start("name")].count("\n") + 1, match["name"])

    return each_of(sources, look)


def display_name(text, mask, declaration):
    """The sentence in `@Test("…")`, where what follows it begins, and where the attribute ends; or None."""
    if declaration.kind != "func" or declaration.attributes[:1] != ["Test"]:
        return None
    head = re.compile(r'@Test\(\s*"(?P<blank>[^"]*)"(?:\s*,)?').match(mask, declaration.start)
    if head is None:
        return None
    # A comment is blank in the mask.
    rest = re.compile(r"\s*").match(text, head.end()).end()
    return text[head.start("blank"):head.end("blank")], rest, closing(mask, declaration.start + len("@Test"))


def twice(sources):
    """Tests with two names, `@Test("A sentence") func aSentence()`; the one of @Test func `A sentence`() is enough."""
    return each_of(sources, lambda source: [
        display_name(source.text, source.mask, each) and (each.line, each.name)
        for each, _ in walk(source.declared) if "Test" in each.attributes])
