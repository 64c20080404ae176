"""Every call of the Server API that the simulator answers, made by Apple's client, with what it answers compared."""

import time
from uuid import uuid4

import requests
from appstoreserverlibrary.api_client import APIException, AppStoreServerAPIClient, GetTransactionHistoryVersion
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, ProductType, TransactionHistoryRequest
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

import verification
from answers import is_as_told, joined, seconds_ahead
from client import APP
from shop import ANSWER_WITHIN

UNKNOWN = "999999999999999"
DAY = 86_400_000  # milliseconds
NOTIFIED_WITHIN = 20  # seconds
PURCHASES = 45  # two full pages of 20 and a part
RETRY_AFTER = 30  # seconds


def client(shop, key=None):
    api = AppStoreServerAPIClient(
        key or shop.key["privateKey"].encode(), shop.key["keyID"], shop.key["issuerID"], APP, shop.environment)
    api._base_url = shop.server_api  # The library knows Apple's addresses only.
    return api


class Calls:
    def __init__(self, shop, checks):
        self.shop, self.checks, self.api = shop, checks, client(shop)
        self.name = shop.environment.value

    def call(self, method, *arguments):
        return self.checks.succeeds(f"{self.name} {method}", getattr(self.api, method), *arguments)

    def refused(self, status, code, method, *arguments, api=None):
        what = f"{self.name} {method}, to be refused"
        try:
            getattr(api or self.api, method)(*arguments)
        except APIException as error:
            self.checks.equal((error.http_status_code, error.raw_api_error), (status, code), what)
        else:
            self.checks.expect(False, f"{what}: it was not")

    def equal(self, found, expected, what):
        return self.checks.equal(found, expected, f"{self.name} {what}")


