"""Signed data as the App Store makes it, signed by keys that are made here and now: what is measured and fuzzed.

python3 scripts/signed_data.py FOLDER writes there
    jws-root.der, transaction.jws        a signed transaction, and the root that its chain leads to
    header.json, payload.json, signature, leaf.der  what the transaction is made of
    notification.json                    the payload of a notification about the transaction
    receipt-root.der, receipt.der        an app receipt with two purchases, and its root
    manifest.json, manifest-key          an answer with a signed manifest, and the 32 bytes of the key
    manifest-payload.json, fresh-payload.json  what is signed in it

Made with the openssl command and not with this project's own code, so that the two check each other.
"""

import base64
import hashlib
import json
import subprocess
import sys
import time
from pathlib import Path

APP = "com.example.hangman"
PRODUCT = f"{APP}.tenhints"

# The marker extensions are what tells the store's certificates from those of developers.
CONFIGURATION = """
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[intermediate]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
1.2.840.113635.100.6.2.1 = ASN1:NULL
[leaf]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
1.2.840.113635.100.6.11.1 = ASN1:NULL
"""

P256 = ("ec", "-pkeyopt", "ec_paramgen_curve:P-256")
P384 = ("ec", "-pkeyopt", "ec_paramgen_curve:P-384")
RSA = ("rsa:2048",)
# The bytes of r and of s (RFC 7518 §3.4).
SCALAR = 32


def openssl(*arguments, **options):
    return subprocess.run(
        ["openssl", *map(str, arguments)], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options
    ).stdout


class Authority:
    """A root, an intermediate and a leaf; of each `NAME.key`, `NAME.pem` and `NAME.der`."""

    def __init__(self, folder, keys, digest):
        self.folder, self.digest = folder, digest
        folder.mkdir()
        (folder / "openssl.cnf").write_text(CONFIGURATION)
        issuer = None
        for name, key in zip(("root", "intermediate", "leaf"), keys):
            self.certify(name, key, issuer)
            issuer = name

    def path(self, name):
        return self.folder / name

    def certify(self, name, key, issuer):
        signer = ("-CA", self.path(f"{issuer}.pem"), "-CAkey", self.path(f"{issuer}.key")) if issuer else ()
        openssl(
            "req", "-x509", "-config", self.path("openssl.cnf"), "-extensions", name, "-newkey", *key, "-nodes",
            "-keyout", self.path(f"{name}.key"), "-out", self.path(f"{name}.pem"), "-subj", f"/CN=Test {name}/O=Test",
            "-days", "400", self.digest, *signer)
        openssl("x509", "-in", self.path(f"{name}.pem"), "-outform", "DER", "-out", self.path(f"{name}.der"))

    def certificate(self, name):
        return self.path(f"{name}.der").read_bytes()


# MARK: the signed transaction


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def raw_signature(der):
    """r and s side by side, from their DER: two short integers in a sequence that is shorter than 128 bytes."""
    first = der[4:4 + der[3]]
    second = der[4 + der[3] + 2:]
    return b"".join(int.from_bytes(part, "big").to_bytes(SCALAR, "big") for part in (first, second))


def jws(header, payload, key):
    """Signed by a key of P-256."""
    signed = b".".join(base64url(json.dumps(part, separators=(",", ":")).encode()) for part in (header, payload))
    return (signed + b"." + base64url(raw_signature(openssl("dgst", "-sha256", "-sign", key, input=signed)))).decode()


def payload(now):
    milliseconds = int(now * 1000)
    return {
        "transactionId": "2000000847061981", "originalTransactionId": "2000000847061981", "bundleId": APP,
        "productId": PRODUCT, "purchaseDate": milliseconds - 2000, "originalPurchaseDate": milliseconds - 2000,
        "quantity": 1, "type": "Consumable", "inAppOwnershipType": "PURCHASED", "signedDate": milliseconds,
        "environment": "Sandbox", "transactionReason": "PURCHASE", "storefront": "DEU", "storefrontId": "143443",
        "price": 1990, "currency": "EUR", "appTransactionId": "704123456789012345",
    }


def notification(now, transaction):
    return {
        "notificationType": "ONE_TIME_CHARGE", "notificationUUID": "002e14d5-51f5-4503-b5a8-c3a1af68eb20",
        "version": "2.0", "signedDate": int(now * 1000),
        "data": {"bundleId": APP, "environment": "Sandbox", "signedTransactionInfo": transaction},
    }


