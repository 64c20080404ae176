"""What is signed anew: by a forger, or with a key that both were told to trust and not as the store signs."""

import json
from base64 import b64encode

from authority import Chain
from claims import CLAIMS, ODD_VALUES, registered
from headers import HEADERS

YEAR = 365 * 86_400_000  # milliseconds


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


class SignedMutations:
    # MARK: - Signed anew

    def make_signed_under_another_root(self, parts):
        return self.foreign.store.signed(self.payload(parts))

    def make_signed_with_another_key(self, parts):
        """The store's certificates and somebody else's signature."""
        stores = Chain(self.foreign.store.key, [])
        return stores.signed(self.payload(parts), self.header(parts))

    def make_foreign_signer_below_the_stores_certificates(self, parts):
        certificates = [*self.header(parts)["x5c"]]
        certificates[0] = b64encode(self.foreign.store.certificates[0]).decode()
        chain = Chain(self.foreign.store.key, [])
        return chain.signed(self.payload(parts), {"alg": "ES256", "x5c": certificates})

    def make_signed_by_a_trusted_chain(self, parts):
        """Again to see that not everything is refused."""
        return self.trusted.store.signed(self.payload(parts))

    def make_odd_chain(self, parts):
        name = self.generator.choice(sorted(self.chains))
        chain = self.chains[name]
        return name, chain.signed(self.payload(parts), chain.header())

    def make_trusted_header(self, parts):
        members = self.generator.choice(HEADERS)
        header = self.trusted.store.header(**members)
        return json.dumps(members)[:40], self.trusted.store.signed(self.payload(parts), header)

    def make_trusted_header_with_a_member_twice(self, parts):
        text, name = json.dumps(self.trusted.store.header()), self.generator.choice(("alg", "x5c"))
        other = json.dumps({"alg": "none", "x5c": []}[name])
        first = self.generator.choice((True, False))
        text = twice(text, name, other, first)
        place = "wrong one first" if first else "wrong one last"
        return f"{name}, {place}", self.trusted.store.signed(self.payload(parts), text.encode())

    def make_trusted_claim_twice(self, parts):
        payload, name = self.payload(parts), self.generator.choice(sorted(CLAIMS))
        first = self.generator.choice((True, False))
        payload.setdefault(name, CLAIMS[name])
        text = twice(json.dumps(payload), name, json.dumps(CLAIMS[name]), first)
        return f"{name}, {'first' if first else 'last'}", self.trusted.store.signed(text.encode())

    def make_trusted_claim(self, parts):
        payload, name = self.payload(parts), self.generator.choice(sorted(CLAIMS))
        value = self.generator.choice((CLAIMS[name], *ODD_VALUES))
        payload[name] = value
        return f"{name} {json.dumps(value)[:20]}", self.trusted.store.signed(payload)

    def make_trusted_claim_left_out(self, parts):
        payload = self.payload(parts)
        name = self.generator.choice(sorted(payload))
        del payload[name]
        return name, self.trusted.store.signed(payload)

    def make_trusted_registered_claim(self, parts):
        name, claims = self.generator.choice(list(registered()))
        return name, self.trusted.store.signed({**self.payload(parts), **claims})

    def make_trusted_date(self, parts):
        payload, years = self.payload(parts), self.generator.choice((-60, -10, -2, -0.001, 0.00000001, 0.01, 1, 9_000))
        payload["signedDate"] += int(years * YEAR)
        return f"signed {years} years from now", self.trusted.store.signed(payload)

    def make_trusted_text(self, parts):
        variants = odd_texts(json.dumps(self.payload(parts)).encode())
        name = self.generator.choice(sorted(variants))
        return name, self.trusted.store.signed(variants[name])

    def make_trusted_header_text(self, parts):
        variants = odd_texts(json.dumps(self.trusted.store.header()).encode())
        name = self.generator.choice(sorted(variants))
        return name, self.trusted.store.signed(self.payload(parts), variants[name])
