"""Altered texts: each is what its name says, so that no forgery is tried twice and another not at all."""

import json

import pytest

from texts import ALPHABET, ORDER, base64_variants, base64url, decoded, odd_texts, signature_variants, twice

TEXT = b'{"a": 1}'
# Of the odd texts, those that RFC 8259 takes: of the others a strict reader refuses each.
GOOD = {"a lone surrogate", "a number of 40 digits", "a number of 5,000 digits", "1e999", "white space",
        "twice in an object", "100 arrays deep", "400 arrays deep", "1,500 arrays deep", "an array", "a number", "null"}


def strict(data):
    """Python's reader, without what it takes besides JSON."""
    def refuse(word):
        raise ValueError(word)

    return json.loads(data.decode("utf-8"), parse_constant=refuse, parse_int=str)


@pytest.mark.parametrize("name", sorted(odd_texts(TEXT)))
def test_an_odd_text_is_json_or_is_not_as_its_name_says(name):
    data = odd_texts(TEXT)[name]
    if name in GOOD:
        try:
            strict(data)
        except RecursionError:
            assert name.endswith("arrays deep")
    else:
        with pytest.raises(ValueError):
            strict(data)


def test_odd_texts_are_all_different():
    found = list(odd_texts(TEXT).values())
    assert len({bytes(each) for each in found}) == len(found)
    assert TEXT not in found


@pytest.mark.parametrize("size", [1, 2, 32, 64, 100])
def test_variants_of_base64url_are_not_the_part(size):
    part = base64url(bytes(range(size)))
    assert decoded(part) == bytes(range(size))
    assert part not in base64_variants(part).values()


@pytest.mark.parametrize("data", [b"\xff\xfe" * 40, bytes(range(64)), b"\x01"])
def test_lenient_readers_take_these_variants_for_the_same_bytes(data):
    variants = base64_variants(base64url(data))
    for name in ("padded", "line break inside", "line break at the end", "space inside"):
        assert decoded(variants[name].replace("\n", "").replace(" ", "").rstrip("=")) == data
    if len(data) % 3:
        assert decoded(variants["unused bits"]) == data
    standard = variants["standard alphabet"].translate(str.maketrans("+/", "-_")).rstrip("=")
    assert decoded(standard) == data


def test_the_alphabet_is_in_the_order_of_its_values():
    number = sum(place << 6 * (63 - place) for place in range(64))
    assert base64url(number.to_bytes(48, "big")) == ALPHABET


R, S = 5, 7
SIGNATURE = R.to_bytes(32, "big") + S.to_bytes(32, "big")


@pytest.mark.parametrize("name, r, s", [
    ("n - s", R, ORDER - S), ("n - r", ORDER - R, S), ("zero", 0, 0), ("r zero", 0, S), ("s zero", R, 0), ("one", 1, 1),
    ("r = n", ORDER, S), ("s = n", R, ORDER), ("exchanged", S, R), ("most", 2**256 - 1, 2**256 - 1)])
def test_signatures_have_the_numbers_of_their_names(name, r, s):
    found = signature_variants(SIGNATURE)[name]
    assert (int.from_bytes(found[:32], "big"), int.from_bytes(found[32:], "big"), len(found)) == (r, s, 64)


def test_signatures_of_another_length_have_it():
    found = {name: len(each) for name, each in signature_variants(SIGNATURE).items() if len(each) != 64}
    assert found == {"too short": 63, "too long": 65, "half": 32, "twice": 128, "wider": 66}


def test_a_member_twice_is_first_or_last():
    assert twice('{"a": 1}', "a", "2", True) == '{"a": 2, "a": 1}'
    assert twice('{"a": 1}', "a", "2", False) == '{"a": 1, "a": 2}'
