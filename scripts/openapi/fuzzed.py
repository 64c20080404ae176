"""A server with the simulated App Store, or that store alone, and things that are there, for schemathesis."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Empty, Queue

from client import APP, Client
from failure import Failure
from process import free_ports, output_of, places, serve, stock

PRODUCTS = {
    "tenhints": "consumable", "hardwords": "non-consumable", "nighttheme.month": "non-renewing",
    "club.monthly": "auto-renewable",
}
LIMITS = ("RECEIPTS", "ACCOUNTS", "RECOVERY_CODES", "ADMIN_TOKENS", "NOTIFICATIONS", "UNAVAILABLE_PRODUCTS")
NOTIFIED_WITHIN = 30  # seconds
# What the simulated App Store alone knows.
ACCOUNT = "5f0c3f0e-7d1c-4b6a-9a35-0c8c2f2f9a11"
# So many of each: most acts end a subscription, and a purchase can be refunded once.
PURCHASES = 20


class Server:
    NAME, READY = "the server", "/ready"
    DESCRIPTION, HOOKS, SETTINGS = "docs/openapi.yaml", "server_hooks", "server.toml"

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.port, self.store_port = free_ports(2)
        stock(folder)

    @property
    def command(self):
        off = [f"QUARTERMASTER_LIMITS_{limit}_PER_MINUTE=off" for limit in LIMITS]
        return ["env", *off, *serve(self.binary, self.folder, self.port, self.store_port)]

    def facts(self):
        create = ("admin-token", "create", "--name", "fuzzing", "--role", "write")
        token = output_of(self.binary, *create, *places(self.folder)).strip()
        return {"adminToken": token, **facts(self.port, self.store_port)}


def bought(store, account):
    """Every form of receipt of one purchase of each type."""
    receipts = []
    for product, kind in PRODUCTS.items():
        purchase = store.buy(product, kind, appAccountToken=account)
        receipts += [purchase["signedTransaction"], purchase["appReceipt"], purchase["transactionReceipt"]]
    return receipts, purchase["originalTransactionID"]


class Receiver(BaseHTTPRequestHandler):
    """Takes notifications in the server's place."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.payloads.put(body["signedPayload"])
        self.send_response(200)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def notifications(store, port):
    """Genuine notifications that the server has not had: a purchase and its refund."""
    with HTTPServer(("127.0.0.1", 0), Receiver) as receiver:
        receiver.payloads = Queue()
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{receiver.server_port}/"
        store.ask("PUT", "/simulator/v1/notification-url", 204, body={"url": address, "bundleID": APP})
        purchase = store.buy("hundredhints", "consumable")
        store.ask("POST", f"/simulator/v1/transactions/{purchase['transactionID']}/refund", 200, body={})
        try:
            payloads = [receiver.payloads.get(timeout=NOTIFIED_WITHIN) for _ in range(2)]
        except Empty:
            raise Failure("the simulator sent no notification")
        receiver.shutdown()
    address = f"http://127.0.0.1:{port}/v1/notifications/app-store"
    store.ask("PUT", "/simulator/v1/notification-url", 204, body={"url": address, "bundleID": APP})
    return payloads


def facts(port, store_port):
    server, store = Client(port), Client(store_port)
    player, other = (server.json("POST", "/v1/accounts", 201) for _ in range(2))
    headers = {"Authorization": f"Bearer {player['accessToken']}"}
    receipts, original = bought(store, player["account"])
    more, _ = bought(store, other["account"])
    ids = [server.json("POST", "/v1/receipts", 200, headers, {"receipt": receipts[place]})["receipt"]
           for place in range(0, len(receipts), 3)]
    manifests = [server.json("GET", f"/v1/bundles/{name}", 200, headers) for name in ("hard-words", "night-theme")]
    links = [file["url"] for manifest in manifests for file in manifest["files"]]
    hashes = [file["sha256"] for manifest in manifests for file in manifest["files"]]
    return {
        **player, "receipts": receipts + more, "links": links, "notifications": notifications(store, port),
        "path": {
            # Not the player's own, which must go on.
            "account": [other["account"]], "bundleID": [APP], "name": ["hard-words", "night-theme", "ios-words"],
            "currency": ["hints"], "version": ["1.0.0", "1.1.0"], "sha256": hashes, "originalID": [original],
            "environment": ["Production", "Sandbox"], "/v1/receipts/{id} id": ids,
            "/v1/deliveries/{id}/confirm id": [manifest["delivery"] for manifest in manifests],
            "/admin/v1/apps/{bundleID}/products/{id} id": [f"{APP}.{product}" for product in PRODUCTS],
        },
        "body": {"bundleID": [APP], "currency": ["hints"], "to": [other["account"]]},
    }


class Simulator:
    NAME, READY = "the simulator", "/simulator/v1/clock"
    DESCRIPTION, HOOKS, SETTINGS = "docs/openapi-simulator.yaml", "simulator_hooks", "simulator.toml"

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.port, = free_ports(1)
        stock(folder)

    @property
    def command(self):
        return [self.binary, "simulator", "--host", "127.0.0.1", "--simulator-port", str(self.port),
                *places(self.folder)]

    def facts(self):
        store = Client(self.port)
        purchases = [
            (kind, store.buy(f"{product}{number or ''}", kind, **members(number, kind)))
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


def members(number, kind):
    """Every fourth purchase is shared by the family, and can be revoked; of subscriptions another has seats."""
    seats = {"quantity": 9, "invitationManagement": "DEVELOPER"}
    return {
        "appAccountToken": ACCOUNT, "environment": "Sandbox" if number % 2 else "Production",
        "ownershipType": "FAMILY_SHARED" if number % 4 == 3 else "PURCHASED",
        **(seats if kind == "auto-renewable" and number % 4 == 1 else {})}
