"""What scripts/check-admin.sh says, with Chromium: check_admin.py BINARY [--quick] [--screenshots FOLDER]"""

import argparse
import sqlite3
import sys
from contextlib import contextmanager
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

import selling
from cases import cases
from everyone import everyone
from make_run import make_run
from texts import texts
from world import APP, EVIL, World

# The narrowest is the one that WCAG 1.4.10 names, then a phone, a tablet and a desktop.
WIDTHS, SCHEMES = (320, 390, 768, 1280), ("light", "dark")
# Enough to see in a minute that a page is broken.
QUICK_WIDTHS, QUICK_SCHEMES = (768,), ("light",)
MOST_WRONG = 200
failures = []


def expect(is_so, what):
    if not is_so:
        failures.append(what)
        print(f" ✘ {what}")


def passed(what):
    print(f" ✔ {what}", flush=True)


class Visitor:
    """A browser of its own, which tells what it could not load or was forbidden."""

    def __init__(self, browser, world, **options):
        self.world = world
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: expect(False, f"the console says {message.text}")
                     if message.type == "error" and "status of" not in message.text else None)

    def open(self, path):
        self.answer = self.page.goto(self.world.base + path)
        return self.answer

    def click(self, selector):
        """Clicks on what leads to another page, and waits for that: a click alone may return before it is there."""
        with self.page.expect_navigation() as loaded:
            self.page.click(selector)
        self.answer = loaded.value

    def go(self, section):
        """Opens a page by its name in the head of the page, and the group that it is in."""
        place = self.page.locator(f"nav a:text-is('{section}')")
        if not place.is_visible():
            self.page.locator("nav details", has=self.page.locator(f"a:text-is('{section}')")).locator("summary").click()
        with self.page.expect_navigation() as loaded:
            place.click()
        self.answer = loaded.value

    def send(self):
        """Sends the last form of the page."""
        self.click("main form p > button >> nth=-1")

    def enter(self, **fields):
        """Fills in the fields of a form, and sends it."""
        for name, text in fields.items():
            self.page.fill(f"main input[name={name}]", text)
        self.click("main button")

    @property
    def text(self):
        return self.page.inner_text("body")

    def sign_in(self, token):
        self.open("/admin/sign-in")
        self.enter(token=token)
        return self

    def close(self):
        self.context.close()


def newest_row(world):
    """The number of the newest row of the audit trail."""
    with sqlite3.connect(f"file:{world.folder}/ledger.sqlite?mode=ro", uri=True) as ledger:
        return ledger.execute("SELECT max(sequence) FROM audit").fetchone()[0]


# MARK: - Support

