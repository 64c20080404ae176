"""Altered receipts: what a forger would try, drawn from a seeded generator."""

import hmac
import json
import string
from base64 import b64decode, b64encode, urlsafe_b64decode
from dataclasses import dataclass
from hashlib import sha256

from appstoreserverlibrary.models.Environment import Environment

from authority import base64url
from claims import CLAIMS
from headers import HEADERS
from odd_chains import odd_chains
from signed_mutations import SignedMutations

# In the order of their values (RFC 4648 §5).
ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
# The order of P-256: a signature with n - s is as good as one with s.
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
YEAR = 365 * 86_400_000  # milliseconds


def decoded(part):
    return urlsafe_b64decode(part + "=" * (-len(part) % 4))


@dataclass(frozen=True)
class Mutant:
    kind: str
    text: str
    environment: Environment


class Mutations(SignedMutations):
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
        part = parts[number]
        last = ALPHABET.index(part[-1])
        variants = {
            "padded": part + "=" * (-len(part) % 4 or 4), "standard alphabet": b64encode(decoded(part)).decode(),
            "line break inside": part[:76] + "\n" + part[76:], "line break at the end": part + "\n",
            "space inside": part[:10] + " " + part[10:], "unused bits": part[:-1] + ALPHABET[last ^ 1],
            "one character more": part + "A", "other letters": part.swapcase()}
        name = self.generator.choice(sorted(variants))
        return name, self.joined(parts, number, variants[name])

    # MARK: - Signatures

    def make_signature(self, parts):
        signature = decoded(parts[2])
        r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
        numbers = {
            "n - s": (r, ORDER - s), "n - r": (ORDER - r, s), "zero": (0, 0), "r zero": (0, s), "s zero": (r, 0),
            "one": (1, 1), "r = n": (ORDER, s), "s = n": (r, ORDER), "exchanged": (s, r), "most": (2**256 - 1,) * 2}
        variants = {
            **{name: r.to_bytes(32, "big") + s.to_bytes(32, "big") for name, (r, s) in numbers.items()},
            "too short": signature[:-1], "too long": signature + b"\0", "half": signature[:32],
            "twice": signature * 2, "wider": b"\0" + signature[:32] + b"\0" + signature[32:]}
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

    @staticmethod
    def joined(parts, number, part):
        return ".".join([*parts[:number], part, *parts[number + 1:]])

    @staticmethod
    def written(header, payload):
        return base64url(json.dumps(header).encode()) + "." + payload
