"""The StoreKit configuration of examples/HangmanApp sells what the server of the game delivers, by the names and prices
that the game for terminals has."""

import copy
import json
import re

import pytest

from conftest import ROOT

CONFIGURATION = ROOT / "examples" / "HangmanApp" / "Hangman.storekit"
CATALOG = ROOT / "examples" / "Hangman" / "Server" / "products.json"
ENTRIES = ROOT / "examples" / "Hangman" / "Program" / "Client" / "StoreEntry.swift"
TYPES = {"Consumable": "consumable", "NonConsumable": "non-consumable", "NonRenewingSubscription": "non-renewing",
         "RecurringSubscription": "auto-renewable"}
PERIOD = "P1M"  # As StoreEntry tells the simulated App Store.


def described(product, group=None):
    """A product of the configuration, in the words of the catalog."""
    text = product["localizations"][0]
    return {"type": TYPES[product["type"]], "group": group, "period": product.get("recurringSubscriptionPeriod"),
            "familyShareable": product["familyShareable"], "price": product["displayPrice"],
            "texts": (text["displayName"], text["description"])}


def sold(configuration):
    products = {each["productID"]: described(each)
                for each in configuration["products"] + configuration["nonRenewingSubscriptions"]}
    for group in configuration["subscriptionGroups"]:
        products |= {each["productID"]: described(each, group["name"]) for each in group["subscriptions"]
                     if each["subscriptionGroupID"] == group["id"]}
    return products


def delivered(app, entries):
    """The products of the catalog, with the texts and prices of the game."""
    texts = {name: (title, text, int(price.replace("_", ""))) for name, title, text, price in
             re.findall(r'"([\w.]+)": \("([^"]*)", "([^"]*)", ([\d_]+)\)', entries)}
    products = {}
    for product in app["products"]:
        title, text, price = texts[product["id"].removeprefix(app["bundleID"] + ".")]
        renews = product["type"] == "auto-renewable"
        products[product["id"]] = {
            "type": product["type"], "group": product.get("group"), "period": PERIOD if renews else None,
            "familyShareable": False, "price": f"{price / 1000:.2f}", "texts": (title, text)}
    return products


def differences(configuration, app, entries):
    have, want = sold(configuration), delivered(app, entries)
    for product in sorted(have.keys() | want.keys()):
        if product not in have or product not in want:
            yield f"{product}: only in the {'catalog' if product in want else 'configuration'}"
            continue
        for member, value in want[product].items():
            if have[product][member] != value:
                yield f"{product}.{member}: {have[product][member]!r} instead of {value!r}"


@pytest.fixture
def configuration():
    return json.loads(CONFIGURATION.read_text(encoding="utf-8"))


@pytest.fixture
def app():
    return json.loads(CATALOG.read_text(encoding="utf-8"))["apps"][0]


@pytest.fixture
def entries():
    return ENTRIES.read_text(encoding="utf-8")


def test_the_configuration_sells_what_the_catalog_delivers(configuration, app, entries):
    assert len(app["products"]) == 6
    assert list(differences(configuration, app, entries)) == []


@pytest.mark.parametrize("change, found", [
    (lambda c: c["products"].pop(0), ["com.example.hangman.tenhints: only in the catalog"]),
    (lambda c: c["products"][0].update(productID="com.example.hangman.hints"),
     ["com.example.hangman.hints: only in the configuration", "com.example.hangman.tenhints: only in the catalog"]),
    (lambda c: c["products"][2].update(type="Consumable"),
     ["com.example.hangman.hardwords.type: 'consumable' instead of 'non-consumable'"]),
    (lambda c: c["nonRenewingSubscriptions"][0].update(displayPrice="1.99"),
     ["com.example.hangman.nighttheme.month.price: '1.99' instead of '0.99'"]),
    (lambda c: c["products"][0].update(familyShareable=True),
     ["com.example.hangman.tenhints.familyShareable: True instead of False"]),
    (lambda c: c["products"][0]["localizations"][0].update(displayName="Hints"),
     ["com.example.hangman.tenhints.texts: ('Hints', 'A hint shows what the word is about; the next one finds a "
      "letter.') instead of ('Ten hints', 'A hint shows what the word is about; the next one finds a letter.')"]),
    (lambda c: c["subscriptionGroups"][0].update(name="members"),
     ["com.example.hangman.club.monthly.group: 'members' instead of 'club'"]),
    (lambda c: c["subscriptionGroups"][0].update(id="1"), ["com.example.hangman.club.monthly: only in the catalog"]),
    (lambda c: c["subscriptionGroups"][0]["subscriptions"][0].update(recurringSubscriptionPeriod="P1Y"),
     ["com.example.hangman.club.monthly.period: 'P1Y' instead of 'P1M'"]),
])
def test_each_difference_is_found(configuration, app, entries, change, found):
    changed = copy.deepcopy(configuration)
    change(changed)
    assert list(differences(changed, app, entries)) == found
