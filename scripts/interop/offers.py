"""The server's signatures of offers beside those that Apple's library makes of the same: header, claims, signature."""

import jwt
from appstoreserverlibrary.jws_signature_creator import (
    IntroductoryOfferEligibilitySignatureCreator, PromotionalOfferV2SignatureCreator)
from appstoreserverlibrary.models.Environment import Environment
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from client import APP
from differential import Server

# Those that are new in each signature.
FRESH = {"iat", "nonce"}
# The promotional offer that products.json names.
OFFER = "welcome-back"


def compare(checks, key, mine, apples, what):
    public = load_pem_private_key(key["privateKey"].encode(), password=None).public_key()
    claims = [
        checks.succeeds(what, lambda jws=jws: jwt.decode(jws, public, algorithms=["ES256"], options={
            "verify_aud": False})) or {} for jws in (mine, apples)]
    checks.equal(jwt.get_unverified_header(mine), jwt.get_unverified_header(apples), f"{what}: header")
    checks.equal(set(claims[0]), set(claims[1]), f"{what}: claims")
    mine, apples = ({name: value for name, value in own.items() if name not in FRESH} for own in claims)
    checks.equal(mine, apples, what)


def run(address, shop, checks):
    """In Production only: the same code signs for both environments."""
    if shop.environment != Environment.PRODUCTION:
        return
    server, key = Server(address), shop.key
    server.sign_in()
    names = (key["privateKey"].encode(), key["keyID"], key["issuerID"], APP)
    product, path = f"{APP}.club.monthly", f"/v1/apps/{APP}/offer-signatures"
    hints = shop.buy("tenhints")
    server.ask("POST", "/v1/receipts", {"receipt": hints["signedTransaction"]})
    customer = jwt.decode(hints["signedTransaction"], options={"verify_signature": False})["appTransactionId"]
    mine = server.ask("POST", path, {"product": product, "kind": "introductoryEligibility"})["signature"]
    apples = IntroductoryOfferEligibilitySignatureCreator(*names)
    compare(checks, key, mine, apples.create_signature(product, True, customer), "introductory eligibility")
    club = shop.buy("club.monthly")
    server.ask("POST", "/v1/receipts", {"receipt": club["signedTransaction"]})
    mine = server.ask("POST", path, {"product": product, "offer": OFFER, "kind": "promotional"})["signature"]
    apples = PromotionalOfferV2SignatureCreator(*names)
    compare(checks, key, mine, apples.create_signature(product, OFFER, club["transactionID"]), "promotional offer")
