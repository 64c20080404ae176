"""The server's signatures of offers beside those that Apple's library makes of the same: header, claims, signature."""

import jwt
import requests
from appstoreserverlibrary.jws_signature_creator import (
    IntroductoryOfferEligibilitySignatureCreator, PromotionalOfferV2SignatureCreator)
from appstoreserverlibrary.models.Environment import Environment
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from failure import Failure
from shop import ANSWER_WITHIN
from world import APP

# Those that are new in each signature.
FRESH = {"iat", "nonce"}
# The promotional offer that products.json names.
OFFER = "welcome-back"


def post(address, path, body, token=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.post(f"{address}/v1/{path}", json=body, headers=headers, timeout=ANSWER_WITHIN)
    if not answer.ok:
        raise Failure(f"{path}: {answer.status_code} {answer.text[:600]}")
    return answer.json()


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
    token, key = post(address, "accounts", {})["accessToken"], shop.key
    names = (key["privateKey"].encode(), key["keyID"], key["issuerID"], APP)
    product, path = f"{APP}.club.monthly", f"apps/{APP}/offer-signatures"
    hints = shop.buy("tenhints")
    post(address, "receipts", {"receipt": hints["signedTransaction"]}, token)
    customer = jwt.decode(hints["signedTransaction"], options={"verify_signature": False})["appTransactionId"]
    mine = post(address, path, {"product": product, "kind": "introductoryEligibility"}, token)["signature"]
    apples = IntroductoryOfferEligibilitySignatureCreator(*names)
    compare(checks, key, mine, apples.create_signature(product, True, customer), "introductory eligibility")
    club = shop.buy("club.monthly")
    post(address, "receipts", {"receipt": club["signedTransaction"]}, token)
    mine = post(address, path, {"product": product, "offer": OFFER, "kind": "promotional"}, token)["signature"]
    apples = PromotionalOfferV2SignatureCreator(*names)
    compare(checks, key, mine, apples.create_signature(product, OFFER, club["transactionID"]), "promotional offer")
