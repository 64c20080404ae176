import AutoRenewableSubscription
import Consumable
import Foundation
import InAppPurchase
import NonRenewingSubscription
import TestSupport
import Testing

@Suite struct CatalogTests {
    @Test func `The documented example of a catalog is read`() throws {
        let app = try #require(try catalog(hangman).app("com.example.hangman"))
        #expect(app.appAppleID == 1_234_567_890)
        #expect(app.sandbox == .nobody)
        #expect(
            app.products.map { $0.id.text.split(separator: ".").last } == [
                "tenhints", "hundredhints", "hardwords", "ioswords", "month", "monthly",
            ])
        #expect(
            app.products.map(\.type) == [
                .consumable, .consumable, .nonConsumable, .nonConsumable, .nonRenewing, .autoRenewable,
            ])
        #expect(app.products.map(\.credits) == [["hints": 10], ["hints": 100], [:], [:], [:], [:]])
        #expect(app.products.map(\.ownership) == [.keep, .keep, .transfer, .transfer, .transfer, .transfer])
    }

    @Test func `Product handlers get the settings of their products`() throws {
        let catalog = try catalog(hangman)
        let month = catalog.product("com.example.hangman.nighttheme.month", of: "com.example.hangman")?.handler
        #expect((month as? NonRenewingSubscription)?.duration == CalendarDuration(months: 1))
        let club = catalog.product("com.example.hangman.club.monthly", of: "com.example.hangman")?.handler
        #expect((club as? AutoRenewableSubscription)?.group == "club")
        let hints = catalog.product("com.example.hangman.tenhints", of: "com.example.hangman")?.handler
        #expect((hints as? Consumable)?.redownloadHours == 24)
    }

    @Test func `Products are found by app and ID`() throws {
        let catalog = try catalog(hangman)
        #expect(Set(catalog.apps.flatMap(\.products).flatMap(\.bundles)) == ["hard-words", "ios-words", "night-theme"])
        #expect(catalog.product("com.example.hangman.ioswords", of: "com.example.hangman")?.bundles == ["ios-words"])
        #expect(catalog.product("com.example.hangman.IOSWORDS", of: "com.example.hangman") == nil)
        #expect(catalog.product("com.example.hangman.ioswords", of: "com.example.other") == nil)
    }

    @Test func `A purchase history belongs to a product or its group`() throws {
        let keys = try catalog(hangman).apps.flatMap(\.products).map(\.historyKey)
        #expect(Set(keys).count == 6)
        let monthly = try product(#"{"id": "m", "type": "auto-renewable", "group": "club"}"#)
        let yearly = try product(#"{"id": "y", "type": "auto-renewable", "group": "club"}"#)
        let other = try product(#"{"id": "y", "type": "non-consumable", "group": "club"}"#)
        #expect(monthly.historyKey == yearly.historyKey)
        #expect(monthly.historyKey != other.historyKey)
    }

    /// If the catalog has no name, its metadata may have one.
    @Test(arguments: [
        (#""name": {"en": "Club"}"#, "Club"), (#""name": {"de": "Verein", "en-GB": "Club"}"#, "Club"),
        (#""name": {"fr": "Cercle", "de": "Verein"}"#, "Verein"), (#""metadata": {"title": "Club"}"#, "Club"),
        (#""metadata": {"name": {"de": "Verein", "en": "Club"}}"#, "Club"),
        (#""name": {"en": "Club"}, "metadata": {"name": "Other"}"#, "Club"),
        (#""metadata": {"title": " ", "name": 7, "displayName": {"en": []}}"#, nil), (#""level": 1"#, nil),
    ])
    func `A product has a name for people`(members: String, name: String?) throws {
        let club = try product(#"{"id": "c", "type": "auto-renewable", \#(members)}"#)
        #expect(club.displayName == name)
        let terms = try JSONDecoder().decode([String: JSONValue].self, from: JSONEncoder().encode(club))
        #expect(terms["name"] == nil, "a purchase is not bound to a name")
    }

    @Test(arguments: [
        (#""nobody""#, SandboxPolicy.nobody, false, false), (#""testers""#, .testers, false, true),
        (#""everyone""#, .everyone, true, true),
        (#"{"everyoneUntil": "2026-01-02T00:00:00Z"}"#, .everyoneUntil(day(1)), true, true),
        (#"{"everyoneUntil": "2026-01-01T00:00:00Z"}"#, .everyoneUntil(day(0)), false, true),
    ])
    func `The sandbox policy of an app decides who is admitted`(
        json: String, policy: SandboxPolicy, anybody: Bool, testers: Bool
    ) throws {
        let app = try catalog(#"{"apps": [{"bundleID": "a", "sandbox": \#(json), "products": []}]}"#).app("a")
        #expect(app?.sandbox == policy)
        #expect(policy.admits(tester: false, at: day(0)) == anybody)
        #expect(policy.admits(tester: true, at: day(0)) == testers)
    }
}
