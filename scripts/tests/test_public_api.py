"""What compares the public symbols of the libraries with the lines that are kept of them."""

import pytest

import check_public_api
from check_public_api import check, write
from failure import Failure
from public_api import Changes, lines_of, names_in, path_of

SHOP, BUY, SELL = "actor Shop: Sendable", "func Shop.buy(_ id: String) async", "func Shop.sell()"
OFFER, PRICE, KIND = "struct Offer: Sendable", "let Offer.price: Int", "enum Offer.Kind"


# MARK: - Lines of symbol graphs

def symbol(path, *fragments, kind="method", usr=None, **members):
    """Fragments are `kind:spelling`."""
    parts = [fragment.split(":", 1) for fragment in fragments]
    return {"pathComponents": path.split("/"), "kind": {"identifier": f"swift.{kind}"},
            "identifier": {"precise": usr or f"s:{path}"}, **members,
            "declarationFragments": [{"kind": kind, "spelling": spelling} for kind, spelling in parts]}


def graph(*symbols, relations=()):
    return {"symbols": list(symbols), "relationships": list(relations)}


def conforms(source, target, fallback=None):
    return {"kind": "conformsTo", "source": f"s:{source}", "target": f"s:{target}",
            **({"targetFallback": fallback} if fallback else {})}


def structure(name, *after):
    return symbol(name, "keyword:struct", "text: ", f"identifier:{name.split('/')[-1]}", *after, kind="struct")


@pytest.mark.parametrize("each, line", [
    (symbol("Shop/buy(_:)", "keyword:func", "text: ", "identifier:buy", "text:(", "externalParam:_", "text: ",
            "internalParam:id", "text:: ", "typeIdentifier:String", "text:)"), "func Shop.buy(_ id: String)"),
    (symbol("Shop/Offer/init(_:)", "keyword:init", "text:?(", "internalParam:id", "text:: Int)", kind="init"),
     "init Shop.Offer.init?(id: Int)"),
    (symbol("JSON/subscript(_:)", "keyword:static", "text: ", "keyword:subscript", "text:(name: String) -> JSON"),
     "static subscript JSON.subscript(name: String) -> JSON"),
    (symbol("Shop/<(_:_:)", "keyword:static", "text: ", "keyword:func", "text: ", "identifier:<", "text: ",
            "text:(left: ", "text:`Self`", "text:)"), "static func Shop.< (left: Self)"),
    # The name once, though a default repeats it.
    (symbol("Shop/id", "keyword:var", "text: ", "identifier:id", "text: : Int = ", "identifier:id"),
     "var Shop.id: Int = id"),
    (symbol("buy()", "attribute:@MainActor", "text:\n", "keyword:func", "text: ", "identifier:buy", "text:()"),
     "@MainActor func buy()"),
    (symbol("Bag/open()", "keyword:func", "text: ", "identifier:open", "text:()", swiftExtension={"constraints": [
        {"kind": "sameType", "lhs": "Self.Key", "rhs": "Int"},
        {"kind": "conformance", "lhs": "Item", "rhs": "Sendable"}]}),
     "func Bag.open() [where Item: Sendable, Self.Key == Int]"),
])
def test_a_line_is_the_declaration_with_the_whole_path(each, line):
    assert lines_of([graph(each)]) == [line]


def test_a_type_has_what_it_conforms_to():
    found = graph(structure("Bag", "text:<Item> ", "keyword:where", "text: Item : Sendable"), relations=[
        conforms("Bag", "sendable", "Swift.Sendable"), conforms("Bag", "copyable", "Swift.Copyable"),
        conforms("Bag", "Shop/Sold"), conforms("Other", "hashable", "Swift.Hashable")])
    sold = symbol("Shop/Sold", "keyword:protocol", "text: ", "identifier:Sold", "text: : ", "typeIdentifier:Sendable",
                  kind="protocol")
    others = graph(sold, relations=[conforms("Shop/Sold", "sendable", "Swift.Sendable")])
    assert lines_of([found, others]) == [
        "struct Bag<Item>: Sendable, Shop.Sold where Item: Sendable", "protocol Shop.Sold: Sendable"]


