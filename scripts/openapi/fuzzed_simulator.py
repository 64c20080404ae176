"""A simulated App Store, and purchases that are there, for schemathesis."""

import shutil

from client import Client
from process import free_ports

NAME = "the simulator"
DESCRIPTION, HOOKS, SETTINGS = "docs/openapi-simulator.yaml", "simulator_hooks", "simulator.toml"
READY = "/simulator/v1/clock"
APP = "com.example.hangman"
ACCOUNT = "5f0c3f0e-7d1c-4b6a-9a35-0c8c2f2f9a11"
# So many of each: most acts end a subscription, and a purchase can be refunded once.
PURCHASES = 20
PRODUCTS = {
    "tenhints": "consumable", "hardwords": "non-consumable", "nighttheme.month": "non-renewing",
    "club.monthly": "auto-renewable",
}


class Subject:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.port, = free_ports(1)
        shutil.copy("products.json", folder)
        (folder / "content").mkdir()

    @property
    def command(self):
        return [
            self.binary, "simulator", "--host", "127.0.0.1", "--simulator-port", str(self.port), "--database",
            str(self.folder / "store.sqlite"), "--products", str(self.folder / "products.json"), "--content",
            str(self.folder / "content")]

    def facts(self):
        store = Client(self.port)
        purchases = [
            (kind, store.json("POST", "/simulator/v1/purchases", 201, body=purchase(product, kind, number)))
            for number in range(PURCHASES) for product, kind in PRODUCTS.items()]
        transactions = [each["transactionID"] for _, each in purchases]
        subscriptions = [each["transactionID"] for kind, each in purchases if kind == "auto-renewable"]
        return {
            "key": store.json("GET", f"/simulator/v1/api-key?bundleID={APP}", 200), "app": APP,
            "transactions": transactions, "subscriptions": subscriptions,
            "orders": [each["orderID"] for _, each in purchases if "orderID" in each],
            "receipts": [purchases[-1][1]["appReceipt"], purchases[0][1]["transactionReceipt"]],
            "path": {"customer": [ACCOUNT]}, "query": {"bundleID": [APP]},
            "body": {"bundleID": [APP], "productID": [f"{APP}.{product}" for product in PRODUCTS]},
        }


def purchase(product, kind, number):
    """Every fourth is shared by the family, which alone can be revoked."""
    return {
        "bundleID": APP, "productID": f"{APP}.{product}{number or ''}", "type": kind, "appAccountToken": ACCOUNT,
        "environment": "Sandbox" if number % 2 else "Production",
        "ownershipType": "FAMILY_SHARED" if number % 4 == 3 else "PURCHASED"}
