"""A server with the simulated App Store, and things that are there, for schemathesis."""

import json
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Empty, Queue

from client import Client
from failure import Failure
from process import free_ports

NAME = "the server"
DESCRIPTION, HOOKS, SETTINGS = "docs/openapi.yaml", "server_hooks", "server.toml"
READY = "/ready"
APP = "com.example.hangman"
PRODUCTS = {
    "tenhints": "consumable", "hardwords": "non-consumable", "nighttheme.month": "non-renewing",
    "club.monthly": "auto-renewable",
}
LIMITS = ("RECEIPTS", "ACCOUNTS", "RECOVERY_CODES", "ADMIN_TOKENS", "NOTIFICATIONS", "UNAVAILABLE_PRODUCTS")
NOTIFIED_WITHIN = 30  # seconds


class Subject:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.port, self.store_port = free_ports(2)
        shutil.copy("products.json", folder)
        shutil.copytree("content", folder / "content")

    @property
    def command(self):
        return command(self.binary, self.folder, self.port, self.store_port)

    def facts(self):
        return facts(self.binary, self.folder, self.port, self.store_port)


def command(binary, folder, port, store_port):
    off = [f"QUARTERMASTER_LIMITS_{limit}_PER_MINUTE=off" for limit in LIMITS]
    return ["env", *off, binary, "serve", "--host", "127.0.0.1", "--port", str(port), "--simulator",
            "--simulator-port", str(store_port), *place(folder)]


def place(folder):
    return ["--database", str(folder / "ledger.sqlite"), "--products", str(folder / "products.json"), "--content",
            str(folder / "content")]


def admin_token(binary, folder):
    command = [binary, "admin-token", "create", "--name", "fuzzing", "--role", "write", *place(folder)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def bought(store, account):
    """Every form of receipt of one purchase of each type."""
    receipts = []
    for product, kind in PRODUCTS.items():
        purchase = store.json("POST", "/simulator/v1/purchases", 201, body={
            "bundleID": APP, "productID": f"{APP}.{product}", "type": kind, "appAccountToken": account})
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
        purchase = store.json("POST", "/simulator/v1/purchases", 201, body={
            "bundleID": APP, "productID": f"{APP}.hundredhints", "type": "consumable"})
        store.ask("POST", f"/simulator/v1/transactions/{purchase['transactionID']}/refund", 200, body={})
        try:
            payloads = [receiver.payloads.get(timeout=NOTIFIED_WITHIN) for _ in range(2)]
        except Empty:
            raise Failure("the simulator sent no notification")
        receiver.shutdown()
    address = f"http://127.0.0.1:{port}/v1/notifications/app-store"
    store.ask("PUT", "/simulator/v1/notification-url", 204, body={"url": address, "bundleID": APP})
    return payloads


def facts(binary, folder, port, store_port):
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
        **player,
        "adminToken": admin_token(binary, folder), "receipts": receipts + more, "links": links,
        "notifications": notifications(store, port),
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
