"""What the ledger's players buy: the catalog, the bundles, and an App Store's Xcode."""

import json
import time

import signed_data

APP, SECOND_APP = "com.example.hangman", "com.example.crossword"
LATE_PRODUCT = f"{APP}.latecomer"
# As folders of the content: versions that nobody published.
BUNDLES = {
    "hard-words/1.0.0": {"words.txt": "rhythm\njazz\n"},
    "ios-words/1.0.0": {"words.txt": "swift\nmetal\n", "pack.json": '{"name": "iOS"}'},
    "night-theme/1.0.0": {"theme.json": '{"background": "black"}'},
    "starter-words/1.0.0": {"words.txt": "cat\ndog\n"},
    "issues/1.0.0": {"issue.txt": "The first issue\n"},
}


def products():
    def entry(name, kind, **members):
        return {"id": name if name.startswith("com.") else f"{APP}.{name}", "type": kind, **members}

    hangman = [
        entry("tenhints", "consumable", credits={"hints": 10}),
        entry("hundredhints", "consumable", credits={"hints": 100, "coins": 1}),
        entry("starter", "consumable", credits={"coins": 25}, bundles=["starter-words"], redownloadHours=48),
        entry("hardwords", "non-consumable", bundles=["hard-words"]),
        entry("ioswords", "non-consumable", bundles=["ios-words"], ownership="keep",
              metadata={"title": {"en": "iOS words", "de": "iOS-Wörter"}, "order": 2}),
        entry("nighttheme.month", "non-renewing", duration="P1M", bundles=["night-theme"]),
        entry("nighttheme.week", "non-renewing", duration="P1W", bundles=["night-theme"], group="night"),
        entry("club.monthly", "auto-renewable", group="club", level=2,
              bundles=["hard-words", "ios-words"]),
        entry("club.gold", "auto-renewable", group="club", level=1, renewalLeewayMinutes=30,
              bundles=["hard-words", "ios-words", "night-theme"]),
        entry("magazine.weekly", "auto-renewable", group="magazine", bundles=["issues"], afterExpiry="keep"),
        entry("seasonal", "non-consumable", bundles=["hard-words"], availableFrom="2025-07-01T00:00:00Z",
              availableUntil="2026-01-01T00:00:00Z", minimumAppVersion="1.1", platforms=["iOS"], storefronts=["DEU"]),
    ]
    crossword = [
        entry(f"{SECOND_APP}.letters", "consumable", credits={"letters": 5}),
        entry(f"{SECOND_APP}.pack", "non-consumable", bundles=["hard-words"]),
        entry(f"{SECOND_APP}.daily", "auto-renewable", group="daily"),
    ]
    return {"apps": [
        {"bundleID": APP, "appAppleID": 1234567890, "sandbox": "testers",
         "currencies": {"hints": {"refund": "clamp"}}, "products": hangman},
        {"bundleID": SECOND_APP, "sandbox": "everyone", "products": crossword},
    ]}


def write(folder):
    (folder / "products.json").write_text(json.dumps(products(), indent=2, ensure_ascii=False) + "\n")
    for version, files in BUNDLES.items():
        for name, text in files.items():
            path = folder / "content" / version / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


class Xcode:
    """StoreKit testing in Xcode: one certificate, which signed itself, and transactions counted from 0."""

    def __init__(self, folder):
        self.key, self.pem, self.file = (folder / f"xcode.{ending}" for ending in ("key", "pem", "der"))
        signed_data.openssl(
            "req", "-x509", "-newkey", *signed_data.P256, "-nodes", "-keyout", self.key, "-out", self.pem, "-subj",
            "/CN=StoreKit Testing in Xcode", "-days", "3650", "-sha256")
        signed_data.openssl("x509", "-in", self.pem, "-outform", "DER", "-out", self.file)
        self.count = 0

    def transaction(self, product, kind, at):
        """Signed at a time in seconds; with fractions of milliseconds, as Xcode has them."""
        milliseconds, number = at * 1000 + 0.25, str(self.count)
        self.count += 1
        payload = {
            "transactionId": number, "originalTransactionId": number, "bundleId": APP, "productId": product,
            "purchaseDate": milliseconds - 2000, "originalPurchaseDate": milliseconds - 2000, "quantity": 1,
            "type": kind, "inAppOwnershipType": "PURCHASED", "signedDate": milliseconds, "environment": "Xcode",
        }
        header = {"alg": "ES256", "kid": "Apple_Xcode_Key", "typ": "JWT",
                  "x5c": [signed_data.base64.b64encode(self.file.read_bytes()).decode()]}
        return signed_data.jws(header, payload, self.key)


def seconds(text):
    return time.mktime(time.strptime(text + " UTC", "%Y-%m-%dT%H:%M:%SZ %Z")) - time.timezone
