"""Purchases that a store signed of which the server is to know nothing but the root of its certificates."""

import base64
import json
import secrets
import time

import signed_data
from servers import APP, CREDITS_PRODUCT


class Signer:
    """The store's signature over a payload, by a root that the server trusts beside the store's."""

    def __init__(self, folder):
        self.authority = signed_data.Authority(
            folder, (signed_data.P384, signed_data.P384, signed_data.P256), "-sha384")
        certificates = [self.authority.certificate(name) for name in ("leaf", "intermediate", "root")]
        header = {"alg": "ES256", "x5c": [base64.b64encode(each).decode() for each in certificates]}
        self.header = self.part(header)

    @property
    def root(self):
        return self.authority.path("root.der")

    @staticmethod
    def part(value):
        return signed_data.base64url(json.dumps(value, separators=(",", ":")).encode())

    def transaction(self, account, facts=None, product=CREDITS_PRODUCT, kind="Consumable"):
        """A purchase just made, with these facts besides."""
        now, number = int(time.time() * 1000) - 1000, f"2{secrets.randbelow(10**15):015}"
        payload = {
            "transactionId": number, "originalTransactionId": number, "bundleId": APP, "productId": product,
            "purchaseDate": now, "originalPurchaseDate": now, "signedDate": now, "quantity": 1, "type": kind,
            "inAppOwnershipType": "PURCHASED", "environment": "Production", "appAccountToken": account,
            **(facts or {}),
        }
        signed = self.header + b"." + self.part(payload)
        signature = signed_data.openssl(
            "dgst", "-sha256", "-sign", self.authority.path("leaf.key"), input=signed)
        return (signed + b"." + signed_data.base64url(signed_data.raw_signature(signature))).decode()
