"""What happens to players in a year: every kind of receipt, and what the App Store and administrators do meanwhile."""

import base64
import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field

import shop
from shop import APP, SECOND_APP

CREDITS = ["tenhints", "tenhints", "hundredhints", "starter"]
LASTING = ["hardwords", "ioswords", "seasonal"]
NIGHTS = ["nighttheme.month", "nighttheme.week"]
SUBSCRIPTIONS = {"club.monthly": "P1M", "club.gold": "P1M", "magazine.weekly": "P1W"}
# A receipt of a purchase, in the forms that a client may have.
FORMS = {"signedTransaction": 10, "appReceipt": 2, "transactionReceipt": 2, "transactionID": 2, "unity": 1}
REASON = {"reason": "ticket 7"}


@dataclass
class Player:
    account: str
    token: str
    code: str
    bought: list = field(default_factory=list)
    lines: dict = field(default_factory=dict)
    sent: list = field(default_factory=list)


class Stories:
    def __init__(self, world, xcode, admin, generator):
        self.world, self.xcode, self.admin, self.random = world, xcode, admin, generator
        self.players, self.blocked, self.contested = [], [], []
        self.outcomes, self.spends = Counter(), 0

    # MARK: Asking

    def join(self):
        answer = self.world.server.ask("POST", "/v1/accounts", expected=[201]).json
        self.players.append(Player(answer["account"], answer["accessToken"], answer["recoveryCode"]))
        return self.players[-1]

    def anybody(self, but=None):
        while (player := self.random.choice(self.players)) is but:
            pass
        return player

    def call(self, player, method, path, body=None, headers=(), expected=None):
        return self.world.server.ask(method, path, body, player.token, headers, expected)

    def support(self, method, path, body=None, headers=(), expected=(200,)):
        return self.world.server.ask(method, f"/admin/v1/{path}", body, self.admin, headers, expected)

    def send(self, player, receipt, app=APP, expected=(200, 202, 409, 422), **members):
        body = {"receipt": receipt, "bundleID": app, **members}
        answer = self.call(player, "POST", "/v1/receipts", body, expected=expected)
        told = answer.json
        outcomes = "+".join(sorted({each["outcome"] for each in told.get("transactions", [])}))
        self.outcomes[f"{answer.status} {told.get('reason', outcomes)}"] += 1
        player.sent.append(told.get("receipt"))
        return answer

    def buy(self, player, name, kind, app=APP, is_named=True, **members):
        members.setdefault("customer", player.account)
        if is_named:
            members["appAccountToken"] = player.account
        product = name if name.startswith("com.") else f"{app}.{name}"
        purchase = self.world.buy(app, product, kind, **members)
        player.bought.append((purchase["transactionID"], kind))
        return purchase

    def form(self, purchase):
        form = self.random.choices(list(FORMS), FORMS.values())[0]
        if form == "unity":
            return json.dumps({
                "Store": "AppleAppStore", "TransactionID": purchase["transactionID"],
                "Payload": purchase["appReceipt"]})
        return purchase[form]

    def buy_and_send(self, player, name, kind, **members):
        purchase = self.buy(player, name, kind, **members)
        return self.send(player, self.form(purchase))

    # MARK: Receipts

    def credits(self, player):
        members = {"quantity": self.random.choice([1, 1, 1, 2, 5])}
        self.buy_and_send(player, self.random.choice(CREDITS), "consumable", **members)

    def lasting(self, player):
        self.buy_and_send(player, self.random.choice(LASTING), "non-consumable")

    def night(self, player):
        self.buy_and_send(player, self.random.choice(NIGHTS), "non-renewing", quantity=self.random.choice([1, 1, 2]))

    def second_app(self, player):
        name, kind = self.random.choice([("letters", "consumable"), ("pack", "non-consumable")])
        purchase = self.buy(player, name, kind, SECOND_APP, environment=self.random.choice(["Production", "Sandbox"]))
        self.send(player, self.random.choice([purchase["signedTransaction"], purchase["appReceipt"]]), SECOND_APP)

    def sandbox(self, player):
        purchase = self.buy(player, self.random.choice(CREDITS), "consumable", environment="Sandbox")
        self.send(player, purchase["signedTransaction"])

    def family(self, player):
        purchase = self.buy(player, "hardwords", "non-consumable", is_named=False, ownershipType="FAMILY_SHARED")
        self.send(player, purchase["signedTransaction"])
        if self.random.random() < 0.4:
            self.world.act(f"transactions/{purchase['transactionID']}/revoke")

    def from_xcode(self, player):
        name, kind = self.random.choice([("tenhints", "Consumable"), ("hardwords", "Non-Consumable")])
        self.send(player, self.xcode.transaction(f"{APP}.{name}", kind, self.world.now))

    def not_in_the_catalog(self, player):
        purchase = self.world.buy(
            APP, shop.LATE_PRODUCT, "non-consumable", appAccountToken=player.account, customer=player.account)
        self.send(player, purchase["signedTransaction"])

    def other_type(self, player):
        purchase = self.world.buy(APP, f"{APP}.hardwords", "consumable", appAccountToken=player.account)
        self.send(player, purchase["signedTransaction"])

    def twice(self, player):
        purchase = self.buy(player, "tenhints", "consumable")
        for receipt in (purchase["signedTransaction"], purchase["signedTransaction"], purchase["appReceipt"]):
            self.send(player, receipt)

    def of_somebody_else(self, player):
        """What the buyer's token names stays; what it does not name belongs to the first, then to who shows newer."""
        buyer = self.anybody(but=player)
        purchase = self.buy(buyer, "hardwords", "non-consumable", is_named=self.random.random() < 0.3)
        self.send(buyer, purchase["signedTransaction"])
        self.contested.append((buyer.account, player))
        self.send(player, purchase["signedTransaction"])

    def transfer(self, player):
        """A newer app receipt of the same customer, shown by another account."""
        if not self.contested:
            return self.of_somebody_else(player)
        customer, other = self.contested.pop(0)
        receipt = self.world.store.ask(
            "GET", f"/simulator/v1/customers/{customer}/receipt?bundleID={APP}", expected=[200]).json["appReceipt"]
        return self.send(other, receipt)

    def restore(self, player):
        session = self.world.server.ask("POST", "/v1/sessions", {"recoveryCode": player.code}, expected=[201]).json
        purchases = [self.buy(player, "tenhints", "consumable"), self.buy(player, "hardwords", "non-consumable")]
        body = {"bundleID": APP, "receipts": [self.form(each) for each in purchases] + ["nothing"]}
        self.world.server.ask("POST", "/v1/restore", body, session["accessToken"], expected=[200])
        if self.random.random() < 0.5:
            self.world.server.ask("DELETE", "/v1/sessions/current", token=session["accessToken"], expected=[204])

    def wrong(self, player):
        """What is refused: an altered signature, another app's, what nobody can read, what the store does not know."""
        receipt = self.buy(player, "tenhints", "consumable", customer=f"stranger-{self.spends}")["signedTransaction"]
        head, payload, signature = receipt.split(".")
        altered = ("B" if signature[0] == "A" else "A") + signature[1:]
        choices = [
            (f"{head}.{payload}.{altered}", APP), (receipt, SECOND_APP), ("not a receipt at all", APP),
            (base64.b64encode(b"0\x82\x01\x00" + bytes(64)).decode(), APP), ("2000000000000001", APP),
            (base64.b64encode(b'{"purchase-info" = "e30="; "signature" = "AA==";}').decode(), APP)]
        receipt, app = self.random.choice(choices)
        self.send(player, receipt, app)

    # MARK: Subscriptions

    def subscribe(self, player):
        name = self.random.choice(list(SUBSCRIPTIONS))
        members = {"period": SUBSCRIPTIONS[name]}
        if self.random.random() < 0.3:
            members.update(offerType=1, offerDiscountType="FREE_TRIAL", offerPeriod="P3D")
        purchase = self.buy(player, name, "auto-renewable", **members)
        player.lines[purchase["originalTransactionID"]] = name
        self.send(player, self.form(purchase))

    def live(self, player):
        """Something happens to a subscription; the app shows what comes of it, or the store tells it by itself."""
        if not player.lines:
            return self.subscribe(player)
        line = self.random.choice(list(player.lines))
        other = {"club.monthly": "club.gold", "club.gold": "club.monthly"}.get(player.lines[line])
        acts = [
            ("renew", {}), ("renew", {}), ("renew", {}), ("cancel", {}), ("reenable", {}), ("grace", {}),
            ("billing-retry", {}), ("grace-period-expired", {}), ("expire", {"reason": "voluntary"}),
            ("expire", {"reason": "billing-retry"}), ("resubscribe", {}), ("price-increase", {"consent": "pending"}),
            ("price-increase", {"consent": "accepted"}), ("extend", {"days": 14}),
            ("redeem-offer", {"offerType": 2, "offerIdentifier": "winter", "offerDiscountType": "PAY_AS_YOU_GO"}),
        ]
        if other:
            product = {"productID": f"{APP}.{other}"}
            acts += [("upgrade", product), ("downgrade", product), ("crossgrade", product)]
        name, body = self.random.choice(acts)
        purchase = self.world.act(f"subscriptions/{line}/{name}", body, expected=(200, 409))
        if "signedTransaction" in purchase and self.random.random() < 0.7:
            return self.send(player, purchase["signedTransaction"])
        return None

    # MARK: What the App Store does

    def refund(self, player):
        if not player.bought:
            return
        transaction, _ = self.random.choice(player.bought)
        body = self.random.choice([{}, {"reason": 1}, {"percentage": 25_000}, {"percentage": 50_000, "reason": 1}])
        refunded = self.world.act(f"transactions/{transaction}/refund", body)
        if self.random.random() < 0.3:
            self.send(player, refunded["signedTransaction"])
        if self.random.random() < 0.3:
            self.world.act(f"transactions/{transaction}/refund-reversed")

    def regret(self, player):
        """Credits that are spent by then: what cannot be taken back of hints is forgiven."""
        purchase = self.buy(player, "hundredhints", "consumable")
        self.send(player, purchase["signedTransaction"])
        self.spends += 1
        balances = self.call(player, "GET", f"/v1/entitlements?bundleID={APP}", expected=[200]).json["balances"]
        if balances.get("hints", 0) > 0:
            self.call(player, "POST", "/v1/balances/hints/spend", {"amount": balances["hints"], "bundleID": APP},
                      {"Idempotency-Key": f"round-{self.spends}"}, expected=[200])
        refunded = self.world.act(f"transactions/{purchase['transactionID']}/refund")
        self.send(player, refunded["signedTransaction"])
        if self.random.random() < 0.5:
            restored = self.world.act(f"transactions/{purchase['transactionID']}/refund-reversed")
            self.send(player, restored["signedTransaction"])

    def ask_about_consumption(self, player):
        if not player.bought:
            return
        self.call(player, "PUT", "/v1/accounts/current/consumption-consent",
                  {"consents": self.random.random() < 0.7}, expected=[204])
        transaction, _ = self.random.choice(player.bought)
        self.world.act(f"transactions/{transaction}/consumption-request", {"reason": "UNINTENDED_PURCHASE"})
        if self.random.random() < 0.3:
            self.world.act(f"transactions/{transaction}/refund-declined")

    def never_sent(self, player):
        """The store tells of it; the app never came to."""
        is_named = self.random.random() < 0.5
        customer = player.account if is_named else f"nobody-{self.spends}"
        self.spends += 1
        self.buy(player, "tenhints", "consumable", is_named=is_named, customer=customer)

    # MARK: What players do

    def spend(self, player):
        self.spends += 1
        currency, amount = self.random.choice([("hints", 3), ("hints", 40), ("coins", 1)])
        for _ in range(self.random.choice([1, 1, 2])):
            self.call(player, "POST", f"/v1/balances/{currency}/spend", {"amount": amount, "bundleID": APP},
                      {"Idempotency-Key": f"round-{self.spends}"}, expected=[200, 409])

    def download(self, player):
        bundles = self.call(player, "GET", "/v1/bundles", expected=[200]).json["bundles"]
        for bundle in bundles:
            manifest = self.call(player, "GET", f"/v1/bundles/{bundle['bundle']}", expected=[200, 403, 404]).json
            if "delivery" in manifest and self.random.random() < 0.6:
                self.confirm(player, manifest)

    def confirm(self, player, manifest):
        """The SHA-256 of the signed manifest's bytes; now and then another one."""
        payload = manifest["signed"].split(".")[1]
        data = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
        digest = hashlib.sha256(data if self.random.random() < 0.9 else b"").hexdigest()
        self.call(player, "POST", f"/v1/deliveries/{manifest['delivery']}/confirm", {"sha256": digest},
                  expected=[200, 422])

    # MARK: What administrators do

    def help(self, player):
        path = f"accounts/{player.account}"
        self.spends += 1
        key = {"Idempotency-Key": f"gift-{self.spends}"}
        acts = [
            lambda: self.support("POST", f"{path}/credits", {
                "currency": "hints", "amount": self.random.choice([20, -7]), "bundleID": APP, **REASON}, key),
            lambda: self.support("POST", f"{path}/credits", {
                "currency": "letters", "amount": 5, "bundleID": SECOND_APP, "environment": "Sandbox", **REASON}, key),
            lambda: self.support("PUT", f"{path}/tester", REASON),
            lambda: self.support("DELETE", f"{path}/tester", REASON),
            lambda: self.support("PUT", f"{path}/beta", REASON),
            lambda: self.support("POST", f"{path}/sandbox-reset", REASON),
            lambda: self.block(player, path),
        ]
        self.random.choice(acts)()

    def block(self, player, path):
        self.support("POST", f"{path}/block", REASON)
        purchase = self.buy(player, "tenhints", "consumable")
        self.send(player, purchase["signedTransaction"], expected=(200, 202, 403, 409, 422))
        if self.random.random() < 0.7:
            self.support("POST", f"{path}/unblock", REASON)
        else:
            self.players.remove(player)
            self.blocked.append(player)

    def move(self, player):
        transaction = next((id for id, kind in player.bought if kind == "non-consumable"), None)
        if transaction:
            self.support(
                "POST", f"lines/Production/{transaction}/move",
                {"to": self.anybody(but=player).account, "bundleID": APP, **REASON}, expected=(200, 404, 409))

    def log_out_everywhere(self, player):
        """The player comes back by the recovery code."""
        self.support("POST", f"accounts/{player.account}/sessions/revoke", REASON)
        session = self.world.server.ask("POST", "/v1/sessions", {"recoveryCode": player.code}, expected=[201]).json
        player.token = session["accessToken"]

    # MARK: Choosing

    # Of 100 things that happen, so many are such.
    WEIGHTS = {
        "credits": 22, "lasting": 8, "night": 6, "second_app": 4, "sandbox": 2, "family": 2, "from_xcode": 2,
        "not_in_the_catalog": 1, "other_type": 1, "twice": 2, "of_somebody_else": 2, "transfer": 2, "restore": 2,
        "wrong": 4, "subscribe": 6, "live": 16, "refund": 5, "regret": 0.5, "ask_about_consumption": 1, "never_sent": 1,
        "spend": 8, "download": 4, "help": 3, "move": 0.5, "log_out_everywhere": 0.5,
    }

    def happen(self):
        name = self.random.choices(list(self.WEIGHTS), self.WEIGHTS.values())[0]
        getattr(self, name)(self.anybody())
