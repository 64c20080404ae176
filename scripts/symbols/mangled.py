"""The names of symbols and types as people write them, from what `swift-demangle` prints."""

import re
import subprocess

NOMINAL = {"Structure", "Enum", "Class", "Protocol", "TypeAlias"}
# Their symbol graphs say Swift.
PARTS_OF_SWIFT = {"_Concurrency", "_StringProcessing"}


def simple_name(usr, demangled):
    """`URL.resourceValues(forKeys:)`: without `static`, generic parameters and, for cases, what they hold. That of C."""
    if usr.startswith("c:"):
        return re.sub(r"@FI@", ".", usr).split("@")[-1]
    name = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", demangled.removeprefix("static ")))
    return name.split("(")[0] if usr.endswith("mF") else name


def types_in(tree):
    """The types, as (module, name, …), in a tree of `swift-demangle -tree-only`."""
    root = node = ("", "", [])
    path = [node]
    for line in tree.splitlines():
        if match := re.match(r'( *)kind=(\w+)(?:, text="(.*)")?$', line):
            node = (match[2], match[3], [])
            del path[len(match[1]) // 2 + 1:]
            path[-1][2].append(node)
            path.append(node)
    found = set()
    collect_types(root, found)
    return found


def collect_types(node, found):
    kind, _, children = node
    if kind in NOMINAL:
        found.add(path_of(node))
    if kind == "DependentAssociatedTypeRef" and len(children) == 2:
        name, protocol = children
        found.add((*path_of(protocol), *path_of(name)))
    for child in children:
        collect_types(child, found)


def path_of(node):
    kind, text, children = node
    if kind in ("Module", "Identifier"):
        return (text,)
    if kind == "Extension":
        return path_of(children[1])
    if kind.startswith("BoundGeneric") or kind == "Type":
        return path_of(children[0])
    if kind in NOMINAL:
        module, *names = path_of(children[0])
        return ("Swift" if module in PARTS_OF_SWIFT else module, *names, *path_of(children[-1]))
    # A private name ends with itself; what is local in a function, with its module.
    return path_of(children[-1 if kind == "PrivateDeclName" else 0])


def demangle(mangled, *options):
    text = "".join(f"{name}\n" for name in mangled)
    return subprocess.run(
        ["swift-demangle", *options], input=text, text=True, capture_output=True, check=True).stdout


def names_of(every):
    """The name of each USR, and the types in each mangled type."""
    types = sorted(mangled for mangled in every if mangled.startswith("$s"))
    trees = demangle(types, "-tree-only").split("Demangling for ")[1:]
    usrs = sorted(every.difference(types))
    names = demangle([re.sub("^s:", "$s", usr) for usr in usrs], "-simplified", "-compact").splitlines()
    return dict(zip(types, map(types_in, trees), strict=True)) | {
        usr: simple_name(usr, name) for usr, name in zip(usrs, names, strict=True)}
