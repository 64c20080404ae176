"""What support is asked most, played without JavaScript from the overview to the result.

Each press of a button, a link or a fold is counted, and each choice from a list; what is typed is not. No case may take
more than MOST_CLICKS, and each ends with what the player has then, as the server tells the player's app.
"""

import re
import uuid

from playwright.sync_api import Error

from process import eventually
from world import APP

MOST_CLICKS = 6
GIFTS = 500
SEEN_WITHIN = 30  # seconds: a notification, and a catalog that is read again


class Desk:
    """A signed-in browser whose presses are counted."""

    def __init__(self, visitor, world, expect):
        self.visitor, self.world, self.expect = visitor, world, expect
        self.clicks = 0

    def begin(self):
        self.visitor.open("/admin")
        self.clicks = 0

    def press(self, text, place="main"):
        """A button or a link by its whole text."""
        self.clicks += 1
        self.visitor.click(f"{place} :is(a, button):text-is('{text}') >> nth=0")

    def find(self, text):
        self.type(q=text)
        self.press("Find")

    def type(self, **fields):
        for name, text in fields.items():
            self.visitor.page.fill(f"main input[name={name}]", text)

    def unfold(self, text):
        self.clicks += 1
        self.visitor.page.click(f"summary:text-is('{text}')")

    def choose(self, name, file, text):
        """A file of the computer."""
        self.clicks += 1
        self.visitor.page.set_input_files(
            f"main input[name={name}]", files=[{"name": file, "mimeType": "text/csv", "buffer": text.encode()}])

    def sees(self, *words):
        text = " ".join(self.visitor.text.split())
        for each in words:
            self.expect(each in text, f"no word of {each}: {text[:900]}")

    def sees_not(self, word):
        self.expect(word not in self.visitor.text, f"{word}: {self.visitor.text[:900]}")


def headers(player):
    return {"Authorization": f"Bearer {player['accessToken']}"}


def has(world, player, environment="Production"):
    """The credits, and the products with access, by what the player's app is told."""
    status, answer = world.request(
        "GET", f"{world.base}/v1/entitlements?bundleID={APP}&environment={environment}", headers=headers(player))
    assert status == 200, answer
    granted = {each["product"].removeprefix(f"{APP}.") for each in answer["entitlements"]
               if each["access"] == "granted" and each["environment"] == environment}
    return answer["balances"].get("hints", 0), granted


def spend(world, player, amount):
    status, answer = world.request(
        "POST", f"{world.base}/v1/balances/hints/spend", {"amount": amount, "bundleID": APP},
        {**headers(player), "Idempotency-Key": str(uuid.uuid4())})
    assert status == 200, answer


def at_store(world, path, body=None):
    status, answer = world.request("POST", f"{world.store}/simulator/v1/{path}", body or {})
    assert status in (200, 201), answer
    return answer


def sign_in(world, code):
    return world.request("POST", f"{world.base}/v1/sessions", {"recoveryCode": code})


# MARK: - Cases

def lost_hints(desk, world):
    """She had ten hints, the game crashed, and they are gone. Her game shows the beginning of her account's ID."""
    player = world.player()
    world.buy("tenhints", "consumable", player)
    spend(world, player, 10)
    desk.find(player["account"][:8])
    desk.press("Give or take back credits")
    desk.type(amount="10")
    desk.press("Preview the result")
    desk.sees("Before 0 hints", "After 10 hints")
    desk.type(reason="ticket 101: the game crashed")
    desk.press("Give 10 hints")
    desk.sees("The credits were posted.", "Now: 10 hints", "ticket 101: the game crashed")
    desk.expect(has(world, player)[0] == 10, f"the balance is {has(world, player)}")


def refund_dispute(desk, world):
    """He says that he was never refunded, and that hints were taken from him. He has the order number."""
    player = world.player()
    bought = world.buy("hundredhints", "consumable", player)
    spend(world, player, 99)
    refund = at_store(world, f"transactions/{bought['transactionID']}/refund")
    world.send(refund["signedTransaction"], player)
    desk.find(bought["orderID"])
    desk.unfold("The last changes")
    desk.sees("Refunded", "by the App Store", "1 of 1 purchases", "-100 hints", "Now: -99 hints")
    desk.expect(has(world, player)[0] == -99, f"the balance is {has(world, player)}")


