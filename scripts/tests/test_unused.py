"""What looks for code that only tests call."""

import pytest

import unused
from index_store import ACCESSOR_OF, CHILD_OF, OVERRIDE_OF, Symbol

LEDGER, TESTS, PLUGIN = "Sources/Ledger/Ledger.swift", "Tests/LedgerTests/LedgerTests.swift", "Plugins/Gift/Gift.swift"


def symbols(*found):
    return {symbol.usr: symbol for symbol in found}


def symbol(name, *references, kind="method", file=LEDGER, **members):
    return Symbol(f"s:{name}", name, kind, file, 1, references=set(references), **members)


def names(found):
    return sorted(each.name for each in found)


@pytest.mark.parametrize("reference", [
    (LEDGER, "s:route"), (PLUGIN, "s:route"), ("examples/gazette/main.swift", ""), (LEDGER, "")])
def test_what_the_product_refers_to_is_used(reference):
    assert names(unused.unused(symbols(symbol("post", reference)))) == []


@pytest.mark.parametrize("references", [[], [(TESTS, "s:test")], [(LEDGER, "s:post")],
    [(TESTS, ""), (LEDGER, "s:post")]])
def test_what_nothing_or_a_test_or_itself_refers_to_is_unused(references):
    assert names(unused.unused(symbols(symbol("post", *references)))) == ["post"]


@pytest.mark.parametrize("kind", sorted(unused.CODE))
def test_every_kind_of_code_is_looked_at(kind):
    assert names(unused.unused(symbols(symbol("post", kind=kind)))) == ["post"]


def test_what_only_unused_code_calls_is_unused_too():
    found = symbols(
        symbol("first", (TESTS, "s:test")), symbol("second", (LEDGER, "s:first")),
        symbol("third", (LEDGER, "s:second")),
        symbol("other", (LEDGER, "s:route")))
    assert names(unused.unused(found)) == ["first", "second", "third"]


def test_what_is_kept_is_used_and_so_is_what_it_calls():
    found = symbols(symbol("count", (TESTS, "")), symbol("lock", (LEDGER, "s:count")))
    assert names(unused.unused(found, [f"{LEDGER} count"])) == []
    assert names(unused.unused(found, [f"{LEDGER} *"])) == []
    assert names(unused.unused(found, [f"{PLUGIN} count"])) == ["count", "lock"]


@pytest.mark.parametrize("each", [
    symbol("get", related={"s:balance": ACCESSOR_OF}), symbol("run", related={"s:protocol": OVERRIDE_OF | CHILD_OF}),
    symbol("CodingKeys", kind="enum"), symbol("test", file=TESTS), symbol("value", kind="enum case"),
    # Only encoded, and named nowhere.
    symbol("title", kind="property"),
])
def test_what_is_reached_without_its_name_is_no_finding(each):
    assert names(unused.unused(symbols(each))) == []


def test_a_property_that_only_a_test_reads_and_a_member_are_findings():
    found = symbols(symbol("count", (TESTS, ""), kind="property"), symbol("post", related={"s:Ledger": CHILD_OF}))
    assert names(unused.unused(found)) == ["count", "post"]


def test_what_the_client_declares_public_is_for_apps(monkeypatch, tmp_path):
    file = f"{unused.CLIENT}Account.swift"
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text("public func shown() {}\nfunc hidden() {}\nfunc published() {}\n")
    monkeypatch.chdir(tmp_path)
    found = [symbol(name, file=file) for name in ("shown()", "hidden()", "published()", "gone()")]
    for line, each in enumerate(found, 1):
        each.line = line
    assert names(unused.unused(symbols(*found))) == ["gone()", "hidden()", "published()"]


def test_a_reason_is_needed_and_one_that_nothing_needs_is_a_mistake():
    found = symbols(symbol("count", (TESTS, "")), symbol("post", (LEDGER, "s:route")))
    assert unused.complaints(found, {f"{LEDGER} count": "why"}) == []
    assert unused.complaints(found, {}) == [f"{LEDGER}:1: no code of the product refers to the method count"]
    assert unused.complaints(found, {f"{LEDGER} count": "why", f"{LEDGER} post": "why", f"{LEDGER} gone": "why"}) == [
        f"unused.txt: {LEDGER} post is used, or gone", f"unused.txt: {LEDGER} gone is used, or gone"]


def test_reasons_are_read_by_file_and_name():
    text = f"# A comment: none\n\n{LEDGER} init(duration:group:): made in code: not read\n{PLUGIN} *: all\n"
    assert unused.reasons_in(text) == {f"{LEDGER} init(duration:group:)": "made in code: not read",
        f"{PLUGIN} *": "all"}
