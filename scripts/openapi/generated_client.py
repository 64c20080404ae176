"""Plays a purchase with a client that openapi-python-client generated from docs/openapi.yaml. generated-client.sh starts it."""

import hashlib
import sys

from client import APP
from client import Client as Plain
from failure import Failure, folder_of, run_of
from process import free_ports, serving, stock

from quartermaster_client import AuthenticatedClient, Client
from quartermaster_client.api.player import (
    confirm_delivery, create_account, get_entitlements, get_manifest, list_products, restore_purchases, send_receipt,
    spend_credits)
from quartermaster_client.models import ConfirmationRequest, ReceiptRequest, RestoreRequest, SpendRequest

def expect(what, found, wanted):
    if found != wanted:
        raise Failure(f"{what}: expected {wanted!r}, got {found!r}")


def play(server, store):
    anybody = Client(base_url=server)
    listed = list_products.sync(APP, client=anybody)
    expect("the products", len(listed.product_i_ds), 6)
    account = create_account.sync(client=anybody)
    player = AuthenticatedClient(base_url=server, token=account.access_token)
    for product, kind in (("hardwords", "non-consumable"), ("tenhints", "consumable")):
        receipt = store.buy(product, kind, appAccountToken=str(account.account))["signedTransaction"]
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
    wrong = confirm_delivery.sync_detailed(manifest.delivery, client=player, body=ConfirmationRequest(sha256="0" * 64))
    expect("another delivery, code", wrong.parsed.code.value, "delivery_mismatch")
    print(f"check-generated-client: {len(manifest.files)} files of {manifest.bundle} {manifest.version}")


def main():
    port, store_port = free_ports(2)
    with run_of("check-generated-client"), folder_of("quartermaster-client", None) as folder:
        stock(folder)
        with serving(sys.argv[1], folder, port, store_port):
            play(f"http://127.0.0.1:{port}", Plain(store_port))
    print("check-generated-client: account, purchases, spend, restore, entitlements, manifest, files: as described")


main()
