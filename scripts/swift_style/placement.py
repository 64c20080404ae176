"""A folder can be taken in at a glance, no file of the simulated App Store is taken for another, and what is one
store's stands in one folder, so that a second store can stand beside it."""

import re
from collections import Counter
from pathlib import PurePosixPath

from . import Result, each_of

MAXIMUM_FILES = 25
# The files that may import a module: these, and those in these folders.
ALLOWED = {
    "AppStore": ("Sources/AppStore/", "Sources/AppStoreService/", "Sources/ServerCore/Settings/AppStoreSettings.swift"),
    "AppStoreSimulator": (
        "Sources/AppStoreSimulator/", "Sources/AppStoreService/", "Sources/CommandLine/SimulatorCommand.swift",
        "Sources/QuartermasterServer/Assembly.swift"),
}
IMPORT = re.compile(r"^[^\S\n]*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
                    r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)", re.MULTILINE)


def simulated_twins(sources):
    """Who looks for a type by its file should not find the simulated App Store's instead."""
    simulated, others = [], set()
    for source in sources:
        if source.target == "Sources/AppStoreSimulator":
            simulated.append(source.path)
        elif source.target.startswith("Sources/") and source.target != "Sources/QuartermasterClient":
            others.add(PurePosixPath(source.path).name)
    places = [(path, 0, PurePosixPath(path).name) for path in simulated if PurePosixPath(path).name in others]
    return Result(places, len(simulated))


def large_folders(sources):
    count = Counter(PurePosixPath(source.path).parent.as_posix() for source in sources)
    places = [(folder, 0, f"{files} files") for folder, files in sorted(count.items()) if files > MAXIMUM_FILES]
    return Result(places, len(count))


def of_stores(sources):
    def look(source):
        for match in IMPORT.finditer(source.mask):
            if match[1] in ALLOWED:
                is_outside = not source.path.startswith(ALLOWED[match[1]])
                yield is_outside and (source.mask.count("\n", 0, match.start(1)) + 1, f"imports {match[1]}")

    return each_of(sources, look)
