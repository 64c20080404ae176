"""What compares the symbols that the client uses with the oldest systems that the package supports."""

import pytest

import mangled
from ast_dump import NEVER, Reader, Use
from availability import Graphs, Judge, rows_of
from failure import Failure
from systems import introduced, minimums, normal, version_of

NEXT, OURS = "s:ScS8IteratorV4next9isolation", "s:19QuartermasterClient4ShopV3buyyyF"
MINIMUM = {"iOS": (17,), "macOS": (15,), "visionOS": (1,)}


# MARK: - Where a symbol is used

def use(usr=NEXT, start=7):
    return {"_kind": "declref_expr", "range": {"start": start, "end": start}, "decl": {"_kind": "decl_ref",
            "base_name": "next", "decl_usr": usr, "type_usr": ""}}


def asks(**versions):
    queries = [{"_kind": "availability_spec", "domain": domain, "version": text} for domain, text in versions.items()]
    return {"_kind": "#available", "queries": [*queries, {"_kind": "availability_spec", "domain": "*"}]}


def attribute(domain, introduced=None, **members):
    return {"_kind": "available_attr", "domain": domain, **({"introduced": introduced} if introduced else {}), **members}


def function(*elements, attrs=()):
    return {"_kind": "func_decl", "usr": OURS, "range": {"start": 1}, "attrs": list(attrs),
            "body": {"_kind": "brace_stmt", "elements": list(elements)}}


def conditional(kind, *conditions, **parts):
    return {"_kind": kind, "conditions": list(conditions), **parts}


def block(*elements):
    return {"_kind": "brace_stmt", "elements": list(elements)}


def reached(dump, system="iOS"):
    """From which versions each symbol is reached."""
    found = {}
    for each in Reader(dump, system, MINIMUM[system]).uses:
        found.setdefault(each.mangled, set()).add(each.version)
    return found


def test_a_use_is_reached_on_the_oldest_system():
    reader = Reader(function(use()), "iOS", (17,))
    assert [(each.mangled, each.offset, each.version) for each in reader.uses] == [(NEXT, 7, (17,))]
    assert reader.declared == {OURS}


def test_types_are_uses():
    dump = {"_kind": "var_decl", "usr": OURS, "range": {"start": 3}, "interface_type": "$sScSySiGD"}
    [found] = Reader(dump, "iOS", (17,)).uses
    assert found.is_type and (found.mangled, found.offset) == ("$sScSySiGD", 3)


@pytest.mark.parametrize("attrs, system, version", [
    ([attribute("iOS", "18")], "iOS", (18,)),
    ([attribute("iOS", "16.4")], "iOS", (17,)),
    ([attribute("iOS", "18"), attribute("macOS", "15.4")], "macOS", (15, 4)),
    ([attribute("macOS", "26")], "iOS", (17,)),
    # visionOS goes with iOS where it is not named.
    ([attribute("iOS", "18.2")], "visionOS", (2, 2)),
    ([attribute("iOS", "18"), attribute("visionOS", "2.4")], "visionOS", (2, 4)),
    ([attribute("visionOS", unavailable=True)], "visionOS", NEVER),
    ([attribute("visionOS", unavailable=True)], "iOS", (17,)),
    ([attribute("*", unavailable=True)], "iOS", NEVER),
])
def test_a_declaration_says_from_when_it_is_reached(attrs, system, version):
    assert reached(function(use(), attrs=attrs), system) == {NEXT: {version}}


def test_the_newest_declaration_around_a_use_counts():
    inner = function(use(), attrs=[attribute("iOS", "17.4")])
    assert reached(function(inner, attrs=[attribute("iOS", "18")])) == {NEXT: {(18,)}}


def test_a_guard_holds_for_what_comes_after_it():
    guard = conditional("guard_stmt", asks(iOS="18.0"), use("s:condition"), body=block(use("s:otherwise")))
    assert reached(function(use("s:before"), guard, use("s:after"))) == {
        "s:before": {(17,)}, "s:condition": {(18,)}, "s:otherwise": {(17,)}, "s:after": {(18,)}}
    assert reached(function(function(guard), use("s:after")))["s:after"] == {(17,)}


def test_an_if_holds_inside_of_it():
    whether = conditional("if_stmt", use("s:first"), asks(iOS="18.0"), then_stmt=block(use("s:then")),
                          else_stmt=block(use("s:else")))
    assert reached(function(whether, use("s:after"))) == {
        "s:first": {(17,)}, "s:then": {(18,)}, "s:else": {(17,)}, "s:after": {(17,)}}
    assert reached(function(whether), "macOS")["s:then"] == {(15,)}


