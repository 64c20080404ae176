"""Where the server refuses on purpose what the library takes. It takes nothing that the library refuses."""

# The beginning of the kind, and why.
EXPLAINED = (
    ("base64 variant", "RFC 7515 §2: no padding, no line breaks, no unused bits; one text for one receipt"),
    ("character inserted", "the same: what is no base64url is no JWS, wherever it stands"),
    ("character changed", "the same: the unused bits of the last character"),
    ("parts rearranged", "the same, where all three parts are the original's"),
    ("trusted header: {\"crit\"", "RFC 7515 §4.1.11: no critical extension is understood"),
    ("trusted header: {\"b64\"", "RFC 7797 §6: the payload is always encoded"),
    ("trusted header with a member twice", "RFC 7515 §4: names must be unique"),
    ("trusted header text", "the header is JSON to the letter (RFC 8259)"),
    ("trusted text", "the same of the payload"),
    ("trusted claim twice", "RFC 7519 §4: names must be unique"),
    ("trusted registered claim", "RFC 7519 §4.1: times are numbers, names are text; nobody here is an audience"),
    ("trusted date", "signed in the future, beyond the 5 minutes that clocks may differ"),
    *((f"trusted claim: {name}", "no time in whole milliseconds from 1970 to 9999") for name in (
        "signedDate", "purchaseDate", "originalPurchaseDate", "expiresDate", "revocationDate")),
    *((f"trusted claim: {name}", "an ID of the store is a text of 1 to 20 digits") for name in (
        "transactionId", "originalTransactionId")),
    *((f"trusted claim: {name}", "not of the type that Apple's page says") for name in (
        "advancedCommerceInfo", "appAccountToken", "bundleId", "commitmentInfo", "environment", "inAppOwnershipType",
        "isUpgraded", "offerType", "price", "productId", "quantity", "revocationPercentage", "revocationReason",
        "subscriptionGroupIdentifier", "type")),
    ("trusted claim left out", "every transaction of the store has it; a subscription has an end"),
    ("odd chain: leaf an authority", "a signer that may issue certificates is none of the store's"),
    ("odd chain: leaf for", "the leaf's key is for other uses than signatures (RFC 5280 §4.2.1.3)"),
    ("odd chain: intermediate whose constraints may be ignored", "an authority's are critical (RFC 5280 §4.2.1.9)"),
    ("odd chain: leaf without", "none of the store's certificates is without"))
