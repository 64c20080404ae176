"""Chains that the store would never have, under a root that is trusted."""

from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID

from authority import DAY, INTERMEDIATE_MARKER, LEAF_MARKER, Chain, intermediate, issue, leaf

UNKNOWN_OID = "1.2.840.113635.100.6.99.1"


def odd_chains(authority):
    """Every chain that the store would never have, by what is odd about it."""
    root, relations, store = authority.root, authority.relations, authority.store
    yield from ((name, authority.chain(plan)) for name, plan in odd_leaves())
    yield from ((name, authority.chain(leaf(), plan)) for name, plan in odd_intermediates())
    yield "leaf issued by the root", short_chain(authority)
    yield "two intermediates", long_chain(authority)
    yield "root as leaf", Chain(root.key, [root.der, relations.der, root.der])
    yield "intermediate as leaf", Chain(relations.key, [relations.der, relations.der, root.der])
    yield "key of another", Chain(ec.generate_private_key(ec.SECP256R1()), store.certificates)
    yield "four certificates", Chain(store.key, [*store.certificates, root.der])
    yield "two certificates", Chain(store.key, store.certificates[:2])
    yield "one certificate", Chain(store.key, store.certificates[:1])
    yield "no certificate", Chain(store.key, [])
    yield "reversed", Chain(store.key, store.certificates[::-1])


def short_chain(authority):
    signer = issue(leaf(), authority.root)
    return Chain(signer.key, [signer.der, authority.root_der, authority.root_der])


def long_chain(authority):
    upper = issue(intermediate(path_length=1, name="Upper"), authority.root)
    lower = issue(intermediate(), upper)
    signer = issue(leaf(), lower)
    return Chain(signer.key, [signer.der, lower.der, upper.der])


def odd_leaves():
    yield "leaf without marker", leaf(marker=None)
    yield "leaf with the intermediate's marker", leaf(marker=INTERMEDIATE_MARKER)
    yield "leaf expired", leaf(starts=-20 * DAY, ends=-DAY)
    yield "leaf not yet valid", leaf(starts=DAY)
    yield "leaf an authority", leaf(is_authority=True)
    yield "leaf an authority that may certify", leaf(is_authority=True, uses=("key_cert_sign",))
    yield "leaf for key agreement", leaf(uses=("key_agreement",))
    yield "leaf without key identifiers", leaf(has_key_id=False, has_issuer_key_id=False)
    yield "leaf without its own key identifier", leaf(has_key_id=False)
    yield "leaf without its issuer's key identifier", leaf(has_issuer_key_id=False)
    yield "leaf with another issuer's key identifier", leaf(issuer_key=ec.generate_private_key(ec.SECP256R1()))
    yield "leaf with another issuer's number", leaf(issuer_number=7)
    yield "leaf with a critical key identifier", leaf(is_issuer_key_id_critical=True)
    yield "leaf that may sign and certify", leaf(uses=("digital_signature", "key_cert_sign"))
    yield "leaf without key usages", leaf(uses=())
    yield "leaf without a name", leaf(name="")
    yield "leaf without basic constraints", leaf(has_constraints=False)
    yield "leaf with an unknown critical extension", leaf(more=[(UNKNOWN_OID, True)])
    yield "leaf with an unknown extension", leaf(more=[(UNKNOWN_OID, False)])
    yield "leaf for code signing", leaf(extended_use=ExtendedKeyUsageOID.CODE_SIGNING)
    yield "leaf with a P-384 key", leaf(key=ec.generate_private_key(ec.SECP384R1()))
    yield "leaf with an RSA key", leaf(key=rsa.generate_private_key(65537, 2048))
    yield "leaf signed by another", leaf(forged=True)
    yield "leaf of another issuer's name", leaf(issuer_name="Nobody")


def odd_intermediates():
    yield "intermediate without marker", intermediate(marker=None)
    yield "intermediate with the leaf's marker", intermediate(marker=LEAF_MARKER)
    yield "intermediate expired", intermediate(starts=-20 * DAY, ends=-DAY)
    yield "intermediate not yet valid", intermediate(starts=DAY)
    yield "intermediate no authority", intermediate(is_authority=False)
    yield "intermediate that may not certify", intermediate(uses=("digital_signature",))
    yield "intermediate without key identifiers", intermediate(has_key_id=False, has_issuer_key_id=False)
    yield "intermediate without its own key identifier", intermediate(has_key_id=False)
    yield "intermediate without its issuer's key identifier", intermediate(has_issuer_key_id=False)
    yield "intermediate with another issuer's key identifier", intermediate(
        issuer_key=ec.generate_private_key(ec.SECP256R1()))
    yield "intermediate without key usages", intermediate(uses=())
    yield "intermediate whose constraints may be ignored", intermediate(is_critical=False)
    yield "intermediate without a name", intermediate(name="")
    yield "intermediate without basic constraints", intermediate(has_constraints=False)
    yield "intermediate with an unknown critical extension", intermediate(more=[(UNKNOWN_OID, True)])
    yield "intermediate without a limit of its path", intermediate(path_length=None)
    yield "intermediate signed by another", intermediate(forged=True)
    yield "intermediate of another issuer's name", intermediate(issuer_name="Nobody")
