"""The catalog and the content in the pages: a product is changed with the difference shown, taken off sale, and added with
evil texts; a new version of a word pack is uploaded and published."""

import json
from urllib.parse import quote

from world import APP, EVIL

# A product's ID may have anything but control characters, and its metadata too.
EVIL_ID = EVIL[:60]
# A file's name has no slash, no quotes and no angle brackets, which Windows has in no name; entities and an apostrophe.
EVIL_FILE = "&lt;img src=x onerror=alert(1)&gt;'.txt"


def on_sale(world):
    return world.request("GET", f"{world.base}/v1/apps/{APP}/products")[1]["productIDs"]


def products(alice, world, expect, passed):
    """A signed-in writer changes the catalog."""
    page = alice.page
    alice.click("nav >> text=Products")
    alice.click(f"text={APP}.tenhints")
    alice.click("a[href$='/edit']")
    page.fill("textarea[name=member-credits]", "hints 12")
    alice.click("main button")
    expect("hints\": 10" in page.inner_text("del") and "hints\": 12" in page.inner_text("ins"),
           f"the difference: {alice.text}")
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
    expect(EVIL.replace('"', '\\"')[:40] in page.inner_text(".difference"), "the text of the entry")
    alice.click("main button")
    expect("The product was added." in alice.text and page.inner_text("h1") == EVIL_ID, f"the title: {alice.text[:300]}")
    passed("a product is added, and its texts stay texts")


def bundles(alice, world, expect, passed, player):
    """A signed-in writer publishes a version of a bundle."""
    page = alice.page
    alice.click("nav >> text=Bundles")
    alice.click("main a[href='/admin/bundles/hard-words']")
    alice.click("main a[href^='/admin/new-version']")
    page.fill("input[name=version]", "1.1.0")
    page.set_input_files("input[name=files]", files=[
        {"name": "words.txt", "mimeType": "text/plain", "buffer": "jazz\tMusic of New Orleans\n".encode()},
        {"name": EVIL_FILE, "mimeType": "text/plain", "buffer": EVIL.encode()}])
    alice.click("main button")
    expect("Nobody is offered the version" in alice.text and EVIL_FILE in alice.text, f"the draft: {alice.text[:400]}")
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
        "version": "/admin/bundles/hard-words/1.1.0", "yank": "/admin/bundles/hard-words/1.1.0/yank",
        **{act: f"/admin/bundles/hard-words/{version}/{act}" for act, version in (
            ("promote", "1.2.0"), ("restore", "1.3.0"), ("publish", "1.4.0"), ("discard", "1.4.0"))},
        "on-sale": f"{product}/on-sale", "app-settings": f"/admin/apps/{APP}/settings",
        "app-settings-edit": f"/admin/apps/{APP}/settings/edit",
        "app-settings-json": f"/admin/apps/{APP}/settings/edit?as=json",
        "app-settings-remove": f"/admin/apps/{APP}/settings/remove", "new-app": "/admin/new-app",
        "no-revision": "/admin/catalog/1", "new-version": "/admin/new-version", "reports": "/admin/reports",
        "filtered": f"/admin/audit?kind=bundle.published&actor={quote(EVIL[:20])}",
    }
