"""The texts and bytes of an altered receipt: odd JSON, odd base64url, signatures of other numbers."""

import string
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode

# In the order of their values (RFC 4648 §5).
ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
# The order of P-256: a signature with n - s is as good as one with s.
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def base64url(data):
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(part):
    return urlsafe_b64decode(part + "=" * (-len(part) % 4))


def base64_variants(part):
    """What a lenient reader may take for the same bytes, and what looks like it."""
    last = ALPHABET.index(part[-1])
    return {
        "padded": part + "=" * (-len(part) % 4 or 4), "standard alphabet": b64encode(decoded(part)).decode(),
        "line break inside": part[:76] + "\n" + part[76:], "line break at the end": part + "\n",
        "space inside": part[:10] + " " + part[10:], "unused bits": part[:-1] + ALPHABET[last ^ 1],
        "one character more": part + "A", "other letters": part.swapcase()}


def signature_variants(signature):
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    numbers = {
        "n - s": (r, ORDER - s), "n - r": (ORDER - r, s), "zero": (0, 0), "r zero": (0, s), "s zero": (r, 0),
        "one": (1, 1), "r = n": (ORDER, s), "s = n": (r, ORDER), "exchanged": (s, r), "most": (2**256 - 1,) * 2}
    return {
        **{name: r.to_bytes(32, "big") + s.to_bytes(32, "big") for name, (r, s) in numbers.items()},
        "too short": signature[:-1], "too long": signature + b"\0", "half": signature[:32],
        "twice": signature * 2, "wider": b"\0" + signature[:32] + b"\0" + signature[32:]}


def twice(text, name, other, first):
    """An object with one more member of the name, before or after all others."""
    return f'{{"{name}": {other}, {text[1:]}' if first else f'{text[:-1]}, "{name}": {other}}}'


def odd_texts(text):
    """JSON that is none, or not to the letter, or odd and good."""
    def member(value):
        return text[:-1] + b', "odd": ' + value + b"}"

    return {
        "an array": b"[" + text + b"]", "nothing": b"", "a number": b"1", "null": b"null", "cut": text[:-1],
        "more after it": text + b"{}", "a byte order mark": b"\xef\xbb\xbf" + text,
        "UTF-16": text.decode().encode("utf-16"), "UTF-32": text.decode().encode("utf-32-le"),
        "bytes that are no UTF-8": member(b'"\xff"'), "an overlong character": member(b'"\xc0\x80"'),
        "half a character": member(b'"\xc3"'), "a surrogate in UTF-8": member(b'"\xed\xa0\x80"'),
        "a lone surrogate": member(b'"\\ud800"'), "a line break in a string": member(b'"\n"'),
        "a zero in a string": member(b'"\0"'), "an unknown escape": member(b'"\\x"'),
        "a short escape": member(b'"\\u12"'),
        "a comma too many": text[:-1] + b",}", "a comma too many in an array": member(b"[1,]"),
        "a comma alone": member(b"[,]"), "a leading zero": member(b"01"), "a plus": member(b"+1"),
        "no digit after the point": member(b"1."), "no digit before the point": member(b".5"),
        "no exponent": member(b"1e"), "hexadecimal": member(b"0x1"), "a number of 40 digits": member(b"1" * 40),
        "a number of 5,000 digits": member(b"1" * 5_000), "1e999": member(b"1e999"), "NaN": member(b"NaN"),
        "Infinity": member(b"-Infinity"), "True": member(b"True"), "nul": member(b"nul"), "a comment": member(b"/**/1"),
        "single quotes": member(b"'x'"), "a name without quotes": text[:-1] + b", odd: 1}",
        "100 arrays deep": member(b"[" * 100 + b"]" * 100), "400 arrays deep": member(b"[" * 400 + b"]" * 400),
        "1,500 arrays deep": member(b"[" * 1_500 + b"]" * 1_500), "white space": b" \n" + text + b"\n ",
        "an odd space": b"\x0b" + text, "twice in an object": member(b'{"a": 1, "a": 2}')}