def support(browser, world, tokens, scene):
    """Sign in, find the player of an order, give 50 hints and a pack, transfer a purchase and undo that, sign out."""
    alice = Visitor(browser, world, java_script_enabled=False)
    page = alice.page
    # One is allowed again every six seconds, in which a slow machine may send more than one.
    refused = 0
    while refused < MOST_WRONG and "Too many requests" not in alice.text:
        expect(refused == 0 or "no admin token" in alice.text, f"wrong token {refused}: {alice.text[:80]}")
        alice.sign_in("wrong")
        refused += 1
    expect(10 < refused < MOST_WRONG, f"{refused} wrong tokens until one has to wait")
    alice.sign_in(tokens["alice"])
    expect(page.url == f"{world.base}/admin" and "Overview" in alice.text, "a right token is let in meanwhile")
    passed("eleven wrong tokens wait, a right one does not")

    cookie = alice.context.cookies()[0]
    expect(cookie["name"] == "__Host-qm_admin" and cookie["secure"] and cookie["httpOnly"]
           and cookie["sameSite"] == "Strict" and cookie["path"] == "/" and cookie["expires"] == -1,
           f"the cookie is {cookie}")
    passed("the cookie is kept from scripts and other sites")

    alice.enter(q=scene["order"])
    account = scene["player"]["account"]
    expect(page.url.endswith(f"/admin/accounts/{account}"), f"the order leads to {page.url}")
    expect("Given" in alice.text and "hardwords" in alice.text, "the purchase was given")
    passed("an order from a mail leads to the player, and says that it was given")

    alice.click("text=Give or take back credits")
    page.select_option("select[name=balance]", f"{APP}/Production/hints")
    alice.enter(amount="50")
    expect("0 hints" in alice.text and "50 hints" in alice.text, "what is, and what will be")
    alice.enter(reason=f"ticket 7 {EVIL}")
    expect("The credits were posted." in alice.text and "50 hints" in alice.text, "the credits are there")
    expect(f"ticket 7 {EVIL}"[:100] in page.inner_text(".timeline"), "the timeline has the reason as it was given")
    given = "Credits given or taken back by support"
    expect(given in page.inner_text(".timeline"), f"the timeline: {page.inner_text('.timeline')[:300]}")
    alice.open(f"/admin/audit?kind=credits.adjusted&account={account}")
    expect(all(each in page.inner_text(".timeline") for each in (
        given, "by admin:alice", "+50 hints", f"ticket 7 {EVIL}"[:100])),
           f"the audit trail has who it was, how many, and why: {alice.text[:400]}")
    passed("50 hints are given, and are in the timeline and in the audit trail")

    give(alice, world, scene)

    alice.open(f"/admin/accounts/{account}")
    alice.click("tr:has-text('hardwords') >> text=Transfer")
    alice.enter(to=scene["other"]["account"])
    alice.enter(reason="ticket 8")
    expect(page.url.endswith(f"/admin/accounts/{scene['other']['account']}?done=transfer"), page.url)
    expect("The purchase was transferred" in alice.text and "hardwords" in alice.text, "it has another owner")
    alice.open(f"/admin/accounts/{account}")
    expect("Transferred" in alice.text, "the former owner's page says so")
    passed("a purchase is transferred")
    alice.open(f"/admin/accounts/{scene['other']['account']}")
    alice.click("tr:has-text('hardwords') >> text=Undo the transfer")
    alice.enter(reason="ticket 8: the wrong account")
    expect(page.url.endswith(f"/admin/accounts/{account}?done=undo"), page.url)
    expect("The transfer was undone" in alice.text and "Given" in alice.text, "it is the first account's again")
    passed("the transfer is undone")

    alice.click("text=Sign out")
    page.go_back()
    expect("Sign in" in alice.text and account not in alice.text, f"back after signing out shows {alice.text[:80]}")
    expect(not [each for each in alice.context.cookies() if each["value"]], "no session is left")
    passed("after signing out, back shows nothing")
    alice.close()


def give(alice, world, scene):
    """A word pack without a purchase."""
    page, account, pack = alice.page, scene["player"]["account"], f"{APP}.ioswords"
    mine = {"Authorization": f"Bearer {scene['player']['accessToken']}"}
    fetch = lambda: world.request("GET", f"{world.base}/v1/bundles/ios-words", headers=mine)[0]
    expect(fetch() == 403, "the pack was refunded")
    alice.open(f"/admin/accounts/{account}")
    alice.click("text=Give a product")
    alice.enter(product=f"{APP}/Production/{pack}")
    expect(pack in alice.text and "never" in alice.text, "what is given, and until when")
    page.fill("input[name=reason]", "ticket 7: the pack too")
    expect(fetch() == 403, "given before the form was sent")
    alice.click("main button")
    expect("The product was given." in alice.text and "given by support" in alice.text, f"given: {alice.text[:400]}")
    timeline = page.inner_text(".timeline")
    expect("Product given by support" in timeline and "ticket 7: the pack too" in timeline, f"the timeline: {timeline[:300]}")
    alice.open(f"/admin/audit?kind=entitlement.granted&account={account}")
    expect("by admin:alice" in alice.text and "ticket 7: the pack too" in alice.text and pack in alice.text,
           f"the audit trail: {page.inner_text('.timeline')[:400]}")
    expect(fetch() == 200, "the player cannot fetch the pack")
    alice.open(f"/admin/accounts/{account}")
    scene["grant"] = page.locator("a[href$='/revoke']").first.get_attribute("href")
    passed("a pack is given, is in the timeline and in the audit trail, and can be fetched")


