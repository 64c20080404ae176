"""Plays a purchase with a client that openapi-python-client generated from docs/openapi.yaml. generated-client.sh starts it."""

import argparse
import hashlib
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from client import Client as Plain
from failure import Failure
from interruption import clean_up_when_interrupted
from process import free_ports, running

from quartermaster_client import AuthenticatedClient, Client
from quartermaster_client.api.player import (
    confirm_delivery, create_account, get_entitlements, get_manifest, list_products, restore_purchases, send_receipt,
    spend_credits)
from quartermaster_client.models import ConfirmationRequest, ReceiptRequest, RestoreRequest, SpendRequest

APP = "com.example.hangman"


def expect(what, found, wanted):
    if found != wanted:
        raise Failure(f"{what}: expected {wanted!r}, got {found!r}")


def buy(store, account, product, kind):
    return store.json("POST", "/simulator/v1/purchases", 201, body={
        "bundleID": APP, "productID": f"{APP}.{product}", "type": kind, "appAccountToken": account,
    })["signedTransaction"]


def play(server, store):
    anybody = Client(base_url=server)
    listed = list_products.sync(APP, client=anybody)
    expect("the products", len(listed.product_i_ds), 6)
    account = create_account.sync(client=anybody)
    player = AuthenticatedClient(base_url=server, token=account.access_token)
    for product, kind in (("hardwords", "non-consumable"), ("tenhints", "consumable")):
        receipt = buy(store, str(account.account), product, kind)
        answer = send_receipt.sync(client=player, body=ReceiptRequest(receipt=receipt))
        expect(f"{product}, transactions", [each.outcome.value for each in answer.transactions], ["delivered"])
        expect(f"{product}, finish", answer.finish, True)
    spent = spend_credits.sync("hints", client=player, body=SpendRequest(amount=3), idempotency_key="one")
    expect("the balance", spent.balance, 7)
    refused = spend_credits.sync_detailed("hints", client=player, body=SpendRequest(amount=8), idempotency_key="two")
    expect("too much, status", refused.status_code, 409)
    expect("too much, code", refused.parsed.code.value, "insufficient_balance")
    restored = restore_purchases.sync(client=player, body=RestoreRequest(receipts=[receipt]))
    expect("restored", [each.status.value for each in restored.receipts], ["verified"])
    entitlements = get_entitlements.sync(client=player)
    granted = [each.product for each in entitlements.entitlements if each.access.value == "granted"]
    expect("entitlements", granted, [f"{APP}.hardwords"])
    download(player)


def download(player):
    manifest = get_manifest.sync("hard-words", client=player)
    for file in manifest.files:
        # The link is used as it is.
        content = player.get_httpx_client().get(file.url).content
        expect(f"{file.path}, SHA-256", hashlib.sha256(content).hexdigest(), file.sha256)
    wrong = confirm_delivery.sync_detailed(
        manifest.delivery, client=player, body=ConfirmationRequest(sha256="0" * 64))
    expect("another delivery, code", wrong.parsed.code.value, "delivery_mismatch")
    print(f"check-generated-client: {len(manifest.files)} files of {manifest.bundle} {manifest.version}")


def main():
    parser = argparse.ArgumentParser(prog="generated-client.sh")
    parser.add_argument("--binary", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    clean_up_when_interrupted()
    port, store_port = free_ports(2)
    try:
        with TemporaryDirectory(prefix="quartermaster-client.") as name:
            folder = Path(name)
            shutil.copy("products.json", folder)
            command = [
                options.binary, "serve", "--host", "127.0.0.1", "--port", str(port), "--simulator", "--simulator-port",
                str(store_port), "--database", str(folder / "ledger.sqlite"), "--products",
                str(folder / "products.json")]
            with running("the server", command, None, port, "/ready", folder / "server.log"):
                play(f"http://127.0.0.1:{port}", Plain(store_port))
    except Failure as failure:
        sys.exit(f"check-generated-client: {failure}")
    print("check-generated-client: account, purchases, spend, restore, entitlements, manifest, files: as described")


main()
