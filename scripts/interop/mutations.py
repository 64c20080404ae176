"""Altered receipts: what a forger would try, drawn from a seeded generator."""

import hmac
import json
from base64 import b64decode, b64encode
from hashlib import sha256

from authority import Chain
from claims import CLAIMS, HEADERS, ODD_VALUES, registered
from comparison import Mutant
from odd_chains import odd_chains
from texts import ALPHABET, base64_variants, base64url, decoded, odd_texts, signature_variants, twice

YEAR = 365 * 86_400_000  # milliseconds


class Mutations:
    """A generator of each kind, all of which take a valid receipt and give an altered one."""

    def __init__(self, generator, originals, trusted, foreign):
        self.generator, self.originals, self.trusted, self.foreign = generator, originals, trusted, foreign
        self.chains = dict(odd_chains(trusted))
        self.kinds = {
            name.removeprefix("make_"): getattr(self, name) for name in sorted(dir(self)) if name.startswith("make_")}

    def draw(self, count):
        """As many of each kind; the odd chains, of which each is another thing, several times."""
        names = [name for name in self.kinds for _ in range(6 if name == "odd_chain" else 1)]
        for number in range(count):
            name = names[number % len(names)]
            environment, jws = self.generator.choice(self.originals)
            answer = self.kinds[name](jws.split("."))
            detail, text = answer if isinstance(answer, tuple) else ("", answer)
            yield Mutant(f"{name.replace('_', ' ')}{detail and ': '}{detail}", text, environment)

    def payload(self, parts):
        return json.loads(decoded(parts[1]))

    def header(self, parts):
        return json.loads(decoded(parts[0]))

    # MARK: - Bytes and characters

    def make_original(self, parts):
        """Nothing altered: that not everything is refused."""
        return ".".join(parts)

    def make_bit_flipped(self, parts):
        number = self.generator.randrange(3)
        data = bytearray(decoded(parts[number]))
        data[self.generator.randrange(len(data))] ^= 1 << self.generator.randrange(8)
        return ("header", "payload", "signature")[number], self.joined(parts, number, base64url(bytes(data)))

    def make_character_changed(self, parts):
        text = list(".".join(parts))
        text[self.generator.randrange(len(text))] = self.generator.choice(ALPHABET)
        return "".join(text)

    def make_character_inserted(self, parts):
        text = ".".join(parts)
        place = self.generator.randrange(1, len(text))
        odd = self.generator.choice(ALPHABET + ".=+/ \n\t%\u00e9\u0000")
        return repr(odd) if odd not in ALPHABET else "", text[:place] + odd + text[place:]

    def make_cut(self, parts):
        text = ".".join(parts)
        start, end = sorted(self.generator.sample(range(len(text) + 1), 2))
        return self.generator.choice((text[:end] or ".", text[start:] or ".", text[:start] + text[end:]))

    def make_parts_exchanged(self, parts):
        other = self.generator.choice(self.originals)[1].split(".")
        number = self.generator.randrange(3)
        return self.joined(parts, number, other[number])

    def make_parts_rearranged(self, parts):
        many = [*parts, "", base64url(b"{}")]
        return ".".join(self.generator.choice(many) for _ in range(self.generator.randrange(1, 6)))

    def make_base64_variant(self, parts):
        number = self.generator.randrange(3)
        variants = base64_variants(parts[number])
        name = self.generator.choice(sorted(variants))
        return name, self.joined(parts, number, variants[name])

    # MARK: - Signatures

    def make_signature(self, parts):
        variants = signature_variants(decoded(parts[2]))
        name = self.generator.choice(sorted(variants))
        return name, self.joined(parts, 2, base64url(variants[name]))

    def make_no_signature(self, parts):
        header = {**self.header(parts), "alg": self.generator.choice(("none", "None", "ES256"))}
        return self.written(header, parts[1]) + self.generator.choice((".", ".AA", ""))

    def make_signed_by_certificate_as_secret(self, parts):
        header = {**self.header(parts), "alg": "HS256"}
        secret = self.generator.choice(header["x5c"]).encode()
        text = self.written(header, parts[1])
        return f"{text}.{base64url(hmac.digest(secret, text.encode(), sha256))}"

    # MARK: - Certificates in the header

    def make_certificates_rearranged(self, parts):
        header = self.header(parts)
        more = [b64encode(der).decode() for der in self.foreign.store.certificates]
        count = self.generator.randrange(6)
        header["x5c"] = self.generator.choices([*header["x5c"], *header["x5c"], *more, "", "AA=="], k=count)
        return self.written(header, parts[1]) + "." + parts[2]

    def make_certificate_altered(self, parts):
        header, number = self.header(parts), self.generator.randrange(3)
        der = bytearray(b64decode(header["x5c"][number]))
        der[self.generator.randrange(len(der))] ^= 1 << self.generator.randrange(8)
        header["x5c"][number] = b64encode(der).decode()
        return self.written(header, parts[1]) + "." + parts[2]

    def make_header_added(self, parts):
        header = {**self.header(parts), **self.generator.choice(HEADERS)}
        return self.written(header, parts[1]) + "." + parts[2]

    # MARK: - Claims

    def make_claim_changed(self, parts):
        payload, name = self.payload(parts), self.generator.choice(sorted(CLAIMS))
        payload[name] = CLAIMS[name]
        return name, self.joined(parts, 1, base64url(json.dumps(payload).encode()))

    # MARK: - Signed anew: by a forger, or with a key that both were told to trust and not as the store signs

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

    @staticmethod
    def joined(parts, number, part):
        return ".".join([*parts[:number], part, *parts[number + 1:]])

    @staticmethod
    def written(header, payload):
        return base64url(json.dumps(header).encode()) + "." + payload
