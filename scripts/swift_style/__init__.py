"""The rules of scripts/check_style.py. Each takes all sources and gives a Result."""

from dataclasses import dataclass


@dataclass
class Result:
    # (file, line, name)
    places: list
    # How many were looked at.
    total: int
    maximum: int = 0
