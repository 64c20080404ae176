"""What Apple's library reads in signed data, beside what was signed."""

import attrs


def same_members(checks, decoded, values, what):
    """Every member that was signed is one that the library knows, with the very value."""
    known = attrs.asdict(decoded, recurse=False)
    for name, value in values.items():
        found = known.get("raw" + name[0].upper() + name[1:], known.get(name))
        if attrs.has(type(found)):
            same_members(checks, found, value, f"{what}: {name}")
        else:
            checks.equal(getattr(found, "value", found), value, f"{what}: {name}")
