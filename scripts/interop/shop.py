"""The simulated App Store in one environment, as a customer and the store's staff see it."""

import requests
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

from failure import Failure
from world import APP, APP_NUMBER

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
