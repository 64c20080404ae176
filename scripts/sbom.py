#!/usr/bin/env python3
"""Writes a bill of materials, SPDX 2.3 as JSON, of what a build resolved: the packages of Package.resolved, and Swift.

    scripts/sbom.py --version 1.2.0 --revision COMMIT --source https://… --created 2026-12-01T00:00:00Z --swift 6.3

Swift's own libraries are linked into the program; those of the system (SQLite, libpq, libxml2, zstd, zlib) are not, and
are what the machine or the image has.
"""

import argparse
import json
import re
import sys
from pathlib import Path

RESOLVED = Path(__file__).resolve().parents[1] / "Package.resolved"
FORMATS = (2, 3)  # Of Package.resolved.


def package(name, version, location, url=None):
    """A package of the document; without a purl if it is not fetched from a URL."""
    references = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                   "referenceLocator": purl(url, version)}] if url else []
    return {"SPDXID": f"SPDXRef-Package-{re.sub('[^A-Za-z0-9.-]', '-', name)}", "name": name, "versionInfo": version,
            "downloadLocation": location, "filesAnalyzed": False, "externalRefs": references}


def purl(url, version):
    """As https://github.com/package-url/purl-spec has it for packages of Swift."""
    return f"pkg:swift/{bare(url).removeprefix('https://')}@{version}"


def bare(url):
    return url.rstrip("/").removesuffix(".git")


def dependency(pin):
    """A branch has no version: there the commit stands for it."""
    state = pin["state"]
    return package(pin["identity"], state.get("version") or state["revision"],
                   f"git+{bare(pin['location'])}@{state['revision']}", pin["location"])


def bill(resolved, arguments):
    if resolved["version"] not in FORMATS:
        raise ValueError(f"Package.resolved has format {resolved['version']}, which nobody has read yet")
    own = package("quartermaster", arguments.version, f"git+{bare(arguments.source)}@{arguments.revision}",
                  arguments.source)
    swift = package("swift", arguments.swift, "https://www.swift.org/install/")
    others = [swift, *map(dependency, sorted(resolved["pins"], key=lambda pin: pin["identity"]))]
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"quartermaster-{arguments.version}",
        "documentNamespace": f"{bare(arguments.source)}/sbom/{arguments.version}/{arguments.revision}",
        "creationInfo": {"created": arguments.created, "creators": ["Tool: scripts/sbom.py"]},
        "packages": [own, *others],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own["SPDXID"]},
            *({"spdxElementId": own["SPDXID"], "relationshipType": "DEPENDS_ON", "relatedSpdxElement": each["SPDXID"]}
              for each in others)],
    }


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("version", "revision", "source", "created", "swift"):
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args(words)
    json.dump(bill(json.loads(RESOLVED.read_text(encoding="utf-8")), arguments), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
