"""Every page that there is, looked at with axe and tidy: in both colours, at three widths.

The server's own list of routes says which pages there are, and the templates which parts they are made of: a page that
nobody opened here, and a part that no page had, is a failure.
"""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import selling
import texts
from contact_sheet import contact_sheet
from world import APP, ROOT, World

# As much of a list as somebody looks through, in pixels of a desktop's window.
MOST_HEIGHT, DESKTOP = 3_000, 1280
SMALLEST_LABEL = 10  # pixels
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# tidy does not know that an element may have both its own and an explicit role.
TIDY = ["tidy", "-quiet", "-errors", "--gnu-emacs", "yes", "--drop-empty-elements", "no", "--warn-proprietary-attributes", "no"]
# An element that each template alone writes.
TEMPLATES = {
    "page": "main#main", "block": "main section", "card": ".cards li .title", "panel": ".panels > li h3",
    "table": "main table caption", "cell": "main td .badge",
    "form": "main form p > button", "field": "main .field label", "timeline": "ol.timeline", "difference": "ol.difference",
    "chart": "svg.chart"}
# What browsers are not led to.
NO_PAGES = re.compile(r"^/admin/assets/|/file$")


def routes(world):
    """Those of the pages, as the server's metrics name them."""
    text = world.text(f"{world.base}/metrics")
    found = set(re.findall(r'route="(/admin[^"]*)"', text))
    return {each for each in found if not each.startswith("/admin/v1") and not NO_PAGES.search(each)}


def pattern(route):
    return re.compile("^" + re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(route)) + "$")


def templates():
    """The names of all templates."""
    source = (ROOT / "Sources/AdminPages/Templates/Templates.swift").read_text()
    listed = re.search(r"static let all = \[(.*?)\]", source, re.DOTALL).group(1)
    return set(re.findall(r'"(\w+)":', listed))