def question(browser, world, tokens, scene, screenshots):
    """Was she given what she paid for on that day, and if not, why? From an order number, in at most three pages."""
    day = datetime.now(timezone.utc).strftime("%a %-d %b %Y")
    cases = [
        ("given", scene["order"], ["Given", f"{APP}.hardwords", scene["player"]["account"]]),
        ("refunded", scene["refundedOrder"], ["Refunded by the App Store", f"{APP}.ioswords"]),
        ("no-product", scene["unknownOrder"], ["Not given", "the catalog has no such product", f"{APP}.unheardof"]),
        ("unclaimed", scene["unclaimedOrder"],
         ["Not given", "no account presented it", "restores purchases", f"{APP}.nighttheme.month"]),
    ]
    for name, order, words in cases:
        alice = Visitor(browser, world, java_script_enabled=False, viewport={"width": 768, "height": 900})
        alice.sign_in(tokens["alice"])
        pages = []
        alice.page.on("framenavigated", lambda frame, pages=pages: pages.append(frame.url))
        alice.enter(q=order)
        row = alice.page.locator(f"tr:has-text('{order}')")
        expect(row.count() == 1 and day in row.inner_text(), f"{name}: the purchase and its day: {alice.text[:300]}")
        for word in words:
            expect(word.lower() in alice.text.lower(), f"{name}: no word of {word}: {alice.text[:600]}")
        expect(1 <= len(pages) <= 2, f"{name}: from the overview by {pages}")
        if screenshots:
            alice.page.screenshot(path=screenshots / f"question-{name}-768.png")
            alice.page.set_viewport_size({"width": 1280, "height": 800})
            alice.page.screenshot(path=screenshots / f"question-{name}-1280.png")
        alice.close()
    passed("from an order number it takes two pages to see what became of a purchase, also of one that nobody presented")

    mine = {"Authorization": f"Bearer {scene['other']['accessToken']}"}
    fetch = lambda: world.request("GET", f"{world.base}/v1/bundles/night-theme", headers=mine)[0]
    expect(fetch() == 403, "given already")
    alice = Visitor(browser, world, java_script_enabled=False).sign_in(tokens["alice"])
    alice.enter(q=scene["unclaimedOrder"])
    alice.click("text=Give it to an account")
    alice.enter(to=scene["other"]["account"])
    alice.enter(reason="ticket 10: she wrote from another device")
    expect("nighttheme.month" in alice.text and "Given" in alice.text, f"given to her: {alice.text[:400]}")
    expect(fetch() == 200, "she can use it")
    alice.close()
    passed("a purchase that nobody presented is given to the player who wrote")


def simulator(alice, world, scene):
    """A subscription is bought by buttons, sent by the app, and extended by support."""
    page, player = alice.page, scene["player"]
    alice.go("Simulator")
    page.select_option("select[name=product]", f"{APP} {APP}.club.monthly")
    page.fill("input[name=customer]", "anna")
    page.fill("input[name=account]", player["account"])
    alice.click("button:has-text('Buy')")
    expect("Bought: transaction " in alice.text, f"bought: {alice.text[:300]}")
    _, known = world.request("GET", f"{world.store}/simulator/v1/customers/anna/transactions?bundleID={APP}")
    status, answer = world.send(known["transactions"][0], player)
    expect(status == 200, f"the app sends it: {answer}")
    passed("a subscription is bought in the simulated store by buttons")

    alice.open(f"/admin/accounts/{player['account']}")
    alice.click(".panels > li:has-text('club.monthly') >> text=Extend the renewal date")
    scene["subscription"] = page.url.split("/")[-2]
    alice.enter(days="7")
    alice.enter(reason="ticket 9")
    expect("The renewal date was extended." in alice.text, f"extended: {alice.text[:300]}")
    alice.open("/admin/audit?kind=renewal.extended")
    expect("ticket 9" in alice.text, "the audit trail has why")
    passed("its renewal date is extended, and the audit trail has it")