def test_lines_are_sorted_by_path_and_none_is_lost():
    default = symbol("Shop/Z", "keyword:var", "text: ", "identifier:Z", usr="s:default")
    required = symbol("Shop/Z", "keyword:var", "text: ", "identifier:Z")
    relations = [{"kind": "defaultImplementationOf", "source": "s:default", "target": "s:Shop/Z"}]
    found = graph(default, structure("ShopB"), required, structure("Shop"), relations=relations)
    assert lines_of([found, graph(structure("Date/Shop"))]) == [
        "struct Date.Shop", "struct Shop", "var Shop.Z", "var Shop.Z [default]", "struct ShopB"]


@pytest.mark.parametrize("line, path", [
    (SHOP, "Shop"), (BUY, "Shop.buy"), ("struct Bag<Item> where Item: Sendable", "Bag"),
    ("init Shop.Offer.init?(id: Int)", "Shop.Offer.init"), ("convenience init Shop.init()", "Shop.init"),
    ("subscript JSON.subscript(name: String) -> JSON", "JSON.subscript"), ("case Kind.gift(of: Account)", "Kind.gift"),
    ("static func Shop.< (left: Self)", "Shop.<"), ("static func Version.== (left: Self)", "Version.=="),
    ("static func Bound...< (left: Self)", "Bound...<"), ("class func Shop.buy()", "Shop.buy"),
    ("class var Shop.buy: Int { get }", "Shop.buy"), ("@MainActor final class Model: Sendable", "Model"),
    ("var Shop.sale: Int { get }", "Shop.sale"), ("let Shop.letter: Int", "Shop.letter"),
])
def test_a_line_tells_its_path(line, path):
    assert path_of(line) == path


# MARK: - What is gone

@pytest.mark.parametrize("kept, declared, gone, new", [
    ([SHOP, BUY], [SHOP, BUY], [], []),
    ([SHOP], [SHOP, BUY], [], [BUY]),
    ([SHOP, BUY], [SHOP], [BUY], []),
    ([BUY], ["func Shop.buy(_ id: Int) async"], [BUY], ["func Shop.buy(_ id: Int) async"]),
    (["actor Shop: Hashable, Sendable"], [SHOP], ["actor Shop: Hashable, Sendable"], [SHOP]),
    ([BUY, BUY], [BUY], [BUY], []), ([BUY], [BUY, BUY], [], [BUY]),
])
def test_a_changed_symbol_is_gone_and_new(kept, declared, gone, new):
    assert (Changes(kept, declared).gone, Changes(kept, declared).new) == (gone, new)


@pytest.mark.parametrize("kept, declared, names, unnamed", [
    # Added symbols need no name.
    ([], [SHOP, BUY], [], []),
    ([SHOP, BUY], [SHOP], [], ["Shop.buy"]),
    ([SHOP, BUY], [SHOP], ["Shop.buy"], []),
    ([SHOP, BUY], [SHOP, "func Shop.buy()"], [], ["Shop.buy"]),
    # Once, though two of that name are gone.
    ([SHOP, BUY, "func Shop.buy()"], [SHOP], [], ["Shop.buy"]),
    ([SHOP, BUY, SELL], [SHOP], ["Shop.buy"], ["Shop.sell"]),
    # A member alone may be that of another type, and another type's is.
    ([SHOP, BUY], [SHOP], ["buy", "Offer.buy", "Shop", "Shop.buyer", "OtherShop.buy", "shop.buy"], ["Shop.buy"]),
    (["enum WebShop.Kind"], [], ["Shop.Kind"], ["WebShop.Kind"]),
    # A type that is gone takes its members along; one that is there does not.
    ([OFFER, PRICE], [], ["Offer"], []),
    ([OFFER, PRICE], [], [], ["Offer"]),
    ([OFFER, KIND, "case Offer.Kind.gift"], [], [], ["Offer"]),
    ([OFFER, PRICE], [], ["Offer.price"], ["Offer"]),
    ([OFFER, PRICE], ["struct Offer"], ["Offer"], ["Offer.price"]),
    ([OFFER, KIND, "case Offer.Kind.gift"], [OFFER], ["Offer.Kind"], []),
    ([OFFER, KIND, "case Offer.Kind.gift"], [OFFER, KIND], ["Kind.gift"], []),
    # So does one that has another name.
    ([OFFER, PRICE], ["typealias Offer = Deal", "struct Deal: Sendable", "let Deal.price: Int"], [], ["Offer"]),
    # What is added to a type of others is no part of a type that is gone.
    (["var UUID.text: String"], [], ["UUID"], ["UUID.text"]),
])
def test_what_is_gone_has_to_be_named(kept, declared, names, unnamed):
    assert Changes(kept, declared).unnamed(names) == unnamed


