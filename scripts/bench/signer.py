"""Purchases that a store signed of which the server is to know nothing but the root of its certificates."""

import base64
import json
import secrets
import time

import programs
import signed_data
from client import APP
from process import output_of
from servers import CREDITS_PRODUCT

SIGNED_WITHIN = 600  # seconds


class Signer:
    """The store's signature over a payload, by a root that the server trusts beside the store's."""

    def __init__(self, folder):
        self.folder = folder
        self.authority = signed_data.Authority(
            folder, (signed_data.P384, signed_data.P384, signed_data.P256), "-sha384")
        certificates = [self.authority.certificate(name) for name in ("leaf", "intermediate", "root")]
        header = {"alg": "ES256", "x5c": [base64.b64encode(each).decode() for each in certificates]}
        self.header = signed_data.base64url(json.dumps(header, separators=(",", ":")).encode()).decode()

    @property
    def root(self):
        return self.authority.path("root.der")

    def signed(self, payloads):
        """The signed transaction of each."""
        lines = "".join(json.dumps(payload, separators=(",", ":")) + "\n" for payload in payloads)
        program, key = programs.compiled(programs.SIGN, self.folder), self.authority.path("leaf.key")
        return output_of(program, key, self.header, input=lines, within=SIGNED_WITHIN).splitlines()

    def lines(self, players):
        """A line of token and receipt for each: a consumable that its player just bought."""
        receipts = self.signed(payload(player.account) for player in players)
        return [f"{player.token}\t{receipt}\n" for player, receipt in zip(players, receipts)]


def payload(account, product=CREDITS_PRODUCT, kind="Consumable", **facts):
    """A purchase just made, with these facts besides, or in place of its own."""
    now, number = int(time.time() * 1000), f"2{secrets.randbelow(10**15):015}"
    return {
        "transactionId": number, "originalTransactionId": number, "bundleId": APP, "productId": product,
        "purchaseDate": now - 1000, "originalPurchaseDate": now - 1000, "signedDate": now, "quantity": 1, "type": kind,
        "inAppOwnershipType": "PURCHASED", "environment": "Production", "appAccountToken": account, **facts,
    }
