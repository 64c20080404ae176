"""The history of a customer, page by page and filtered."""

import time
from uuid import uuid4

from appstoreserverlibrary.api_client import GetTransactionHistoryVersion
from appstoreserverlibrary.models.TransactionHistoryRequest import (Order, ProductType,
                                                                    TransactionHistoryRequest)

import verification
from api_client import DAY, Calls
from world import APP

PURCHASES = 45  # two full pages of 20 and a part


class History(Calls):
    def pages(self, method, *arguments):
        """The IDs on all pages, and how many each had. The revision is what the pages are joined by."""
        ids, sizes, revision = [], [], None
        while True:
            answer = self.call(method, arguments[0], revision, *arguments[1:])
            if answer is None:
                return ids, sizes
            page = [verification.members(jws)["transactionId"] for jws in answer.signedTransactions]
            ids, sizes, revision = ids + page, [*sizes, len(page)], answer.revision
            if not answer.hasMore:
                return ids, sizes

    def history(self):
        customer, version = str(uuid4()), GetTransactionHistoryVersion.V2
        bought = [self.shop.buy("tenhints", appAccountToken=customer)["transactionID"] for _ in range(PURCHASES)]
        for version in GetTransactionHistoryVersion:
            for order, expected in ((Order.ASCENDING, bought), (Order.DESCENDING, bought[::-1])):
                request = TransactionHistoryRequest(sort=order)
                ids, sizes = self.pages("get_transaction_history", bought[0], request, version)
                self.equal(ids, expected, f"history {order.value}")
                self.equal(sizes, [20, 20, 5], "the pages of the history")
        self.filters(bought, version)
        for id in bought[:21]:
            self.shop.act(f"transactions/{id}/refund")
        ids, sizes = self.pages("get_refund_history", bought[0])
        self.equal((ids, sizes), (bought[:21], [20, 1]), "the refund history")
        revoked = TransactionHistoryRequest(revoked=True)
        self.equal(self.pages("get_transaction_history", bought[0], revoked, version)[0], bought[:21], "revoked=True")

    def filters(self, bought, version):
        now = int(time.time() * 1_000)
        for request, count in (
            (TransactionHistoryRequest(productTypes=[ProductType.CONSUMABLE, ProductType.NON_CONSUMABLE]), PURCHASES),
            (TransactionHistoryRequest(productTypes=[ProductType.AUTO_RENEWABLE]), 0),
            (TransactionHistoryRequest(productIds=[f"{APP}.tenhints"], revoked=False), PURCHASES),
            (TransactionHistoryRequest(startDate=now - DAY, endDate=now + DAY), PURCHASES),
            (TransactionHistoryRequest(startDate=now + DAY), 0),
        ):
            found = self.pages("get_transaction_history", bought[0], request, version)[0]
            self.equal(len(found), count, f"history of {request}")
