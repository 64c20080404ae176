"""What scripts/docs/newcomer.py counts."""

import pytest

import markdown
import newcomer
from conftest import ROOT
from failure import Failure


@pytest.mark.parametrize("text, expected", [
    ("a\n", ["a"]),
    ("a b\nc\n", ["a b", "c"]),
    ("a |\n  b | c\n", ["a |\n  b | c"]),
    ("a \\\n  --b\n", ["a \\\n  --b"]),
    ("jq '{a: 1,\n     b: 2}' file | curl -d @-\n", ["jq '{a: 1,\n     b: 2}' file | curl -d @-"]),
    ('curl "$(curl a \\\n    b)"\n', ['curl "$(curl a \\\n    b)"']),
])
def test_a_pipeline_is_one_command(text, expected):
    assert newcomer.commands(text) == expected


@pytest.mark.parametrize("text", ["a && b\n", "a; b\n", "a |\n", "a 'b\n"])
def test_what_hides_a_command_is_refused(text):
    with pytest.raises(Failure):
        newcomer.commands(text)


def test_the_first_chapter_of_the_tutorial_serves_and_ends_with_the_pack():
    blocks = newcomer.first_chapter(markdown.read(ROOT / newcomer.PAGE))
    assert [block.rest for block in blocks if block.language == "sh"].count("serve") == 1
    assert blocks[-1].text == (
        "anchor\tHolds a ship where it is\nbeacon\tA light to steer by\n"
        "cargo\tWhat a ship is paid for\ndepot\tWhere supplies wait\n")