def nothing_came(desk, world):
    """She paid, the app finished the purchase and sent nothing. She has the order number."""
    player, bought = world.player(), world.pay("hundredhints", "consumable")
    desk.find(bought["orderID"])
    desk.sees("The purchase is genuine and nobody was given it", "restored by StoreKit")
    desk.press("Give it to an account")
    desk.type(to=player["account"])
    desk.press("Preview the result")
    desk.sees("none before, hints 100 after it")
    desk.type(reason="ticket 103")
    desk.press("Give")
    desk.sees("The purchase was transferred to this account.", "Now: 100 hints")
    desk.expect(has(world, player)[0] == 100, f"the balance is {has(world, player)}")


def new_phone(desk, world):
    """He restored on a new phone, and asks where his words are. He has the order number."""
    former, phone = world.player(), world.player()
    bought = world.pay("hardwords", "non-consumable")
    assert world.send(bought["signedTransaction"], former)[0] == 200
    restored = at_store(world, f"transactions/{bought['transactionID']}/restore")
    status, answer = world.send(restored["signedTransaction"], phone)
    assert status == 200, answer
    desk.find(former["account"])
    desk.sees("Transferred", phone["account"])
    desk.press(f"now of {phone['account']}")
    desk.sees("Given")
    desk.expect(has(world, phone)[1] == {"hardwords"} and not has(world, former)[1], f"he has {has(world, phone)}")


def lost_code(desk, world):
    """She has a new phone, and no longer knows her recovery code."""
    player = world.player()
    world.buy("hardwords", "non-consumable", player)
    desk.find(player["account"])
    desk.press("Give a new recovery code")
    desk.type(reason="ticket 105: she named her last two orders")
    desk.press("Give a new recovery code")
    desk.sees("It is shown this once.")
    code = desk.visitor.page.inner_text("main dd >> nth=1").strip()
    status, session = sign_in(world, code)
    desk.expect(status == 201 and has(world, session)[1] == {"hardwords"}, f"the code {code}: {status}")


def two_accounts(desk, world):
    """He bought as one player and signed in as another, whose account he names."""
    first, second = world.player(), world.player()
    bought = world.buy("ioswords", "non-consumable", first)
    status, _ = world.send(bought["signedTransaction"], second)
    assert status == 409, status
    desk.find(second["account"])
    desk.sees("Bought, but another account has it", first["account"][:8])
    desk.press("Transfer it here")
    desk.sees(f"{APP}.ioswords", "1.99 EUR", "Owner after it")
    desk.type(reason="ticket 106: both are his")
    desk.press("Transfer")
    desk.sees("The purchase was transferred to this account.")
    desk.expect(has(world, second)[1] == {"ioswords"} and not has(world, first)[1], f"he has {has(world, second)}")


def wrong_type(desk, world):
    """She was given nothing: the catalog has the product as consumable, and it is none."""
    player, product = world.player(), f"{APP}.posters"
    world.done("PUT", f"/admin/v1/apps/{APP}/products/{product}", {"type": "consumable", "bundles": ["night-theme"]},
               desk.admin)
    bought = world.buy("posters", "non-consumable", player)
    desk.find(bought["orderID"])
    desk.sees("Not given", "consumable", "non-consumable")
    desk.press("Correct its type")
    desk.press("Review the changes")
    desk.sees("Type in the App Store non-consumable")
    desk.press("Save it")
    desk.sees("The product was changed.")
    eventually("the purchase is not given", SEEN_WITHIN, lambda: has(world, player)[1] == {"posters"})


def stolen(desk, world):
    """Somebody else plays with his account, and knows the recovery code."""
    player = world.player()
    world.buy("hardwords", "non-consumable", player)
    _, thief = sign_in(world, player["recoveryCode"])
    desk.find(player["account"])
    desk.press("Give a new recovery code")
    desk.type(reason="ticket 108: he named his last two orders")
    desk.press("Give a new recovery code")
    code = desk.visitor.page.inner_text("main dd >> nth=1").strip()
    desk.press("Back to the account")
    desk.press("End all sessions")
    desk.type(reason="ticket 108: the account was stolen")
    desk.press("End all sessions")
    desk.sees("All sessions were ended.")
    for each in (thief, player):
        status, _ = world.request("GET", f"{world.base}/v1/entitlements", headers=headers(each))
        desk.expect(status == 401, f"a session goes on: {status}")
    desk.expect(sign_in(world, player["recoveryCode"])[0] == 401, "the thief's code opens a session")
    status, session = sign_in(world, code)
    desk.expect(status == 201 and has(world, session)[1] == {"hardwords"}, f"the new code: {status}")