def write_transaction(folder):
    authority = Authority(folder / "jws", (P384, P384, P256), "-sha384")
    certificates = [authority.certificate(name) for name in ("leaf", "intermediate", "root")]
    header = {"alg": "ES256", "x5c": [base64.b64encode(each).decode() for each in certificates]}
    transaction = jws(header, payload(time.time()), authority.path("leaf.key"))
    for name, part in zip(("header.json", "payload.json", "signature"), transaction.split(".")):
        (folder / name).write_bytes(base64.urlsafe_b64decode(part + "=="))
    (folder / "leaf.der").write_bytes(certificates[0])
    (folder / "jws-root.der").write_bytes(certificates[2])
    (folder / "transaction.jws").write_text(transaction)
    (folder / "notification.json").write_text(json.dumps(notification(time.time(), transaction)))


# MARK: the app receipt


def der(tag, *content):
    content = b"".join(content)
    if len(content) < 0x80:
        return bytes([tag, len(content)]) + content
    length = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def integer(value):
    return der(0x02, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def text(value):
    return der(0x0C, value.encode())


def date(value):
    return der(0x16, time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(value)).encode() if value else b"")


def attributes(*pairs):
    return der(0x31, *(der(0x30, integer(kind), integer(1), der(0x04, value)) for kind, value in pairs))


def purchase(number, now):
    return attributes(
        (1701, integer(1)), (1702, text(PRODUCT)), (1703, text(f"200000084706{number:04}")),
        (1704, date(now - 60)), (1705, text(f"200000084706{number:04}")), (1706, date(now - 60)), (1707, integer(1)),
        (1708, date(None)), (1711, integer(number)), (1712, date(None)), (1713, integer(0)), (1719, integer(0)))


def receipt_content(now):
    return attributes(
        (0, text("ProductionSandbox")), (1, integer(0)), (2, text(APP)), (3, text("1.2")), (4, bytes(16)),
        (5, bytes(20)), (6, bytes(60)), (7, bytes(70)), (12, date(now)), (18, date(now - 86_400)), (19, text("1.0")),
        (17, purchase(1, now)), (17, purchase(2, now)), (21, date(None)))


def write_receipt(folder):
    authority = Authority(folder / "receipt", (RSA, RSA, RSA), "-sha256")
    chain = authority.path("chain.pem")
    chain.write_bytes(authority.path("intermediate.pem").read_bytes() + authority.path("root.pem").read_bytes())
    # Without signed attributes, as the store's own.
    receipt = openssl(
        "cms", "-sign", "-binary", "-nodetach", "-noattr", "-md", "sha256", "-outform", "DER", "-signer",
        authority.path("leaf.pem"), "-inkey", authority.path("leaf.key"), "-certfile", chain,
        input=receipt_content(time.time()))
    (folder / "receipt.der").write_bytes(receipt)
    (folder / "receipt-root.der").write_bytes(authority.certificate("root"))


# MARK: the manifest, which the server signs


def message(folder, kind, payload):
    """A JWS by the key in `manifest.pem` (RFC 8037)."""
    header = {"alg": "EdDSA", "kid": "x" * 43, "typ": f"quartermaster-{kind}"}
    signed = base64url(json.dumps(header, separators=(",", ":")).encode()) + b"." + base64url(payload)
    (folder / "signed").write_bytes(signed)
    signature = openssl("pkeyutl", "-sign", "-rawin", "-inkey", folder / "manifest.pem", "-in", folder / "signed")
    (folder / "signed").unlink()
    return (signed + b"." + base64url(signature)).decode()


def write_manifest(folder):
    openssl("genpkey", "-algorithm", "ed25519", "-out", folder / "manifest.pem")
    # The end of a SubjectPublicKeyInfo is the key (RFC 8410).
    (folder / "manifest-key").write_bytes(
        openssl("pkey", "-in", folder / "manifest.pem", "-pubout", "-outform", "DER")[-32:])
    files = [{"path": f"{name}.txt", "sha256": hashlib.sha256(name.encode()).hexdigest(), "size": len(name)}
             for name in ("words", "more/words")]
    manifest = json.dumps({"bundle": "hard-words", "files": files, "version": "1.0.0"}, separators=(",", ":")).encode()
    fresh = json.dumps({
        "at": "2026-11-22T04:00:00.123Z", "bundle": "hard-words", "channel": "stable",
        "expires": "2036-11-23T04:00:00.123Z", "manifest": hashlib.sha256(manifest).hexdigest(), "version": "1.0.0",
    }, separators=(",", ":")).encode()
    (folder / "manifest-payload.json").write_bytes(manifest)
    (folder / "fresh-payload.json").write_bytes(fresh)
    patch = {"encoding": "zstd-patch", "from": "0" * 64, "sha256": "1" * 64, "size": 3, "url": "/c/2"}
    answer = {"signed": message(folder, "manifest", manifest), "fresh": message(folder, "freshness", fresh),
              "delivery": "d_1", "files": [each | {"url": "/c/1", "patches": [patch]} for each in files]}
    (folder / "manifest.json").write_text(json.dumps(answer))


def write(folder):
    write_transaction(folder)
    write_receipt(folder)
    write_manifest(folder)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
