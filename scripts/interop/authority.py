"""Certificates with the store's extensions under roots of our own, each chain with one thing about it."""

import json
from base64 import b64encode
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.x509.oid import NameOID

from texts import base64url

LEAF_MARKER, INTERMEDIATE_MARKER = "1.2.840.113635.100.6.11.1", "1.2.840.113635.100.6.2.1"
ASN1_NULL = b"\x05\x00"
DAY = timedelta(days=1)
USES = (
    "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
    "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")


@dataclass
class Certified:
    """A certificate and its key."""

    certificate: x509.Certificate
    key: object

    @property
    def der(self):
        return self.certificate.public_bytes(serialization.Encoding.DER)


@dataclass
class Plan:
    """What a certificate is to have; the defaults are the store's."""

    name: str
    is_authority: bool
    uses: tuple
    marker: str | None
    path_length: int | None = None
    key: object = None
    starts: timedelta = -DAY
    ends: timedelta = 365 * DAY
    has_key_id: bool = True
    has_issuer_key_id: bool = True
    issuer_key: object = None  # where it is to say another
    issuer_number: int | None = None
    is_issuer_key_id_critical: bool = False
    has_constraints: bool = True
    is_critical: bool = True
    extended_use: object = None
    more: list = field(default_factory=list)
    forged: bool = False
    issuer_name: str | None = None


def leaf(**changes):
    return Plan(**{
        "name": "Signing", "is_authority": False, "uses": ("digital_signature",), "marker": LEAF_MARKER, **changes})


def intermediate(**changes):
    return Plan(**{
        "name": "Relations", "is_authority": True, "uses": ("key_cert_sign",), "marker": INTERMEDIATE_MARKER,
        "path_length": 0, **changes})


def named(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)] if text else [])


def issue(plan, issuer=None):
    """Self-signed without an issuer."""
    key = plan.key or ec.generate_private_key(ec.SECP256R1())
    signer, now = issuer or Certified(None, key), datetime.now(timezone.utc)
    issuer_name = issuer.certificate.subject if issuer else named(plan.name)
    if plan.issuer_name:
        issuer_name = named(plan.issuer_name)
    builder = x509.CertificateBuilder(
        issuer_name, named(plan.name), key.public_key(), x509.random_serial_number(), now + plan.starts,
        now + plan.ends)
    for value, is_critical in extensions(plan, key, signer.key):
        builder = builder.add_extension(value, is_critical)
    signing_key = ec.generate_private_key(ec.SECP256R1()) if plan.forged else signer.key
    return Certified(builder.sign(signing_key, hashes.SHA256()), key)


def extensions(plan, key, issuer_key):
    if plan.has_constraints:
        path_length = plan.path_length if plan.is_authority else None
        yield x509.BasicConstraints(plan.is_authority, path_length), plan.is_critical
    if plan.uses:
        yield x509.KeyUsage(**{use: use in plan.uses for use in USES}), True
    if plan.marker:
        yield x509.UnrecognizedExtension(x509.ObjectIdentifier(plan.marker), ASN1_NULL), False
    if plan.has_key_id:
        yield x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False
    if plan.has_issuer_key_id:
        issuers = x509.SubjectKeyIdentifier.from_public_key((plan.issuer_key or issuer_key).public_key()).digest
        names = [x509.DirectoryName(named("Nobody"))] if plan.issuer_number else None
        yield x509.AuthorityKeyIdentifier(issuers, names, plan.issuer_number), plan.is_issuer_key_id_critical
    if plan.extended_use:
        yield x509.ExtendedKeyUsage([plan.extended_use]), True
    for oid, is_critical in plan.more:
        yield x509.UnrecognizedExtension(x509.ObjectIdentifier(oid), ASN1_NULL), is_critical


@dataclass
class Chain:
    """What signs, and what `x5c` says of it."""

    key: object
    certificates: list  # DER

    def header(self, **members):
        return {"alg": "ES256", "x5c": [b64encode(der).decode() for der in self.certificates], **members}

    def signed(self, payload, header=None):
        """The compact serialization; bytes are taken as they are, anything else as JSON."""
        parts = [self.header() if header is None else header, payload]
        encoded = [part if isinstance(part, bytes) else json.dumps(part).encode() for part in parts]
        text = ".".join(base64url(part) for part in encoded)
        return f"{text}.{base64url(self.signature(text.encode()))}"

    def signature(self, data):
        if isinstance(self.key, rsa.RSAPrivateKey):
            return self.key.sign(data, padding.PKCS1v15(), hashes.SHA256())
        r, s = utils.decode_dss_signature(self.key.sign(data, ec.ECDSA(hashes.SHA256())))
        size = (self.key.curve.key_size + 7) // 8
        return r.to_bytes(size, "big") + s.to_bytes(size, "big")


class Authority:
    """A root, which the server and the library may be told to trust, and what is issued under it."""

    def __init__(self, name):
        self.root = issue(Plan(f"{name} Root", True, ("key_cert_sign",), None))
        self.root_der = self.root.der
        self.relations = issue(intermediate(), self.root)
        self.store = self.chain(leaf())

    def chain(self, leaf_plan, intermediate_plan=None):
        issuer = issue(intermediate_plan, self.root) if intermediate_plan else self.relations
        signer = issue(leaf_plan, issuer)
        return Chain(signer.key, [signer.der, issuer.der, self.root_der])
