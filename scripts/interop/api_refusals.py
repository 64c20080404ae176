"""What the Server API refuses, and how it tells whom to come back later."""

import time

import requests
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from api_client import UNKNOWN, Calls, client
from shop import ANSWER_WITHIN

RETRY_AFTER = 30  # seconds


class Refusals(Calls):
    def errors(self):
        for method, *arguments in (
            ("get_transaction_info",), ("get_transaction_history", None, TransactionHistoryRequest()),
            ("get_all_subscription_statuses",), ("get_refund_history", None), ("finish_transaction",),
        ):
            self.refused(404, 4040010, method, UNKNOWN, *arguments)
            self.refused(400, 4000006, method, "nonsense", *arguments)
        other = ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        self.refused(401, None, "get_transaction_info", UNKNOWN, api=client(self.shop, other))
        self.rate_limit()
        self.shop.ask("POST", "faults", 204, {"http": 503, "count": 1})
        self.refused(503, None, "get_transaction_info", UNKNOWN)

    def rate_limit(self):
        fault = {"retryAfterSeconds": RETRY_AFTER, "count": 2, "path": "/inApps/v1/transactions"}
        self.shop.ask("POST", "faults", 204, fault)
        self.refused(429, 4290000, "get_transaction_info", UNKNOWN)
        before = time.time()
        # The library's exception does not tell the header.
        answer = requests.get(
            f"{self.shop.server_api}/inApps/v1/transactions/{UNKNOWN}", headers=self.api._get_headers(),
            timeout=ANSWER_WITHIN)
        wait = int(answer.headers.get("Retry-After", 0)) / 1_000 - before
        self.checks.expect(
            RETRY_AFTER - 1 <= wait <= RETRY_AFTER + ANSWER_WITHIN, f"{self.name}: Retry-After is {wait} seconds ahead")
