"""A server of its own, with the simulated store and one more root that it trusts."""

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass

from process import free_ports, running

APP, APP_NUMBER = "com.example.hangman", 1234567890


@dataclass(frozen=True)
class Addresses:
    address: str
    store: str


@contextmanager
def serving(folder, binary, authority):
    shutil.copy("products.json", folder)
    shutil.copytree("content", folder / "content")
    root = folder / "root.cer"
    root.write_bytes(authority.root_der)
    # The whole corpus comes from one address; what is limited is not what is compared.
    os.environ.update(
        QUARTERMASTER_ROOT_CERTIFICATES=str(root), QUARTERMASTER_LIMITS_RECEIPTS_PER_MINUTE="off",
        # Thousands of forgeries come from one account: each is to have its reason.
        QUARTERMASTER_LIMITS_REJECTED_KILOBYTES_PER_ACCOUNT="off",
        QUARTERMASTER_LIMITS_REJECTED_KILOBYTES_PER_ADDRESS="off",
        QUARTERMASTER_LIMITS_ACCOUNTS_PER_MINUTE="off", QUARTERMASTER_LOG_LEVEL="warning")
    port, store_port = free_ports(2)
    command = [
        binary, "serve", "--host", "127.0.0.1", "--port", str(port), "--database", str(folder / "ledger.sqlite"),
        "--products", str(folder / "products.json"), "--content", str(folder / "content"), "--simulator",
        "--simulator-port", str(store_port)]
    with running("the server", command, None, port, "/ready", folder / "server.log"):
        yield Addresses(f"http://127.0.0.1:{port}", f"http://127.0.0.1:{store_port}")
