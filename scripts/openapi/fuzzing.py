"""Has schemathesis try every operation of docs/openapi.yaml on a fresh server. schemathesis.sh starts it."""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from queue import Empty, Queue
from tempfile import TemporaryDirectory

from client import Client
from failure import Failure
from interruption import clean_up_when_interrupted
from process import free_ports, running

APP = "com.example.hangman"
PRODUCTS = {
    "tenhints": "consumable", "hardwords": "non-consumable", "nighttheme.month": "non-renewing",
    "club.monthly": "auto-renewable",
}
LIMITS = ("RECEIPTS", "ACCOUNTS", "RECOVERY_CODES", "ADMIN_TOKENS", "NOTIFICATIONS")
HERE = Path(__file__).resolve().parent
DESCRIPTION = HERE.parent.parent / "docs/openapi.yaml"
# Too slow a generator, or one that gives up often, is no fault of the server.
HEALTH = "all"
NOTIFIED_WITHIN = 30  # seconds


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


def facts(binary, folder, port, store_port, description):
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
        "server": f"http://127.0.0.1:{port}", "description": description, **player,
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


def run(options):
    port, store_port = free_ports(2)
    with TemporaryDirectory(prefix="quartermaster-fuzzing.") as name:
        folder = Path(name)
        shutil.copy("products.json", folder)
        shutil.copytree("content", folder / "content")
        with running("the server", command(options.binary, folder, port, store_port), None, port, "/ready",
                     folder / "server.log"):
            (folder / "facts.json").write_text(json.dumps(
                facts(options.binary, folder, port, store_port, options.description)))
            environment = {
                **os.environ, "QUARTERMASTER_FUZZ_FACTS": str(folder / "facts.json"), "SCHEMATHESIS_HOOKS": "hooks",
                "PYTHONPATH": str(HERE), "NO_PROXY": "*", "PYTHONDONTWRITEBYTECODE": "1"}
            arguments = [
                options.schemathesis, "--config-file", str(HERE / "schemathesis.toml"), "run", options.description,
                "--url", f"http://127.0.0.1:{port}", "--checks", "all", "--suppress-health-check", HEALTH,
                "--seed", str(options.seed), "--max-examples", str(options.examples), "--output-sanitize", "false",
                "--generation-database", "none", "--no-color", *options.more]
            status = subprocess.run(arguments, env=environment, cwd=folder).returncode
            log = (folder / "server.log").read_text(errors="replace")
            if options.log:
                Path(options.log).write_text(log)
    if status:
        raise Failure(f"schemathesis ended with {status}")


def main():
    parser = argparse.ArgumentParser(prog="schemathesis.sh")
    parser.add_argument("--binary", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--schemathesis", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--description", type=os.path.realpath, default=str(DESCRIPTION))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=25, help="of each operation and phase")
    parser.add_argument("--log", help="where the server's log is kept")
    parser.add_argument("more", nargs="*", help="arguments of schemathesis run, after --")
    clean_up_when_interrupted()
    try:
        run(parser.parse_args())
    except Failure as failure:
        sys.exit(f"schemathesis: {failure}")


main()