class Inspection:
    """What was looked at, and the failures."""

    def __init__(self, axe, expect, screenshots):
        self.axe, self.expect, self.screenshots = axe, expect, screenshots
        self.opened, self.templates, self.names = set(), set(), set()

    def look(self, visitor, name, scheme, width, is_tidied):
        page, where = visitor.page, f"{name} {scheme} {width}"
        self.names.add(name)
        self.opened.add(page.url.split("?")[0].split("#")[0].removeprefix(visitor.world.base))
        results = self.axe.run(page, options={
            # What passes is not looked at, and telling it takes a quarter of the time.
            "runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]})
        for violation in results.response["violations"]:
            nodes = [node["html"][:120] + " " + node["failureSummary"][:300] for node in violation["nodes"][:3]]
            self.expect(False, f"{where}: {violation['id']}: {nodes}")
        wide = page.evaluate("document.documentElement.scrollWidth")
        self.expect(wide <= width, f"{where}: {wide} pixels wide")
        self.expect(page.title() != "taken" and page.locator("main img:not(.preview), script").count() == 0,
                    f"{name}: a text became markup")
        high = page.evaluate("document.documentElement.scrollHeight")
        self.expect(width < DESKTOP or high <= MOST_HEIGHT, f"{where}: {high} pixels high")
        cut = page.evaluate("[...document.querySelectorAll('section')].some(each => each.scrollWidth > each.clientWidth)")
        self.expect(not cut, f"{where}: a table is wider than its place")
        small = page.evaluate("""[...document.querySelectorAll('svg.chart')].map(chart =>
            parseFloat(getComputedStyle(chart).fontSize) * chart.getBoundingClientRect().width / chart.viewBox.baseVal.width)""")
        self.expect(all(each >= SMALLEST_LABEL for each in small), f"{where}: chart labels of {small}")
        self.templates |= {each for each, element in TEMPLATES.items() if page.locator(element).count()}
        if self.screenshots:
            page.screenshot(path=self.screenshots / f"{name}-{scheme}-{width}.png", full_page=True)
        if is_tidied:
            self.tidy(name, page.request.get(page.url).text() if visitor.answer is None else visitor.answer.text())

    def tidy(self, name, html):
        done = subprocess.run(TIDY, input=html, capture_output=True, text=True)
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        self.expect(not lines, f"{name}: {lines[:5]}")

    def finish(self, visitor, world):
        """No route and no template was left out. A route without a page takes forms only."""
        for route in sorted(routes(world)):
            if any(pattern(route).match(each) for each in self.opened):
                continue
            visitor.open(re.sub(r"\{[^}]*\}", "x", route))
            self.expect(visitor.answer.status == 405, f"{route}: a page that nobody looked at ({visitor.answer.status})")
        self.expect(set(TEMPLATES) == templates(), f"templates without an element: {templates() ^ set(TEMPLATES)}")
        self.expect(self.templates == set(TEMPLATES), f"never shown: {set(TEMPLATES) - self.templates}")


class Sending:
    """A page that answers a form."""

    def __init__(self, path, status, fill=(), before=None, then=None):
        self.path, self.status, self.fill, self.before, self.then = path, status, dict(fill), before, then

    def open(self, visitor, expect):
        visitor.open(self.path)
        missing = [selector for selector in self.fill if not visitor.page.query_selector(selector)]
        if missing:
            text = visitor.page.inner_text("body")[:300]
            return expect(False, f"{self.path}: {visitor.answer.status}, {visitor.page.url} has no {missing}: {text}")
        for selector, text in self.fill.items():
            visitor.page.fill(selector, text)
        visitor.send()
        if self.then:
            self.then()
            visitor.send()
        expect(visitor.answer.status == self.status, f"{self.path} sent: {visitor.answer.status}, not {self.status}")


def prepare(world, token, scene):
    """Each thing in the state in which its acts can be done. The store fails until all is looked at."""
    writer = {"Authorization": f"Bearer {token}"}
    player, other = scene["player"], scene["other"]
    moved = world.buy("tenhints", "consumable", other)["originalTransactionID"]
    world.done("POST", f"/admin/v1/original-transactions/Production/{moved}/transfer",
               {"to": player["account"], "reason": "ticket 12"}, writer)
    for name, method in (("block", "POST"), ("tester", "PUT"), ("beta", "PUT")):
        world.done(method, f"/admin/v1/accounts/{other['account']}/{name}", {"reason": "ticket 13"}, writer)
    bought = world.pay("tenhints", "consumable")
    sandbox = world.pay("tenhints", "consumable", environment="Sandbox")
    assert world.send(sandbox["signedTransaction"], player)[0] == 200
    world.request("POST", f"{world.store}/simulator/v1/faults", {"http": 503})
    _, waiting = world.send(bought["appReceipt"], player)
    return {"moved": moved, "waiting": waiting["receipt"]}


def support_pages(scene, made):
    account, other = (f"/admin/accounts/{scene[each]['account']}" for each in ("player", "other"))
    balance = f"{APP}/Production/hints".replace("/", "%2F")
    bought = lambda number, act: f"/admin/purchases/Production/{number}/{act}?bundleID={APP}"
    return {
        "overview": "/admin", "accounts": "/admin/accounts", "not-found": "/admin/accounts?q=1",
        "mistyped": "/admin/accounts?q=a%20b", "account": account, "blocked": other, "credits": f"{account}/credits",
        "credits-2": f"{account}/credits?balance={balance}&amount=-7",
        **{act: f"{account}/{act}" for act in ("block", "add-tester", "add-beta", "end-sessions", "reset-sandbox")},
        **{act: f"{other}/{act}" for act in ("unblock", "remove-tester", "remove-beta")},
        "nothing-to-do": f"{account}/unblock", "recovery-code": f"{account}/recovery-code",
        "recovery-code-2": Sending(f"{account}/recovery-code", 200, {"input[name=reason]": "ticket 14"}),
        "refused-form": Sending(f"{account}/block", 422, {"input[name=reason]": "   "}),
        "grant": f"{account}/grant",
        "grant-2": f"{account}/grant?product={f'{APP}/Production/{APP}.hardwords'.replace('/', '%2F')}",
        "take-back": scene["grant"],
        "gifts": "/admin/gifts",
        "gifts-2": Sending("/admin/gifts", 200, {
            "input[name=product]": f"{APP}.hardwords", "textarea[name=accounts]": scene["other"]["account"] + "\nnobody"}),
        "unclaimed": f"/admin/accounts?q={scene['waitingOrder']}",
        "transfer": bought(scene["original"], "transfer"),
        "transfer-2": bought(scene["original"], "transfer") + f"&to={scene['player']['account']}",
        "undo": bought(made["moved"], "transfer/undo"), "extend": bought(scene["subscription"], "extend"),
        "extend-2": bought(scene["subscription"], "extend") + "&days=7",
        "extend-all": f"/admin/products/{APP}/{APP}.club.monthly/extend",
        "extend-all-2": f"/admin/products/{APP}/{APP}.club.monthly/extend?days=7",
        "app-transaction": bought(scene["original"], "app-transaction"),
        "receipts": "/admin/receipts", "refused": "/admin/receipts?status=rejected",
        "retry": f"/admin/receipts/{made['waiting']}/retry",
    }


def other_pages(scene):
    asked = f"/admin/store/test-notification?app={APP}&environment=Sandbox"
    return {
        "simulator": "/admin/simulator?done=buy&transaction=7", "deliveries": "/admin/deliveries?olderThan=0",
        "store": "/admin/store", "store-2": "/admin/store?done=asked", "test-notification": asked,
        "test-notification-2": Sending(asked, 503, {"input[name=reason]": "ticket 15"}), "sandbox": "/admin/sandbox",
        "audit": "/admin/audit", "time-zone": "/admin/time-zone?zone=UTC", "tokens": "/admin/tokens", "mistake": "/admin/audit?before=x",
        "no-page": "/admin/nothing", "used-link": "/admin/open/x", **selling.pages(),
    }


class Conflicts:
    """Somebody else changes what is being edited."""

    def __init__(self, world, token):
        self.world, self.writer, self.count = world, {"Authorization": f"Bearer {token}"}, 0

    def change(self, place):
        path = f"/admin/v1/apps/{APP}{place}"

        def done():
            self.count += 1
            entry = self.world.done("GET", path, None, self.writer)
            for outer in ("entry", "app", "product"):
                entry = entry.get(outer, entry) if isinstance(entry.get(outer), dict) else entry
            entry = {**entry, "metadata": {"n": str(self.count)}}
            self.world.done("PUT", path, entry, {**self.writer, "If-Match": "*"})
        return done

    def pages(self):
        edit, settings = (f"/admin/products/{APP}/{APP}.hundredhints/edit", f"/admin/apps/{APP}/settings/edit")
        changed = {"textarea[name=member-credits]": "hints 111"}
        return {
            "difference": Sending(edit, 200, changed),
            "conflict": Sending(edit, 412, changed, then=self.change(f"/products/{APP}.hundredhints")),
            "mistakes": Sending(settings, 422, {"input[name=member-offlineDays]": "99", "input[name=member-legal-terms]": "x"}),
            "settings-difference": Sending(settings, 200, {"textarea[name=member-startingCredits]": "hints 3"}),
        }


def everyone(browser, launched, world, tokens, scene, screenshots, widths, schemes, Visitor, Axe, expect, passed):
    inspection = Inspection(Axe(), expect, screenshots)
    made = prepare(world, tokens["alice"], scene)
    pages = {**support_pages(scene, made), **other_pages(scene), **texts.pages(scene),
             **Conflicts(world, tokens["alice"]).pages()}
    shown = [("sign-in", "/admin/sign-in", None), ("read-only", "/admin/new-app", "bob"),
             *((name, path, "alice") for name, path in pages.items())]

    def look(part):
        with launched() as browser:
            for scheme in schemes:
                visitors = {name: Visitor(browser, world, color_scheme=scheme, bypass_csp=False)
                            for name in (None, "alice", "bob")}
                for name in ("alice", "bob"):
                    visitors[name].sign_in(tokens[name])
                for width in widths:
                    for name, path, who in part:
                        visitor = visitors[who]
                        visitor.page.set_viewport_size({"width": width, "height": 900})
                        path.open(visitor, expect) if isinstance(path, Sending) else visitor.open(path)
                        inspection.look(visitor, name, scheme, width, scheme == "light" and width == widths[0])

    # Each half in its order: what is sent for one page is seen on the next ones.
    half = len(shown) // 2
    with ThreadPoolExecutor() as pool:
        list(pool.map(look, (shown[:half], shown[half:])))
    history(browser, world, inspection, widths, schemes, Visitor, expect)
    if screenshots:
        contact_sheet(browser, screenshots, sorted(inspection.names), widths, schemes)
    inspection.finish(Visitor(browser, world).sign_in(tokens["alice"]), world)
    world.request("DELETE", f"{world.store}/simulator/v1/faults")
    passed(f"{len(inspection.names)} pages were looked at with axe and tidy, colours {schemes}, widths {widths}")


def history(browser, world, inspection, widths, schemes, Visitor, expect):
    """The revisions of a catalog that is kept in the database, which needs a server of its own."""
    os.environ["QUARTERMASTER_CATALOG"] = "database"
    try:
        with World(world.binary) as other:
            token = other.token("alice", "write")
            Conflicts(other, token).change(f"/products/{APP}.tenhints")()
            for scheme in schemes:
                visitor = Visitor(browser, other, color_scheme=scheme, bypass_csp=False).sign_in(token)
                for width in widths:
                    visitor.page.set_viewport_size({"width": width, "height": 900})
                    for name, path in {"history": "/admin/catalog", "roll-back": "/admin/catalog/1"}.items():
                        visitor.open(path)
                        expect(visitor.page.locator("main a, main form").count() > 0, f"{name}: {visitor.text[:200]}")
                        inspection.look(visitor, name, scheme, width, scheme == "light" and width == widths[0])
                visitor.close()
    finally:
        del os.environ["QUARTERMASTER_CATALOG"]
