"""Versions of Apple's systems, as `@available` has them."""

import re

# visionOS begins with what iOS 17.1 has; what is declared for iOS alone is there in the visionOS of the same year.
VISION_OF_IOS = [((26,), lambda version: version), ((18,), lambda version: (2, *version[1:])),
                 ((17, 5), lambda _: (1, 2)), ((17, 2), lambda _: (1, 1)), ((), lambda _: (1,))]


def version_of(text):
    """18 and 18.0 are the same."""
    return normal(int(part) for part in text.split("."))


def normal(parts):
    parts = [*parts]
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def text_of(version):
    return ".".join(map(str, version if len(version) > 1 else (*version, 0)))


def introduced(versions, system):
    """The version of the system from a dictionary by systems; that of visionOS follows from the one of iOS, as for the
    compiler. `None` if there is none."""
    if system in versions:
        return versions[system]
    if system == "visionOS" and versions.get("iOS"):
        ios = versions["iOS"]
        return next(vision(ios) for since, vision in VISION_OF_IOS if ios >= since)
    return None


def minimums(manifest):
    """The oldest systems that the manifest of a package names: `platforms: [.iOS(.v17), .macOS("15.4")]`."""
    [platforms] = re.findall(r"^ +platforms: \[(.*)\]", manifest, re.MULTILINE)
    found = re.findall(r'\.(\w+)\((?:\.v([\d_]+)|"([\d.]+)")\)', platforms)
    return {system: version_of((case or text).replace("_", ".")) for system, case, text in found}