def test_which_next_a_loop_calls_is_chosen_by_the_compiler():
    loop = {"_kind": "for_each_stmt", "iterator_var": use("s:iterator"), "next_call": use(), "body": block(use("s:body"))}
    assert reached(function(loop)).keys() == {"s:iterator", "s:body"}


# MARK: - Which systems have it

def symbol(usr, path, kind="method", page=None, **versions):
    available = [{"domain": domain, "isUnconditionallyUnavailable": True} if version is None else
                 {"domain": domain, "introduced": dict(zip(("major", "minor"), version_of(version)))}
                 for domain, version in versions.items()]
    comment = {"docComment": {"lines": [{"text": page}]}} if page else {}
    return {"identifier": {"precise": usr}, "kind": {"identifier": f"swift.{kind}"}, "pathComponents": path.split("/"),
            "availability": available, **comment}


GRAPHS = Graphs([
    {"module": {"name": "Swift"}, "symbols": [
        symbol(NEXT, "AsyncStream/Iterator/next(isolation:)", iOS="18.0", macOS="15.0"), symbol("s:Sa", "Array", "struct"),
        symbol("s:span", "Span", "struct", iOS="26.0", macOS="26.0", visionOS="26.0")]},
    {"module": {"name": "FoundationEssentials"}, "symbols": [
        symbol("s:manager", "FileManager", "class"), symbol("s:url", "URL", "struct", iOS="7.0", macOS="10.9")]},
    {"module": {"name": "StoreKit"}, "symbols": [
        symbol("s:buy", "Product/purchase()", page="https://developer.apple.com/x", iOS="15.0", visionOS=None),
        symbol("s:nowhere", "Product/nowhere", iOS="15.0"),
        symbol("s:undated", "Product/undated", page="https://developer.apple.com/x")]},
])
TABLE = rows_of("""
# A comment
name iOS macOS visionOS page
FileManager 2.0 10.0 1.0 documentation/foundation/filemanager
Thing.newer() 17.4 15.0 1.1 documentation/foundation/thing/newer()
Thing.mac() – 10.0 – documentation/foundation/thing/mac()
""")
NAMES = {NEXT: "AsyncStream.Iterator.next(isolation:)", "s:Sa": "Array", "s:buy": "Product.purchase()",
         "s:nowhere": "Product.nowhere", "s:undated": "Product.undated", "s:newer": "Thing.newer()",
         "s:mac": "Thing.mac()", "s:s5_hashV": "_hashValue(for:)", "s:Sb7literal": "Bool.init(_builtinBooleanLiteral:)",
         "s:other": "_hashValue(for:)", "$sspan": {("Swift", "Span")}, "$sours": {("QuartermasterClient", "Shop")},
         "$surl": {("FoundationEssentials", "URL")}, "$smanager": {("FoundationEssentials", "FileManager")},
         "$sother": {("Dispatch", "URL")}}


def findings(name, system="iOS", version=None, used_rows=None):
    judge = Judge(system, GRAPHS, TABLE, NAMES, set() if used_rows is None else used_rows)
    return judge.findings(Use(name, 0, version or MINIMUM[system]))


@pytest.mark.parametrize("name, system, version", [
    (NEXT, "iOS", (18,)), (NEXT, "macOS", None), (NEXT, "visionOS", (2,)), (NEXT, "iOS", NEVER),
    ("s:Sa", "iOS", None), ("s:buy", "iOS", None), ("s:newer", "macOS", None), ("s:mac", "macOS", None),
    ("s:s5_hashV", "iOS", None), ("s:Sb7literal", "iOS", None),
    ("$sours", "iOS", None), ("$surl", "iOS", None), ("$smanager", "visionOS", None), ("$sspan", "macOS", (26,)),
])
def test_what_the_system_has_is_no_finding(name, system, version):
    assert findings(name, system, version) == []


@pytest.mark.parametrize("name, system, finding", [
    (NEXT, "iOS", "AsyncStream.Iterator.next(isolation:) needs iOS 18.0, and is reached from 17.0 on"),
    (NEXT, "visionOS", "AsyncStream.Iterator.next(isolation:) needs visionOS 2.0, and is reached from 1.0 on"),
    ("s:buy", "visionOS", "Product.purchase() is not there on visionOS"),
    ("s:buy", "macOS", "Product.purchase(): since when macOS has it is not known"),
    # Written down by hand, without a page of Apple's or without a version.
    ("s:nowhere", "iOS", "Product.nowhere: which systems have it is not known"),
    ("s:undated", "iOS", "Product.undated: which systems have it is not known"),
    ("s:newer", "iOS", "Thing.newer() needs iOS 17.4, and is reached from 17.0 on"),
    ("s:mac", "iOS", "Thing.mac() is not there on iOS"),
    # No graph has it, and no row.
    ("s:other", "iOS", "_hashValue(for:): which systems have it is not known"),
    ("$sother", "iOS", "URL: which systems have it is not known"),
    ("$sspan", "macOS", "Span needs macOS 26.0, and is reached from 15.0 on"),
])
def test_what_the_system_does_not_have_is_a_finding(name, system, finding):
    assert findings(name, system) == [finding]