CHANGELOG = """# Changelog

`Shop.before` stands before any section.

## [Unreleased]

`Shop.note` applies to all.

### Added

- `Shop.buy(_:)` buys.

#### Libraries

- `Shop.offer` too.

### Changed

- `Shop.sell(_:at:)` and `Offer` are gone, `Bag<Item>` and `Version.==(_:_:)` differ, "`Shop.wrapped`".

### Removed

- `Shop.
  broken` and Shop.plain, `--flag`, `POST /v1/shop`.

## [1.0.0]

### Changed

- `Shop.released` was changed then.
"""


def test_names_are_those_of_unreleased_but_added():
    names = names_in(CHANGELOG)
    assert {"Shop.note", "Shop.sell", "Offer", "Bag", "Version.==", "Shop.wrapped"} <= names
    assert not {name for name in names if name.startswith("Shop.")} - {"Shop.note", "Shop.sell", "Shop.wrapped"}


@pytest.mark.parametrize("text", ["", "# Changelog\n\n## [1.0.0]\n\n### Changed\n\n- `Shop.buy`\n"])
def test_without_a_section_nothing_is_named(text):
    assert names_in(text) == set()


# MARK: - What is said and written

def test_what_is_true_passes(capsys):
    check({"Shops": Changes([SHOP, BUY], [SHOP, BUY])}, set())
    assert "2 symbols of Shops" in capsys.readouterr().out


@pytest.mark.parametrize("kept, declared, names, texts", [
    ([SHOP], [SHOP, BUY], [], [f"+ {BUY}", "make public-api"]),
    ([SHOP, BUY], [SHOP], [], [f"- {BUY}", "CHANGELOG.md", ": Shop.buy\n", "make public-api"]),
    # What is named is still to be written.
    ([SHOP, BUY], [SHOP], ["Shop.buy"], [f"- {BUY}", "make public-api"]),
    ([BUY, SHOP], [SHOP, BUY], [], ["not sorted", "make public-api"]),
    ([SHOP], [SHOP, *(f"func Shop.s{each:02}()" for each in range(45))], [], ["Shop.s39()", "\n5 more\n"]),
])
def test_what_is_not_true_fails_and_says_what_to_do(kept, declared, names, texts):
    with pytest.raises(Failure) as failure:
        check({"Other": Changes([OFFER], [OFFER]), "Shops": Changes(kept, declared)}, names)
    assert [text for text in texts if text not in str(failure.value)] == []
    assert ("CHANGELOG" in str(failure.value)) == ("CHANGELOG.md" in texts) and "Other" not in str(failure.value)


def test_nothing_is_written_before_each_symbol_that_is_gone_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(check_public_api, "KEPT", tmp_path / "public-api")
    every = {"Offers": Changes([], [OFFER]), "Shops": Changes([SHOP, BUY, SELL], [SHOP])}
    with pytest.raises(Failure, match=r"(?s)nothing is written.*: Shop\.sell$"):
        write(every, {"Shop.buy"})
    assert not (tmp_path / "public-api").exists()
    write(every, {"Shop.buy", "Shop.sell"})
    assert {path.name: path.read_text() for path in (tmp_path / "public-api").iterdir()} == {
        "Offers.txt": f"{OFFER}\n", "Shops.txt": f"{SHOP}\n"}
