"""Where the server and the library differ on purpose."""

# What only the holder of the store's own keys could make, and the library's parsers do not take: the beginning of the
# kind, and why it is no forgery.
BEYOND_FORGERS = (
    ("trusted header with a member twice", "Foundation's decoder reads the first of two members, Python's the last"),
    ('trusted header: {"kid"', "which key it was, the certificates say: what the header has beside them is not read"),
    ('trusted header: {"b64": false}', "RFC 7797 §6: without crit it counts for nothing, and the payload is encoded"),
    ('trusted header: {"crit": null}', "null is read as left out"),
    ("trusted text", "Foundation's decoder passes over a last comma, and over bytes in what is not read"),
    ("odd chain: leaf without key identifiers", "key identifiers only help to find the issuer, whose signature counts"),
    ("odd chain: intermediate without key identifiers", "the same"))
# What the server refuses on purpose where the library does not: the beginning of the kind, and why.
EXPLAINED = (
    ("base64 variant", "RFC 7515 §2: no padding, no line breaks, no unused bits; one text for one receipt"),
    ("character inserted", "the same: what is no base64url is no JWS, wherever it stands"),
    ("character changed", "the same: the unused bits of the last character"),
    ("parts rearranged", "the same, where all three parts are the original's"),
    ("trusted header: {\"crit\"", "RFC 7515 §4.1.11: no critical extension is understood"),
    ("trusted header: {\"b64\"", "RFC 7797 §6: the payload is always encoded"),
    ("trusted header with a member twice", "RFC 7515 §4: the first of two is read, which is not ES256 or no chain"),
    ("trusted date", "signed in the future, beyond the 5 minutes that clocks may differ"),
    ("trusted claim: signedDate", "no time in whole milliseconds; every transaction has one"),
    ("trusted claim left out: signedDate", "every transaction of the store has one"),
    ("trusted text", "JSON is UTF-8 without a byte order mark (RFC 8259 §8.1)"),
    ("odd chain: leaf an authority", "a signer that may issue certificates is none of the store's"),
    ("odd chain: leaf for", "the leaf's key is for other uses than signatures (RFC 5280 §4.2.1.3)"),
    ("odd chain: leaf without basic constraints", "none of the store's certificates is without them"))