def family(desk, world):
    """He sees the club as bought, and never paid for it."""
    player = world.player()
    world.buy("club.monthly", "auto-renewable", player, ownershipType="FAMILY_SHARED")
    desk.find(player["account"])
    desk.sees("Shared by the family: another member pays.", "nothing bought")
    desk.sees_not("Extend the renewal date")
    desk.expect("club.monthly" in has(world, player)[1], f"he has {has(world, player)}")


def says_expired(desk, world):
    """She says that her club ended without a reason."""
    player = world.player()
    bought = world.buy("club.monthly", "auto-renewable", player)
    for act in ("cancel", "expire"):
        at_store(world, f"subscriptions/{bought['originalTransactionID']}/{act}")
    eventually("the subscription does not end", SEEN_WITHIN, lambda: not has(world, player)[1])
    desk.find(player["account"])
    text = " ".join(desk.visitor.page.inner_text("#subscriptions").split())
    desk.expect(re.search(r"Ended Ended on .*: the customer turned renewal off on ", text), f"why it ended: {text}")


def reviewer(desk, world):
    """The studio wants an account for App Review, which buys in the sandbox."""
    player = world.player()
    bought = world.pay("hardwords", "non-consumable", environment="Sandbox", appAccountToken=player["account"])
    assert world.send(bought["signedTransaction"], player)[0] == 200
    desk.expect(not has(world, player, "Sandbox")[1], "given before")
    desk.find(player["account"])
    desk.press("Make it a tester")
    desk.sees("No app lets testers in")
    desk.type(reason="ticket 112: App Review")
    desk.press("Make it a tester")
    desk.sees("The account is a tester, and these apps let no testers in")
    desk.press("Let testers in")
    desk.press("Save it")
    eventually("the tester is not let in", SEEN_WITHIN, lambda: has(world, player, "Sandbox")[1] == {"hardwords"})
    desk.visitor.open(f"/admin/accounts/{player['account']}")
    desk.sees("Given")
    desk.sees_not("these apps let no testers in")


def gifts(desk, world):
    """A partner was promised hard words for its players, and sends their accounts as a file."""
    players = [world.player() for _ in range(GIFTS)]
    desk.unfold("Players")
    desk.press("Accounts", "nav")
    desk.press("Give to a list of accounts")
    desk.type(product=f"{APP}.hardwords")
    desk.choose("file", "partner.csv", "".join(f"{each['account']},gold\n" for each in players))
    desk.press("Preview the result")
    desk.sees(f"{GIFTS} accounts", "It ends never")
    desk.type(reason="ticket 107: the partner's players")
    desk.press(f"Give it to {GIFTS} accounts")
    desk.sees(f"It was given to {GIFTS} accounts.")
    looked_at = (players[0], players[GIFTS // 2], players[-1])
    desk.expect(all(has(world, each)[1] == {"hardwords"} for each in looked_at), "somebody has no hard words")


# The role that is enough for it, by case. The tester's changes whom the sandbox admits, so it comes last.
CASES = {
    "lost hints": ("support", lost_hints), "refund dispute": ("support", refund_dispute),
    "bought, nothing came": ("support", nothing_came), "new phone": ("support", new_phone),
    "new phone, code lost": ("support", lost_code), "two accounts": ("support", two_accounts),
    "wrong product type": ("write", wrong_type), "stolen account": ("support", stolen),
    f"{GIFTS} gifts for a partner": ("support", gifts),
    "Family Sharing": ("support", family), "says expired": ("support", says_expired),
    "tester for App Review": ("write", reviewer),
}


def cases(browser, world, tokens, Visitor, expect, passed):
    desks = {}
    for role, name in (("support", "dora"), ("write", "alice")):
        visitor = Visitor(browser, world, java_script_enabled=False).sign_in(tokens[name])
        desks[role] = Desk(visitor, world, expect)
        desks[role].admin = {"Authorization": f"Bearer {tokens[name]}"}
    for name, (role, play) in CASES.items():
        desk = desks[role]
        desk.expect = lambda is_so, what, name=name: expect(is_so, f"{name}: {what}")
        desk.begin()
        try:
            play(desk, world)
        except Error as error:
            expect(False, f"{name}: a dead end after {desk.clicks} clicks, at {desk.visitor.page.url}: {error}")
        expect(desk.clicks <= MOST_CLICKS, f"{name}: {desk.clicks} clicks")
        print(f"   {name:<24}{desk.clicks:>2} clicks as {role}")
    for desk in desks.values():
        desk.visitor.close()
    passed(f"{len(CASES)} cases end well, in at most {MOST_CLICKS} clicks each")
