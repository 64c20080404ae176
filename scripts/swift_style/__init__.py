"""The rules of scripts/check_style.py. Each takes all sources and gives a Result."""

from dataclasses import dataclass


@dataclass
class Result:
    # (file, line, name)
    places: list
    # How many were looked at.
    total: int
    maximum: int = 0


def each_of(sources, look):
    """The Result of what `look` gives for a source: for each thing that counts, its line and name where it is wrong."""
    looked = [(source.path, wrong) for source in sources for wrong in look(source)]
    return Result([(path, *wrong) for path, wrong in looked if wrong], len(looked))
