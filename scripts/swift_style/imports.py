"""What is one store's stands in one folder, so that a second store can stand beside it."""

import re

from . import Result

# The files that may import a module: these, and those in these folders.
ALLOWED = {
    "AppStore": ("Sources/AppStore/", "Sources/QuartermasterServer/AppStore/"),
    "AppStoreSimulator": (
        "Sources/AppStoreSimulator/", "Sources/QuartermasterServer/AppStore/", "Sources/QuartermasterServer/Assembly.swift",
    ),
}
IMPORT = re.compile(r"^[^\S\n]*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
                    r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)", re.MULTILINE)


def of_stores(sources):
    places, total = [], 0
    for source in sources:
        for match in IMPORT.finditer(source.mask):
            module = match[1]
            if module not in ALLOWED:
                continue
            total += 1
            if not source.path.startswith(ALLOWED[module]):
                line = source.mask.count("\n", 0, match.start(1)) + 1
                places.append((source.path, line, f"imports {module}"))
    return Result(places, total)
