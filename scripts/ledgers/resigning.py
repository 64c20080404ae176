"""Signed data of the past, signed again by keys of our own after its IDs were exchanged."""

import base64
import json
from datetime import timedelta
from itertools import islice

from authority import Chain, Plan, decoded, intermediate, issue, leaf
from cryptography.hazmat.primitives.asymmetric import rsa

from signed_data import der, integer

# Signers were certified before anything in the ledger was signed.
PAST = timedelta(days=-3650)
SHA256 = der(0x30, bytes.fromhex("0609608648016503040201"), b"\x05\x00")
RSA = der(0x30, bytes.fromhex("06092a864886f70d010101"), b"\x05\x00")
SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
DATA = bytes.fromhex("06092a864886f70d010701")


def header(jws):
    return json.loads(decoded(jws.partition(".")[0]))


def values(data):
    """Those in a value of DER that is made of others."""
    position = 0
    while position < len(data):
        length, start = data[position + 1], position + 2
        if length & 0x80:
            start += length & 0x7F
            length = int.from_bytes(data[position + 2:start], "big")
        position = start + length
        yield data[start:position]


def inner(data, *path):
    """The value at the path; `None` if there is none, as in what is no receipt."""
    for number in path:
        data = next(islice(values(data), number, None), None)
        if data is None:
            break
    return data


def receipt_content(receipt):
    """The signed attributes of an app receipt."""
    return inner(receipt, 0, 1, 0, 2, 1, 0)


def receipt_certificates(receipt):
    certificates = inner(receipt, 0, 1, 0, 3)
    return [der(0x30, each) for each in values(certificates)]


class Signers:
    """A store that signs transactions and receipts, and an Xcode; the ledger's own are gone."""

    def __init__(self):
        self.roots, chains = [], []
        for keys in (lambda: None, lambda: rsa.generate_private_key(65537, 2048)):
            root = issue(Plan("Multiplied Root", True, ("key_cert_sign",), None, starts=PAST, key=keys()))
            relations = issue(intermediate(starts=PAST, key=keys()), root)
            signer = issue(leaf(starts=PAST, key=keys()), relations)
            self.roots.append(root.der)
            chains.append((signer, Chain(signer.key, [signer.der, relations.der, root.der])))
        (_, self.store), (self.receipt_signer, self.receipts) = chains
        xcode = issue(Plan("StoreKit Testing in Xcode", False, (), None, starts=PAST))
        self.xcode = Chain(xcode.key, [xcode.der])

    def jws(self, text, rename):
        """The signed data with a payload renamed, that which is in it likewise."""
        old, payload = header(text), rename(self.payload(text))
        data = json.loads(self.payload(text)).get("data", {})
        # Not renamed as a text: a signature may look like a name.
        signed = {name: self.jws(value, rename) for name, value in data.items() if name.startswith("signed")}
        if signed:
            members = json.loads(payload)
            members["data"] |= signed
            payload = json.dumps(members, separators=(",", ":"), ensure_ascii=False)
        chain = self.store if len(old["x5c"]) == 3 else self.xcode
        return chain.signed(payload.encode(), {**old, **chain.header()})

    @staticmethod
    def payload(jws):
        return decoded(jws.split(".")[1]).decode()

    def app_receipt(self, text, rename):
        """Without signed attributes, as the store's own. The names must be as long as the old ones."""
        content = receipt_content(base64.b64decode(text))
        if content is None:
            return text
        content = rename(content)
        certificate = self.receipt_signer.certificate
        issuer = certificate.issuer.public_bytes()
        signer = der(
            0x30, integer(1), der(0x30, issuer, integer(certificate.serial_number)), SHA256, RSA,
            der(0x04, self.receipts.signature(content)))
        data = der(
            0x30, integer(1), der(0x31, SHA256), der(0x30, DATA, der(0xA0, der(0x04, content))),
            der(0xA0, *self.receipts.certificates), der(0x31, signer))
        return base64.b64encode(der(0x30, SIGNED_DATA, der(0xA0, data))).decode()