def test_rows_that_were_looked_up_are_used():
    used_rows = set()
    for name in (NEXT, "s:newer", "$smanager", "$surl"):
        findings(name, used_rows=used_rows)
    assert used_rows == {"Thing.newer()", "FileManager"}


@pytest.mark.parametrize("row", [
    "Thing 1.0 10.0 documentation/foundation/thing", "Thing 1.0 10.0 1.0", "Thing 1.0 10.0 1.0 somewhere",
    "A 1.0 1.0 1.0 documentation/a\nA 2.0 2.0 2.0 documentation/a"])
def test_a_row_has_each_system_and_a_page(row):
    with pytest.raises(Failure):
        rows_of(f"name iOS macOS visionOS page\n{row}\n")


# MARK: - Names and versions

@pytest.mark.parametrize("usr, demangled, name", [
    ("c:@F@flock", "c:@F@flock", "flock"), ("c:@S@statvfs@FI@f_bavail", "", "statvfs.f_bavail"),
    ("s:aF", "static DispatchQueue.global(qos:)", "DispatchQueue.global(qos:)"),
    ("s:aF", "Data.init<A>(from:)", "Data.init(from:)"), ("s:aF", "Set<A<B>>.map<C>(_:)", "Set.map(_:)"),
    ("s:amF", "POSIXErrorCode.ENOSPC(_:)", "POSIXErrorCode.ENOSPC"),
    ("s:aF", "static Comparable.< infix(_:_:)", "Comparable.< infix(_:_:)"),
])
def test_names_are_as_people_write_them(usr, demangled, name):
    assert mangled.simple_name(usr, demangled) == name


def test_types_are_found_in_generic_and_nested_types():
    tree = """$sScS8IteratorVy19QuartermasterClient16DownloadProgressV_GD
kind=Global
  kind=TypeMangling
    kind=Type
      kind=Structure
        kind=BoundGenericStructure
          kind=Type
            kind=Structure
              kind=Module, text="_Concurrency"
              kind=Identifier, text="AsyncStream"
          kind=TypeList
            kind=Type
              kind=Class
                kind=Extension
                  kind=Module, text="Foundation"
                  kind=Structure
                    kind=Module, text="FoundationEssentials"
                    kind=Identifier, text="URL"
                kind=PrivateDeclName
                  kind=Identifier, text="_1234"
                  kind=Identifier, text="Hidden"
        kind=Identifier, text="Iterator"
"""
    assert mangled.types_in(tree) == {
        ("Swift", "AsyncStream"), ("Swift", "AsyncStream", "Iterator"), ("FoundationEssentials", "URL"),
        ("FoundationEssentials", "URL", "Hidden")}


def test_associated_types_are_types_of_their_protocol():
    tree = """$s7FailureSciQzD
kind=Global
  kind=TypeMangling
    kind=Type
      kind=DependentMemberType
        kind=DependentAssociatedTypeRef
          kind=Identifier, text="Failure"
          kind=Type
            kind=Protocol
              kind=Module, text="_Concurrency"
              kind=Identifier, text="AsyncSequence"
"""
    assert mangled.types_in(tree) == {("Swift", "AsyncSequence"), ("Swift", "AsyncSequence", "Failure")}


def test_the_manifest_names_the_oldest_systems():
    manifest = 'let package = Package(\n    platforms: [.iOS(.v17), .macOS("15.4"), .visionOS(.v1), .tvOS(.v18_2)],\n'
    assert minimums(manifest) == {"iOS": (17,), "macOS": (15, 4), "visionOS": (1,), "tvOS": (18, 2)}


@pytest.mark.parametrize("ios, vision", [
    ("13.0", "1.0"), ("17.1", "1.0"), ("17.4", "1.1"), ("17.5", "1.2"), ("18.0", "2.0"), ("18.4", "2.4"), ("26.1", "26.1")])
def test_visionos_follows_ios(ios, vision):
    assert introduced({"iOS": version_of(ios)}, "visionOS") == version_of(vision)
    assert introduced({"iOS": version_of(ios), "visionOS": (9,)}, "visionOS") == (9,)
    assert introduced({"iOS": version_of(ios)}, "macOS") is None


def test_zeros_at_the_end_count_for_nothing():
    assert version_of("18.0") == version_of("18") == normal([18, 0, 0]) and version_of("10.15.4") > version_of("10.15")
