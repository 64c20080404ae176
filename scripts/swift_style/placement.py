"""A folder can be taken in at a glance, and no file of the simulated App Store is taken for another."""

from collections import Counter
from pathlib import PurePosixPath

from . import Result

MAXIMUM_FILES = 25


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
