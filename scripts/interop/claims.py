"""What a transaction may say, and its header."""

import time

CLAIMS = {
    "productId": "com.example.hangman.hardwords", "quantity": 10, "bundleId": "com.example.other",
    "environment": "Xcode", "transactionId": "123456789", "originalTransactionId": "123456789",
    "appAccountToken": "00000000-0000-4000-8000-000000000000", "type": "Non-Consumable",
    "purchaseDate": 4_000_000_000_000, "signedDate": 1_700_000_000_000, "expiresDate": 4_000_000_000_000,
    "inAppOwnershipType": "PURCHASED", "revocationDate": None, "originalPurchaseDate": 1_700_000_000_000,
    "revocationReason": 1, "isUpgraded": True, "subscriptionGroupIdentifier": "1", "price": 1_990, "currency": "EUR",
    "offerType": 1, "offerIdentifier": "spring", "offerDiscountType": "FREE_TRIAL", "offerPeriod": "P1M",
    "storefront": "DEU", "storefrontId": "143443", "transactionReason": "RENEWAL", "webOrderLineItemId": "1",
    "appTransactionId": "1", "revocationType": "REFUND_FULL", "revocationPercentage": 50_000,
    "billingPlanType": "MONTHLY", "commitmentInfo": {"commitmentPrice": 1}, "advancedCommerceInfo": {"taxCode": "A"}}
# Beside what a header needs, and instead of it.
HEADERS = (
    {"jwk": {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}}, {"kid": "1"}, {"kid": 1}, {"kid": None},
    {"typ": "JWT"}, {"typ": "JOSE"}, {"cty": "JWT"}, {"crit": ["exp"]}, {"crit": []}, {"crit": ["b64"]}, {"crit": None},
    {"crit": "exp"}, {"b64": False}, {"b64": True}, {"b64": False, "crit": ["b64"]}, {"jku": "https://example.com/k"},
    {"x5u": "https://example.com/c"}, {"x5t": "AA"}, {"zip": "DEF"}, {"enc": "A128GCM"}, {"alg": "none"},
    {"alg": "NONE"}, {"alg": "es256"}, {"alg": "ES384"}, {"alg": "HS256"}, {"alg": "RS256"}, {"alg": None},
    {"alg": ["ES256"]}, {"x5c": None}, {"x5c": []}, {"x5c": {}}, {"x5c": ""})
ODD_VALUES = (None, "", "x", -1, 1.5, True, [], {}, 10**30, "１２", "\u0000", "7", ["x"], {"x": 1}, 1e300)


def registered():
    """The claims of RFC 7519 §4.1, by what is said of them."""
    now = int(time.time())
    for name, values in {
        "exp": {"past": now - 9, "future": now + 9_000, "a text": str(now + 9_000)},
        "nbf": {"past": now - 9, "future": now + 9_000, "a text": str(now - 9)},
        "iat": {"past": now - 9, "future": now + 9_000, "a text": str(now - 9)},
        "aud": {"a name": "com.example.hangman", "names": ["x"], "of nobody": []},
        "iss": {"a name": "x"}, "sub": {"a name": "x"}, "jti": {"a name": "x"},
    }.items():
        odd = {"null": None, "a number": 1, "a fraction": 1.5, "an object": {}, "true": True, "large": 10**30}
        yield from ((f"{name} {what}", {name: value}) for what, value in {**values, **odd}.items())
