"""A server of its own that trusts one root more, and its simulated App Store as customers and the staff see it."""

import os
from contextlib import contextmanager

import requests
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

import process
from client import APP
from failure import Failure

APP_NUMBER = 1234567890
ENVIRONMENTS = (Environment.PRODUCTION, Environment.SANDBOX)
ANSWER_WITHIN = 30  # seconds
TYPES = {
    "tenhints": "consumable", "hardwords": "non-consumable", "nighttheme.month": "non-renewing",
    "club.monthly": "auto-renewable"}


class Shop:
    def __init__(self, address, environment):
        self.address, self.environment = address, environment
        self.root = self.ask("GET", "root.cer", 200).content
        self.key = self.ask("GET", f"api-key?bundleID={APP}", 200).json()

    @property
    def server_api(self):
        return f"{self.address}/{self.environment.value.lower()}"

    def ask(self, method, path, expected, body=None):
        answer = requests.request(method, f"{self.address}/simulator/v1/{path}", json=body, timeout=ANSWER_WITHIN)
        if answer.status_code != expected:
            raise Failure(f"{method} {path}: expected {expected}, got {answer.status_code} {answer.text[:600]}")
        return answer

    def buy(self, product, **members):
        return self.ask("POST", "purchases", 201, {
            "bundleID": APP, "productID": f"{APP}.{product}", "type": TYPES[product],
            "environment": self.environment.value, **members}).json()

    def act(self, path, body=None):
        return self.ask("POST", path, 200, body).json()

    def verifier(self, *roots):
        return SignedDataVerifier([self.root, *roots], False, self.environment, APP, APP_NUMBER)


@contextmanager
def serving(folder, binary, authority):
    """The addresses of the server and of the store."""
    process.stock(folder)
    root = folder / "root.cer"
    root.write_bytes(authority.root_der)
    # The whole corpus comes from one address; what is limited is not what is compared.
    os.environ.update(
        QUARTERMASTER_ROOT_CERTIFICATES=str(root), QUARTERMASTER_LIMITS_RECEIPTS_PER_MINUTE="off",
        # Thousands of forgeries come from one account: each is to have its reason.
        QUARTERMASTER_LIMITS_REJECTED_KILOBYTES_PER_ACCOUNT="off",
        QUARTERMASTER_LIMITS_REJECTED_KILOBYTES_PER_ADDRESS="off",
        QUARTERMASTER_LIMITS_ACCOUNTS_PER_MINUTE="off", QUARTERMASTER_LOG_LEVEL="warning")
    port, store_port = process.free_ports(2)
    with process.serving(binary, folder, port, store_port):
        yield f"http://127.0.0.1:{port}", f"http://127.0.0.1:{store_port}"
