"""The catalog and the content in the pages: a product is changed with the difference shown, taken off sale, and added with
evil texts; a new version of a word pack is uploaded and published."""

import json
from urllib.parse import quote

from world import APP, EVIL

# A product's ID may have anything but control characters, and its metadata too.
EVIL_ID = EVIL[:60]
# A file's name has no slash, no quotes and no angle brackets, which Windows has in no name; entities and an apostrophe.
EVIL_FILE = "&lt;img src=x onerror=alert(1)&gt;'.txt"
# What a browser would run if it took the files for what they seem to be.
EVIL_FILES = {
    EVIL_FILE: EVIL, "page.html": f"<!DOCTYPE html><body onload=alert(1)>{EVIL}",
    "picture.svg": f'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">{EVIL}</svg>', "script.js": f"alert(1) // {EVIL}",
    "picture.gif": f"GIF89a=1 // {EVIL}", "config.json": json.dumps({EVIL: [EVIL]}),
}


def on_sale(world):
    return world.request("GET", f"{world.base}/v1/apps/{APP}/products")[1]["productIDs"]


def products(alice, world, expect, passed):
    """A signed-in writer changes the catalog."""
    page = alice.page
    alice.go("Products")
    alice.click("main a:text-is('Ten hints')")
    alice.click("a[href$='/edit']")
    page.fill("textarea[name=member-credits]", "hints 12")
    alice.click("main button")
    expect(page.locator("main tbody td").all_inner_texts() == ["Credits: hints", "10", "12"], f"the difference: {alice.text}")
    entries = world.folder / "products.json"
    expect('"hints": 12' not in entries.read_text(), "changed before it was saved")
    alice.click("main button")
    expect("The product was changed." in alice.text and "12 hints" in alice.text, f"not changed: {alice.text}")
    alice.open("/admin/audit")
    expect("Product changed" in alice.text, "the audit trail has the change")
    passed("a product is changed, with the difference shown before")

    before = on_sale(world)
    alice.open(f"/admin/products/{APP}/{APP}.ioswords/off-sale")
    alice.click("main button")
    expect(set(before) - set(on_sale(world)) == {f"{APP}.ioswords"}, f"on sale: {on_sale(world)}")
    alice.open(f"/admin/products/{APP}/{APP}.ioswords/on-sale")
    alice.click("main button")
    expect(on_sale(world) == before, "on sale again")
    passed("a product is taken off sale, and put back")

    alice.open(f"/admin/apps/{APP}/new-product?type=consumable&as=json")
    page.fill("textarea", json.dumps({"id": EVIL_ID, "type": "consumable", "group": EVIL, "metadata": {EVIL: EVIL}}))
    alice.click("main button")
    expect(EVIL[:40] in page.inner_text("main table"), "the text of the entry")
    alice.click("main button")
    expect("The product was added." in alice.text and page.inner_text("h1") == EVIL_ID, f"the title: {alice.text[:300]}")
    passed("a product is added, and its texts stay texts")


def settings(alice, world, expect, passed):
    """A signed-in writer opens the sandbox until a date, and adds an offer and a placement, without JSON."""
    page, path = alice.page, f"/admin/apps/{APP}/settings"
    alice.open(f"{path}/edit")
    page.select_option("select[name=member-sandbox]", label="Everyone until a date, as for App Review; testers always")
    page.fill("input[name=member-legal-terms]", "http://example.com/terms")
    alice.click("main button")
    expect(page.inner_text(".mistake") == "Fill in the date.", f"no date: {alice.text}")
    page.fill("input[name=member-sandbox-until]", "2027-01-31T12:30")
    alice.click("main button")
    expect("Write an address that begins with https://" in page.inner_text(".mistake"), f"the link: {alice.text}")
    page.fill("input[name=member-legal-terms]", "https://example.com/terms")
    page.click("text=Add a placement")
    page.fill("input[name=member-placements-0-place]", EVIL[:60])
    page.fill("textarea[name=member-placements-0-products]", f"{APP}.tenhints")
    page.click("text=Only for some players, or for some time >> nth=0")
    page.fill("input[name=member-placements-0-buckets]", "0-49")
    alice.click("main button")
    expect(EVIL[:40] in page.inner_text("main table"), f"the difference: {alice.text}")
    alice.click("main button")
    entry = json.loads((world.folder / "products.json").read_text())["apps"][0]
    expect(entry["sandbox"] == {"everyoneUntil": "2027-01-31T12:30:00Z"}, f"the sandbox: {entry}")
    expect(entry["placements"] == {EVIL[:60].strip(): [{"products": [f"{APP}.tenhints"], "when": {"buckets": [0, 49]}}]},
           f"the placement: {entry}")
    alice.open(f"/admin/apps/{APP}/placements")
    expect(EVIL[:40] in page.inner_text("main h2 >> nth=1"), f"the A/B test: {alice.text[:400]}")
    alice.open(f"{path}/edit")
    alice.click("main button")
    expect("There is nothing to do" in alice.text, "a form that is sent unchanged changes nothing")
    passed("the settings of an app are filled in without JSON")


