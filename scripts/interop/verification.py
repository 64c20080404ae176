"""Everything that the simulator signs, verified and read by Apple's library."""

import json
from uuid import uuid4

from appstoreserverlibrary.receipt_utility import ReceiptUtility

from client import APP
from members import same_members
from shop import TYPES
from texts import decoded

STORE_WORDS = {
    "consumable": "Consumable", "non-consumable": "Non-Consumable", "non-renewing": "Non-Renewing Subscription",
    "auto-renewable": "Auto-Renewable Subscription"}


def members(jws):
    """The payload's, without any verification."""
    return json.loads(decoded(jws.split(".")[1]))


def verified(checks, verify, jws, what):
    """What the library reads in it; None where it refuses it."""
    decoded = checks.succeeds(what, verify, jws)
    if decoded is not None:
        same_members(checks, decoded, members(jws), what)
    return decoded


def transaction(shop, checks, jws, what):
    return verified(checks, shop.verifier().verify_and_decode_signed_transaction, jws, what)


def renewal(shop, checks, jws, what):
    return verified(checks, shop.verifier().verify_and_decode_renewal_info, jws, what)


def notification(shop, checks, jws, what):
    """Also what it carries."""
    decoded = verified(checks, shop.verifier().verify_and_decode_notification, jws, what)
    data = decoded and decoded.data
    if decoded is not None and data is None:
        checks.expect(decoded.summary is not None, f"{what}: neither data nor a summary")
    if data is not None and data.signedTransactionInfo is not None:
        transaction(shop, checks, data.signedTransactionInfo, f"{what}: its transaction")
    if data is not None and data.signedRenewalInfo is not None:
        renewal(shop, checks, data.signedRenewalInfo, f"{what}: its renewal info")
    return decoded


def app_transaction(shop, checks, jws, what):
    return verified(checks, shop.verifier().verify_and_decode_app_transaction, jws, what)


def purchase(shop, checks, product, kind):
    what, account = f"{shop.environment.value} {kind}", str(uuid4())
    bought = shop.buy(product, appAccountToken=account)
    decoded = transaction(shop, checks, bought["signedTransaction"], what)
    if decoded is not None:
        expected = {
            "transactionId": bought["transactionID"], "originalTransactionId": bought["originalTransactionID"],
            "bundleId": APP, "productId": f"{APP}.{product}", "appAccountToken": account, "quantity": 1,
            "rawType": STORE_WORDS[kind], "environment": shop.environment}
        for name, value in expected.items():
            checks.equal(getattr(decoded, name), value, f"{what}: {name}")
    checks.equal("signedRenewalInfo" in bought, kind == "auto-renewable", f"{what}: renewal info")
    receipts(checks, bought, what)
    return bought


def receipts(checks, bought, what):
    """The transaction ID out of both kinds of receipt."""
    utility = ReceiptUtility()
    for form, read in (
        ("appReceipt", utility.extract_transaction_id_from_app_receipt),
        ("transactionReceipt", utility.extract_transaction_id_from_transaction_receipt),
    ):
        found = checks.succeeds(f"{what}: {form}", read, bought[form])
        checks.equal(found, bought["transactionID"], f"{what}: the ID in the {form}")


def subscription(shop, checks, bought):
    """What happens to a subscription, each act signed anew."""
    original = bought["originalTransactionID"]
    renewal(shop, checks, bought["signedRenewalInfo"], "the first renewal info")
    acts = (
        ("renew", None), ("cancel", None), ("reenable", None), ("price-increase", {"consent": "pending"}),
        ("upgrade", {"productID": f"{APP}.club.yearly"}), ("grace", None), ("billing-retry", None), ("renew", None),
        ("expire", None), ("resubscribe", None))
    for act, body in acts:
        answer = shop.act(f"subscriptions/{original}/{act}", body)
        transaction(shop, checks, answer["signedTransaction"], f"after {act}")
        renewal(shop, checks, answer["signedRenewalInfo"], f"the renewal info after {act}")


def commitment(shop, checks):
    """A subscription that is billed by the month, with a commitment of 12 months."""
    answer = shop.buy("club.monthly", billingPlanType="MONTHLY")
    original = answer["originalTransactionID"]
    for act, number in (("a purchase", 1), ("renew", 2), ("cancel", 2)):
        if number > 1:
            answer = shop.act(f"subscriptions/{original}/{act}")
        decoded = transaction(shop, checks, answer["signedTransaction"], f"a commitment after {act}")
        if decoded is not None:
            checks.equal(decoded.commitmentInfo.billingPeriodNumber, number, f"a commitment's period after {act}")
        renewal(shop, checks, answer["signedRenewalInfo"], f"a commitment's renewal info after {act}")


def run(shop, checks):
    bought = {product: purchase(shop, checks, product, kind) for product, kind in TYPES.items()}
    subscription(shop, checks, bought["club.monthly"])
    commitment(shop, checks)
    refunded = shop.act(f"transactions/{bought['hardwords']['transactionID']}/refund", {"reason": 1})
    decoded = transaction(shop, checks, refunded["signedTransaction"], "after a refund")
    checks.expect(decoded is not None and decoded.revocationDate is not None, "a refund has no revocationDate")