def reading(browser, world, tokens, scene):
    """Who may look is offered no act, and can send none."""
    bob = Visitor(browser, world, java_script_enabled=False).sign_in(tokens["bob"])
    path = f"/admin/accounts/{scene['player']['account']}"
    bob.open(path)
    expect(bob.page.locator("main form[method=post]").count() == 0, "a form for somebody who may look")
    expect(bob.page.locator("a:has-text('Transfer'), a:has-text('Block')").count() == 0, "a link to an act")
    for each in ("/admin/accounts", "/admin/receipts", "/admin/deliveries", "/admin/products", "/admin/bundles",
                 f"/admin/products/{APP}/{APP}.hardwords", "/admin/bundles/hard-words", "/admin/store", "/admin/tokens"):
        bob.open(each)
        expect(bob.answer.status == 200 and bob.page.locator("main form[method=post]").count() == 0,
               f"{each}: {bob.answer.status}, a form for somebody who may look")
    csrf = bob.page.locator("input[name=csrf]").first.get_attribute("value")
    before = newest_row(world)
    for act in (f"{path}/block", f"{path}/credits", f"{path}/grant", f"{path}/end-sessions", "/admin/gifts/give",
                f"/admin/purchases/Production/{scene['original']}/transfer", f"/admin/products/{APP}/{APP}.hardwords/save",
                "/admin/bundles/hard-words/1.0.0/yank"):
        answer = bob.context.request.post(
            f"{world.base}{act}", form={"csrf": csrf, "reason": "x"}, headers={"Sec-Fetch-Site": "same-origin"})
        expect(answer.status == 403 and "read-only" in answer.text(), f"posting {act} by hand: {answer.status}")
    expect(newest_row(world) == before, "the audit trail has something of it")
    passed("who may look is offered no act, and posts none by hand")
    bob.close()


def link(browser, world):
    """The link of the command line signs in once."""
    address = world.command("admin-token", "open", "--name", "newcomer", "--role", "write", "--address", world.base)
    newcomer = Visitor(browser, world, java_script_enabled=False)
    newcomer.page.goto(address)
    expect(newcomer.page.url == f"{world.base}/admin" and "newcomer" in newcomer.text, newcomer.page.url)
    second = Visitor(browser, world, java_script_enabled=False)
    expect(second.page.goto(address).status == 403, "the link works twice")
    passed("a link of the command line signs in, once")
    newcomer.close(), second.close()


def keyboard(browser, world, tokens, scene):
    """The first scenario without a mouse."""
    alice = Visitor(browser, world, java_script_enabled=False)
    page = alice.page

    def tab_to(selector):
        for _ in range(200):
            page.keyboard.press("Tab")
            if page.locator(f"{selector}:focus").count():
                return
        expect(False, f"no tab leads to {selector}")

    def use(selector, text, url):
        tab_to(selector)
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        page.wait_for_url(url)

    alice.open("/admin/sign-in")
    use("input[name=token]", tokens["alice"], "**/admin")
    page.keyboard.press("Tab")
    expect(page.locator(".skip:focus").count() == 1, "the first tab leads to the content")
    page.keyboard.press("Enter")
    use("input[name=q]", scene["other"]["account"], "**/admin/accounts/*")
    use("a[href$='/credits']", "", "**/credits")
    use("input[name=amount]", "5", "**/credits?*")
    use("input[name=reason]", "by keyboard", "**done=credits")
    expect("The credits were posted." in alice.text, "credits by keyboard")
    passed("everything can be done by the keyboard")
    alice.close()


# MARK: - Other sites

class Foreign(BaseHTTPRequestHandler):
    """A page of somebody else, with a form or a frame of the server's."""

    body = b""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_):
        pass


