"""What people write and products are called stays text on every page: notes, external IDs, names in each language.

Files, their names, reasons, groups and placements are in check_admin.py and selling.py. That nothing became markup is seen
where every page is looked at, with scripts allowed.
"""

from urllib.parse import quote

from world import APP, EVIL

LANGUAGES = ("en", "de", "zh-Hans", "pt-BR")
# Nothing but the name says what the product is.
NAMED = f"{APP}.named"


def texts(alice, world, scene, admin, expect, passed):
    page, player = alice.page, scene["other"]
    account = f"/admin/accounts/{player['account']}"
    alice.open(f"{account}/notes")
    alice.enter(text=EVIL)
    expect("The note was written down." in alice.text and EVIL in page.inner_text("#notes"), f"the note: {alice.text[:400]}")
    scene["note"] = page.locator("#notes a[href$='/remove']").first.get_attribute("href")
    alice.open(f"{account}/external-id")
    alice.enter(externalID=EVIL)
    expect(EVIL in page.inner_text("main dl"), f"the external ID before: {alice.text[:400]}")
    alice.enter(reason="ticket 201")
    expect("The external ID was recorded." in alice.text, f"the external ID: {alice.text[:400]}")
    alice.open("/admin")
    alice.enter(q=EVIL)
    expect(page.url.endswith(account) and EVIL in page.inner_text("main dl"), f"found by it: {page.url}")
    passed("notes and external IDs stay texts, and find the account")

    world.done("PUT", f"/admin/v1/apps/{APP}/products/{NAMED}",
               {"type": "auto-renewable", "group": EVIL, "name": {language: f"{EVIL} {language}" for language in LANGUAGES}},
               admin)
    world.buy("named", "auto-renewable", player)
    alice.open(account)
    expect(f"{EVIL} en" in page.inner_text("#subscriptions"), f"the name: {page.inner_text('#subscriptions')[:400]}")
    alice.open(f"/admin/products/{APP}/{NAMED}/edit")
    shown = page.inner_text("main") + "".join(each.input_value() for each in page.locator("main :is(input, textarea)").all())
    expect(all(f"{EVIL} {each}" in shown for each in LANGUAGES), f"the names in its form: {shown[:600]}")
    passed("the names of a product stay texts, in every language")


def pages(scene):
    """Their names and paths, for everybody to look at."""
    account = f"/admin/accounts/{scene['other']['account']}"
    return {
        "note": f"{account}/notes", "remove-note": scene["note"], "external-id": f"{account}/external-id",
        "external-id-2": f"{account}/external-id?externalID={quote(EVIL + '2')}",
        "remove-external-id": f"{account}/remove-external-id", "named": f"/admin/products/{APP}/{NAMED}",
        "named-edit": f"/admin/products/{APP}/{NAMED}/edit",
    }