class Acts(Calls):
    # MARK: - One transaction

    def transaction(self):
        bought = self.shop.buy("tenhints")
        id = bought["transactionID"]
        answer = self.call("get_transaction_info", id)
        decoded = answer and verification.transaction(
            self.shop, self.checks, answer.signedTransactionInfo, "get_transaction_info")
        self.equal(decoded and decoded.transactionId, id, "get_transaction_info")
        answer = self.call("get_app_transaction_info", id)
        if answer is not None:
            verification.app_transaction(
                self.shop, self.checks, answer.signedAppTransactionInfo, "get_app_transaction_info")
        token = str(uuid4())
        self.call("set_app_account_token", id, UpdateAppAccountTokenRequest(token))
        answer = self.call("get_transaction_info", id)
        found = answer and verification.members(answer.signedTransactionInfo).get("appAccountToken")
        self.equal(found, token, "set_app_account_token")
        self.call("finish_transaction", id)
        self.call("finish_transaction", id)
        self.consumption(id)
        self.order(bought)

    def consumption(self, id):
        self.call("send_consumption_data", id, ConsumptionRequestV1(
            customerConsented=True, rawConsumptionStatus=1, rawPlatform=1, sampleContentProvided=False,
            rawDeliveryStatus=0, appAccountToken="", rawAccountTenure=0, rawPlayTime=0, rawLifetimeDollarsRefunded=0,
            rawLifetimeDollarsPurchased=0, rawUserStatus=1, rawRefundPreference=0))
        self.call("send_consumption_information", id, ConsumptionRequest(
            customerConsented=True, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED,
            consumptionPercentage=50_000))
        told = self.shop.ask("GET", f"transactions/{id}/consumption", 200).json()
        self.equal(told.get("consumptionPercentage"), 50_000, "send_consumption_information")

    def order(self, bought):
        if self.shop.environment != Environment.PRODUCTION:
            self.refused(404, None, "look_up_order_id", "MS1")
            return
        answer = self.call("look_up_order_id", bought["orderID"])
        ids = [verification.members(jws)["transactionId"] for jws in (answer and answer.signedTransactions) or []]
        self.equal(ids, [bought["transactionID"]], "look_up_order_id")
        answer = self.call("look_up_order_id", "MS" + UNKNOWN)
        self.equal(answer and answer.status, OrderLookupStatus.INVALID, "look_up_order_id of an unknown order")

    # MARK: - Subscriptions

    def subscription(self):
        original = self.shop.buy("club.monthly", appAccountToken=str(uuid4()))["originalTransactionID"]
        self.extension_of_all(original)
        before = self.status(original, Status.ACTIVE)
        extension = ExtendRenewalDateRequest(3, ExtendReasonCode.CUSTOMER_SATISFACTION, str(uuid4()))
        for _ in range(2):  # The same request again extends nothing.
            answer = self.call("extend_subscription_renewal_date", original, extension)
            self.equal(answer and answer.success, True, "the extension")
            after = self.status(original, Status.ACTIVE)
            self.equal(after and before and after.expiresDate - before.expiresDate, 3 * DAY, "three more days")
            self.equal(answer and answer.effectiveDate, after and after.expiresDate, "the extension's date")
        for act, status in (
            ("grace", Status.BILLING_GRACE_PERIOD), ("billing-retry", Status.BILLING_RETRY), ("renew", Status.ACTIVE),
            ("expire", Status.EXPIRED), ("resubscribe", Status.ACTIVE), ("revoke", Status.REVOKED),
        ):
            self.shop.act(f"subscriptions/{original}/{act}")
            self.status(original, status)
        self.refused(403, 4030004, "extend_subscription_renewal_date", original, ExtendRenewalDateRequest(
            3, ExtendReasonCode.OTHER, str(uuid4())))
        self.refused(400, 4000009, "extend_subscription_renewal_date", original, ExtendRenewalDateRequest(
            91, ExtendReasonCode.OTHER, str(uuid4())))

    def extension_of_all(self, original):
        product, identifier = f"{APP}.club.monthly", str(uuid4())
        before = self.status(original, Status.ACTIVE)
        extension = MassExtendRenewalDateRequest(
            2, ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE, identifier, ["USA"], product)
        for _ in range(2):  # The same request again extends nothing.
            answer = self.call("extend_renewal_date_for_all_active_subscribers", extension)
            self.equal(answer and answer.requestIdentifier, identifier, "the extension of all")
            after = self.status(original, Status.ACTIVE)
            self.equal(after and before and after.expiresDate - before.expiresDate, 2 * DAY, "two more days for all")
        answer = self.call("get_status_of_subscription_renewal_date_extensions", identifier, product)
        self.equal(answer and answer.complete, True, "the status of the extension of all")
        self.checks.expect(bool(answer and answer.completeDate and answer.succeededCount), f"{self.name}: {answer}")
        self.refused(404, 4040009, "get_status_of_subscription_renewal_date_extensions", str(uuid4()), product)
        self.refused(400, 4000027, "extend_renewal_date_for_all_active_subscribers", MassExtendRenewalDateRequest(
            2, ExtendReasonCode.OTHER, str(uuid4()), [], product))

    def status(self, original, expected):
        """The transaction as it is now."""
        answer = self.call("get_all_subscription_statuses", original, [expected])
        items = [item for group in (answer and answer.data) or [] for item in group.lastTransactions]
        self.equal([item.status for item in items], [expected], "the subscription's status")
        if not items:
            return None
        verification.renewal(self.shop, self.checks, items[0].signedRenewalInfo, "the status: renewal info")
        return verification.transaction(
            self.shop, self.checks, items[0].signedTransactionInfo, "the status: transaction")

    # MARK: - Notifications

    def notifications(self):
        answer = self.call("request_test_notification")
        token = answer and answer.testNotificationToken
        status, deadline = None, time.monotonic() + NOTIFIED_WITHIN
        while token and time.monotonic() < deadline:
            status = self.call("get_test_notification_status", token)
            if status is None or status.sendAttempts:
                break
            time.sleep(0.2)
        results = [attempt.sendAttemptResult for attempt in (status and status.sendAttempts) or []]
        self.equal(results, [SendAttemptResult.SUCCESS], "the test notification")
        if status is not None:
            verification.notification(self.shop, self.checks, status.signedPayload, "the test notification")
        self.notification_history()
        self.refused(400, 4000020, "get_test_notification_status", "nonsense")

    def notification_history(self):
        now = int(time.time() * 1_000)
        request, token, count = NotificationHistoryRequest(startDate=now - DAY, endDate=now + DAY), None, 0
        while True:
            answer = self.call("get_notification_history", token, request)
            if answer is None:
                return
            for item in answer.notificationHistory:
                verification.notification(self.shop, self.checks, item.signedPayload, "a notification")
            count, token = count + len(answer.notificationHistory), answer.paginationToken
            if not answer.hasMore:
                break
        self.checks.expect(count > PURCHASES, f"{self.name}: only {count} notifications in the history")
        refunds = NotificationHistoryRequest(
            startDate=now - DAY, endDate=now + DAY, notificationType=NotificationTypeV2.REFUND)
        answer = self.call("get_notification_history", None, refunds)
        self.equal(answer and len(answer.notificationHistory), 20, "a page of refunds")


class History(Calls):
    """The history of a customer, page by page and filtered."""

    def pages(self, method, *arguments):
        """The IDs on all pages, and how many each had."""
        pages = list(joined(lambda revision: self.call(method, arguments[0], revision, *arguments[1:])))
        ids = [[verification.members(jws)["transactionId"] for jws in page.signedTransactions] for page in pages]
        return sum(ids, []), [len(page) for page in ids]

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


class Refusals(Calls):
    """What the Server API refuses, and how it tells whom to come back later."""

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
        wait = seconds_ahead(answer.headers.get("Retry-After"), before)
        self.checks.expect(
            is_as_told(wait, RETRY_AFTER, ANSWER_WITHIN), f"{self.name}: Retry-After is {wait} seconds ahead")


def run(shop, checks):
    acts = Acts(shop, checks)
    acts.transaction()
    History(shop, checks).history()
    acts.subscription()
    acts.notifications()
    Refusals(shop, checks).errors()