def foreign(browser, world, tokens, scene):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Foreign)
    Thread(target=server.serve_forever, daemon=True).start()
    # Another name of the machine is another site, and another port another origin.
    places = [f"http://localhost:{server.server_port}", f"http://127.0.0.1:{server.server_port}"]
    alice = Visitor(browser, world).sign_in(tokens["alice"])
    account = f"/admin/accounts/{scene['player']['account']}"
    csrf = alice.page.locator("input[name=csrf]").first.get_attribute("value")
    acts = [f"{account}/{act}" for act in ("block", "credits", "end-sessions", "add-tester")] + [
        "/admin/tokens/sessions/end", "/admin/sign-out"]
    before = newest_row(world)
    for place in places:
        for path in acts:
            Foreign.body = (
                f'<form method="post" action="{world.base}{path}"><input name="csrf" value="{csrf}">'
                '<input name="reason" value="r"></form><script>document.forms[0].submit()</script>').encode()
            with alice.page.expect_navigation(url=f"**{path}") as answered:
                alice.page.goto(place, wait_until="commit")
            expect(answered.value.status == 403, f"{path} from {place}: {answered.value.status}")
    expect(newest_row(world) == before, "a foreign form is in the audit trail")
    alice.open("/admin")
    expect("Overview" in alice.text, "a foreign form signed her out")
    passed("forms of other sites are refused, and nothing is recorded")

    Foreign.body = f'<iframe src="{world.base}/admin/sign-in"></iframe>'.encode()
    framed = browser.new_context().new_page()
    framed.goto(places[0])
    framed.wait_for_timeout(500)
    expect(framed.frames[-1].locator("input").count() == 0, "a page in a frame")
    passed("no page is in another's frame")
    server.shutdown()
    alice.close()


def scene(world):
    """A player with purchases, credits, and receipts that were refused; and another player."""
    player, other = world.player(), world.player()
    bought = world.buy("hardwords", "non-consumable", player)
    world.buy("nighttheme.month", "non-renewing", player)
    refunded = world.buy("ioswords", "non-consumable", player)
    _, refund = world.request("POST", f"{world.store}/simulator/v1/transactions/{refunded['transactionID']}/refund", {})
    world.send(refund["signedTransaction"], player)
    head, payload, signature = bought["signedTransaction"].split(".")
    forged = ("B" if signature[0] == "A" else "A") + signature[1:]
    world.send(".".join((head, payload, forged)), player)
    unheard = world.buy("unheardof", "consumable", player)
    unclaimed, waiting = (world.pay("nighttheme.month", "non-renewing"), world.pay("hundredhints", "consumable"))
    return {"player": player, "other": other, "order": bought["orderID"], "original": bought["originalTransactionID"],
            "refundedOrder": refunded["orderID"], "unknownOrder": unheard["orderID"],
            "unclaimedOrder": unclaimed["orderID"], "waitingOrder": waiting["orderID"]}


@contextmanager
def launched():
    """A browser for the thread that asks: no other one may use it."""
    with sync_playwright() as playwright:
        # Without a graphics processor the process for it computes it, which takes an eighth of the time.
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--quick", action="store_true", help="one width and one colour scheme only")
    parser.add_argument("--screenshots", type=Path)
    options = parser.parse_args()
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    with World(options.binary) as world, launched() as browser:
        roles = {"alice": "write", "bob": "read", "dora": "support"}
        tokens = {name: world.token(name, role) for name, role in roles.items()}
        played = scene(world)
        question(browser, world, tokens, played, options.screenshots)
        support(browser, world, tokens, played)
        cases(browser, world, tokens, Visitor, expect, passed)
        writer = Visitor(browser, world, java_script_enabled=False).sign_in(tokens["alice"])
        texts(writer, world, played, {"Authorization": f"Bearer {tokens['alice']}"}, expect, passed)
        writer.open("/admin")
        selling.products(writer, world, expect, passed)
        selling.bundles(writer, world, expect, passed, played["player"])
        selling.settings(writer, world, expect, passed)
        simulator(writer, world, played)
        writer.close()
        reading(browser, world, tokens, played)
        link(browser, world)
        make_run(options.binary, expect, passed)
        keyboard(browser, world, tokens, played)
        foreign(browser, world, tokens, played)
        widths, schemes = (QUICK_WIDTHS, QUICK_SCHEMES) if options.quick else (WIDTHS, SCHEMES)
        everyone(browser, launched, world, tokens, played, options.screenshots, widths, schemes, Visitor, Axe, expect,
                 passed)
    print(f"{len(failures)} failures" if failures else "The pages for administrators are in order.")
    return 1 if failures else 0


sys.exit(main())