def bundles(alice, world, expect, passed, player):
    """A signed-in writer publishes a version of a bundle."""
    page = alice.page
    alice.go("Bundles")
    alice.click("main a[href='/admin/bundles/hard-words']")
    alice.click("main a[href^='/admin/new-version']")
    page.fill("input[name=version]", "1.1.0")
    page.set_input_files("input[name=files]", files=[
        {"name": "words.txt", "mimeType": "text/plain", "buffer": "jazz\tMusic of New Orleans\n".encode()},
        *({"name": name, "mimeType": "text/html", "buffer": text.encode()} for name, text in EVIL_FILES.items())])
    alice.click("main button")
    expect("Nobody is offered the version" in alice.text and EVIL_FILE in alice.text, f"the draft: {alice.text[:400]}")
    alice.click("text=Look at the files")
    for fold in page.locator("main details:not([open]) > summary").all():
        fold.click()
    # Those without a picture and without JSON, whose quotes are escaped.
    expect(alice.text.count(EVIL[:40]) >= len(EVIL_FILES) - 2, f"the preview: {alice.text[:400]}")
    expect(page.locator("main img").count() == 1 and page.locator("main svg, main script").count() == 0,
           "a file became markup")
    for each in page.locator("main a:has-text('Save ')").all():
        answer = page.request.get(f"{world.base}{each.get_attribute('href')}")
        expect(answer.headers["content-disposition"] == "attachment" and "html" not in answer.headers["content-type"]
               and answer.headers["content-security-policy"].endswith("; sandbox"), f"a file is opened: {answer.headers}")
    alice.open("/admin/bundles/hard-words/1.1.0/preview")
    page.click("text=Show what changed")
    expect("Removed since 1.0.0" in alice.text and "aardvark" in page.inner_text("del >> nth=0"), f"what changed: {alice.text[:400]}")
    alice.click("text=Back to the version")
    alice.click("a[href$='/publish']")
    alice.click("main button")
    expect("The version was published." in alice.text, f"published: {alice.text[:400]}")
    status, manifest = world.request(
        "GET", f"{world.base}/v1/bundles/hard-words", headers={"Authorization": f"Bearer {player['accessToken']}"})
    expect(status == 200 and manifest["version"] == "1.1.0", f"what the player gets: {manifest}")
    alice.open("/admin/audit?kind=bundle.published&actor=admin:alice")
    expect("hard-words 1.1.0" in alice.text, "the audit trail has the version")
    page.select_option("select[name=kind]", "bundle.yanked")
    alice.click("main button")
    expect("hard-words 1.1.0" not in alice.text and "None." in alice.text, "another kind")
    passed("a version is uploaded and published, and the audit trail is filtered")

    # Versions in each state, for everybody to look at.
    for version, channel, acts in (("1.2.0", "beta", ["publish"]), ("1.3.0", "", ["publish", "yank"]), ("1.4.0", "", [])):
        alice.open("/admin/new-version?bundle=hard-words")
        page.fill("input[name=version]", version)
        page.select_option("select[name=channel]", channel)
        page.set_input_files("input[name=files]", files=[
            {"name": "words.txt", "mimeType": "text/plain", "buffer": version.encode()}])
        alice.click("main button")
        for act in acts:
            alice.open(f"/admin/bundles/hard-words/{version}/{act}")
            alice.click("main button")


def pages():
    """Their names and paths, for everybody to look at."""
    product, evil = f"/admin/products/{APP}/{APP}.hardwords", f"/admin/products/{APP}/{quote(EVIL_ID, safe='')}"
    return {
        "products": "/admin/products", "product": product, "evil-product": evil, "evil-edit": f"{evil}/edit",
        "evil-json": f"{evil}/edit?as=json", "product-edit": f"{product}/edit", "off-sale": f"{product}/off-sale",
        "remove": f"{evil}/remove", "new-product": f"/admin/apps/{APP}/new-product",
        "new-consumable": f"/admin/apps/{APP}/new-product?type=consumable",
        "preview": f"/admin/apps/{APP}/preview?storefront=DEU", "catalog": "/admin/catalog",
        "bundles": "/admin/bundles", "bundle": "/admin/bundles/hard-words?appVersion=2&beta=yes",
        "version": "/admin/bundles/hard-words/1.1.0", "version-files": "/admin/bundles/hard-words/1.1.0/preview",
        "theme-files": "/admin/bundles/night-theme/1.0.0/preview", "yank": "/admin/bundles/hard-words/1.1.0/yank",
        **{act: f"/admin/bundles/hard-words/{version}/{act}" for act, version in (
            ("promote", "1.2.0"), ("restore", "1.3.0"), ("publish", "1.4.0"), ("discard", "1.4.0"))},
        "on-sale": f"{product}/on-sale", "app-settings": f"/admin/apps/{APP}/settings",
        "app-settings-edit": f"/admin/apps/{APP}/settings/edit",
        "app-settings-json": f"/admin/apps/{APP}/settings/edit?as=json",
        "app-settings-remove": f"/admin/apps/{APP}/settings/remove", "new-app": "/admin/new-app",
        "sandbox-access": f"/admin/apps/{APP}/sandbox-access", "other-type": f"{product}/edit?type=consumable",
        "sandbox-review": f"/admin/apps/{APP}/sandbox-access?admit=everyone&lastDay=2099-12-31",
        "no-revision": "/admin/catalog/1", "new-version": "/admin/new-version", "reports": "/admin/reports",
        "ab-tests": f"/admin/apps/{APP}/placements",
        "filtered": f"/admin/audit?kind=bundle.published&actor={quote(EVIL[:20])}",
    }
