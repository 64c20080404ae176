import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import QuartermasterServer

/// The settings of apps are viewed and changed in the pages.
@Suite struct AdminAppPageTests {
    private static let path = "/admin/apps/\(World.app)/settings"

    @Test func `The settings of an app are changed after showing the difference`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, before) = (try await world.visitor(.write), try world.catalogText)
            let products = try await alice.get("/admin/products").html
            #expect(products.contains("href=\"\(Self.path)\"") && products.contains("href=\"/admin/new-app\""))
            let form = try await alice.form(
                Self.path + "/edit",
                [
                    ("member-sandbox", "testers"), ("member-startingCredits", "hints 20"),
                    ("member-openBundles", "hard-words"), ("member-currencies-0-name", "hints"),
                    ("member-currencies-0-refund", "clamp"),
                ])
            #expect(form["member-appAppleID"] == "1234567890" && form["member-placements-0-place"] == "")
            let review = try await alice.send(form)
            let sandbox = ["Who gets something for sandbox purchases", "–", "Testers only"]
            #expect(review.changes.contains(sandbox), "\(review.changes)")
            #expect(review.changes.contains(["Starting credits: hints", "–", "20"]), "\(review.changes)")
            #expect(try world.catalogText == before)
            var save = try FilledForm(review.html)
            try save.fill("reason", "a\u{2028}b")
            #expect(try await alice.send(save).status == 422)
            #expect(try world.catalogText == before)
            try save.fill("reason", " ticket 7 ")
            let saved = try await alice.send(save)
            #expect(saved.status == 303 && saved.headers[.location] == Self.path + "?done=saved", "\(saved.html)")
            let row = try #require(try await world.appRows().last)
            #expect(row.kind == "app.changed" && row.actor == "admin:alice")
            #expect(row.json["after"]["startingCredits"]["hints"] == 20 && row.json["reason"] == "ticket 7")
            #expect(row.json["after"]["currencies"]["hints"]["refund"] == "clamp")
            let page = try await alice.get(Self.path + "?done=saved").html
            #expect(page.contains("The settings were changed.") && page.contains("&quot;testers&quot;"))
            let same = try await alice.send(alice.form(Self.path + "/edit?as=json"))
            #expect(same.html.contains("There is nothing to do"), "\(same.html)")
            let reader = try await world.visitor(.read, name: "bob")
            let shown = try await reader.get(Self.path)
            #expect(shown.status == 200 && shown.html.contains("testers") && !shown.html.contains("/edit"))
        }
    }

    @Test func `A conflict of two edits of an app shows both`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, bob) = (try await world.visitor(.write), try await world.visitor(.write, name: "bob"))
            let mine = try await bob.send(bob.form(Self.path + "/edit", [("member-sandbox", "everyone")]))
            let theirs = try await alice.send(alice.form(Self.path + "/edit", [("member-sandbox", "testers")]))
            #expect(try await alice.send(formOf: theirs).status == 303)
            var late = try FilledForm(mine.html)
            try late.fill("reason", "ticket 8")
            let conflict = try await bob.send(late)
            #expect(conflict.status == 412 && conflict.html.contains("Somebody else changed the catalog"))
            let values = conflict.changes.filter { $0.first == "Who gets something for sandbox purchases" }.map(\.last)
            #expect(values == ["Testers only", "Everyone, always"], "\(conflict.changes)")
            #expect(try await world.appRows().count == 1)
            #expect(try await bob.send(formOf: conflict).status == 303)
            let row = try #require(try await world.appRows().last).json
            #expect(row["after"]["sandbox"] == "everyone" && row["reason"] == "ticket 8", "as it was typed before")
        }
    }

    /// The list, the product, and the review before something is saved say what the command `products check` warns of.
    @Test func `What is probably not intended is shown in the pages`() async throws {
        let products = SampleCatalog.text(#"{"id": "a tip", "type": "consumable"}"#, SampleCatalog.words)
            .replacing(#""products""#, with: #""placements": {"shop": ["gone"]}, "products""#)
        let space = #"id: "a tip" has a space, which App Store Connect does not accept"#
        let nothing = "a consumable without credits and bundles gives nothing"
        let placement = #"apps[0].placements.shop: there is no product "gone""#
        try await World.run(products: products, environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            let list = try await alice.get("/admin/products").html.unescaped
            for line in ["apps[0].products[0].\(space)", "apps[0].products[0]: \(nothing)", placement] {
                #expect(list.contains(line), "\(list)")
            }
            let product = try await alice.get("/admin/products/\(World.app)/a%20tip").html.unescaped
            #expect(product.contains("entry.\(space)") && product.contains("entry: \(nothing)"), "\(product)")
            let words = try await alice.get("/admin/products/\(World.app)/\(SampleCatalog.hard)").html
            #expect(!words.contains("Probably not intended"), "\(words)")
            let settings = try await alice.send(alice.form(Self.path + "/edit", [("member-notice", "Hello")]))
            #expect(settings.html.unescaped.contains(placement), "\(settings.html)")
            #expect(!settings.html.contains("gives nothing"), "\(settings.html)")
        }
        try await World.run(environment: World.pagesOn) { world in
            let list = try await world.visitor(.read).get("/admin/products").html
            #expect(!list.contains("Probably not intended"), "\(list)")
        }
    }

    @Test func `An app is added and removed in the pages`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, before) = (try await world.visitor(.write), try world.catalogText)
            let filled = [("bundleID", SampleCatalog.chess), ("member-appAppleID", "7")]
            let review = try await alice.send(alice.form("/admin/new-app", filled))
            #expect(review.html.contains("It begins without products.") && review.html.contains("Add it"))
            let added = try await alice.send(formOf: review)
            let path = "/admin/apps/\(SampleCatalog.chess)/settings"
            #expect(added.status == 303 && added.headers[.location] == path + "?done=added", "\(added.html)")
            #expect(try await alice.get("/admin/products?app=\(SampleCatalog.chess)").html.contains("0 products"))
            let twice = try await alice.send(alice.form("/admin/new-app", filled))
            #expect(twice.status == 412, "\(twice.html)")
            let removed = try await alice.send(alice.form(path + "/remove", [("reason", "never sold")]))
            #expect(try await world.appRows().last?.json["reason"] == "never sold")
            #expect(removed.status == 303 && removed.headers[.location] == "/admin/products")
            #expect(try world.catalogText == before)
            let inUse = try await alice.get(Self.path + "/remove")
            #expect(inUse.status == 200 && inUse.html.contains("6 products") && !inUse.html.contains("dangerous"))
            #expect(inUse.html.contains("href=\"/admin/products?app=\(World.app)\""), "\(inUse.html)")
            let sent = try await alice.post(
                Self.path + "/remove", [("csrf", SessionCookie.formToken(try #require(alice.cookie)))])
            #expect([409, 412].contains(sent.status), "\(sent.html)")
            #expect(try world.catalogText == before)
        }
    }

    @Test func `A mistake in an app's form is shown at its field with what was filled in`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, before) = (try await world.visitor(.write), try world.catalogText)
            let mistakes: [(filled: [(String, String)], field: String, words: String)] = [
                ([("appAppleID", "x")], "appAppleID", "Write a whole number from 1 on."),
                ([("offlineDays", "36")], "offlineDays", "Write a whole number from 1 to 35."),
                ([("openBundles", "none")], "openBundles", "There is no bundle \"none\"."),
                ([("startingCreditsOnce", "appTransaction")], "startingCreditsOnce", "Only with “Starting credits”."),
                ([("sandbox", "everyoneUntil")], "sandbox-until", "Fill in the date."),
                (
                    [("sandbox", "everyoneUntil"), ("sandbox-until", "soon")], "sandbox-until",
                    "Write date and time such as 2026-12-01 00:00, in UTC."
                ),
                ([("legal-terms", "http://example.com")], "legal-terms", "Write an address that begins with https://"),
                ([("currencies-0-refund", "clamp")], "currencies-0-name", "Fill this in"),
                (
                    [("placements-0-place", "shop"), ("placements-0-buckets", "5")], "placements-0-buckets",
                    "Write two numbers from 0 to 99, such as 0-49."
                ),
                (
                    [("placements-0-place", "shop"), ("placements-0-storefronts", "DE")], "placements-0-storefronts",
                    "Write each country in three letters, such as DEU."
                ),
                (
                    [("placements-0-place", "shop"), ("placements-0-metadata", "{\n x")], "placements-0-metadata",
                    "This is not JSON: see line 2, column 2."
                ),
            ]
            for mistake in mistakes {
                let filled = mistake.filled.map { ("member-\($0.0)", $0.1) }
                let answer = try await alice.send(alice.form(Self.path + "/edit", filled))
                #expect(answer.status == 422, "\(mistake): \(answer.html)")
                #expect(answer.mistakes.map(\.field) == ["member-\(mistake.field)"], "\(mistake): \(answer.mistakes)")
                #expect(answer.mistakes.first?.words.hasPrefix(mistake.words) == true, "\(answer.mistakes)")
                #expect(answer.html.contains("aria-invalid=\"true\"") && !answer.html.contains("at byte"))
                let again = try FilledForm(answer.html)
                for (name, value) in filled where name != "member-sandbox" {
                    #expect(again[name]?.replacing("\r\n", with: "\n") == value, "\(name)")
                }
            }
            let unnamed = try await alice.send(alice.form("/admin/new-app", [("member-appAppleID", "7")]))
            #expect(unnamed.status == 422 && unnamed.mistakes.map(\.field) == ["bundleID"], "\(unnamed.html)")
            #expect(try world.catalogText == before)
        }
    }

    /// Everything that an app's entry can have is filled in without JSON, read back, and sent unchanged.
    @Test func `Settings are filled in without JSON`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            let filled = [
                ("sandbox", "everyoneUntil"), ("sandbox-until", "2026-12-01T12:30"), ("finishFromServer", "true"),
                ("receiptVersions-minimum", "1.10"), ("legal-terms", "https://example.com/terms"),
                ("currencies-0-name", "hints"), ("currencies-0-refund", "clamp"), ("currencies-1-name", "gems"),
                ("placements-0-place", "shop"), ("placements-0-products", "\(World.app).hardwords"),
                ("placements-1-place", "outOfHints"), ("placements-1-products", "\(World.app).tenhints"),
                ("placements-1-buckets", "0-49"), ("placements-1-availableUntil", "2027-01-07"),
                ("placements-1-metadata", "{\"title\": {\"en\": \"Out of hints?\"}}"),
            ].map { ("member-\($0)", $1) }
            let review = try await alice.send(alice.form(Self.path + "/edit", filled))
            let until = ["Who gets something for sandbox purchases", "–", "Everyone until Tue 1 Dec 2026, 12:30 UTC"]
            #expect(review.changes.contains(until), "\(review.changes)")
            #expect(try await alice.send(formOf: review).status == 303, "\(review.html)")
            let more = [
                ("member-placements-2-place", "outOfHints"),
                ("member-placements-2-products", "\(World.app).hundredhints\n\(World.app).tenhints"),
            ]
            let second = try await alice.send(alice.form(Self.path + "/edit", more))
            #expect(try await alice.send(formOf: second).status == 303, "\(second.html)")
            let entry = try #require(try await world.appRows().last?.json["after"])
            #expect(entry["sandbox"] == ["everyoneUntil": "2026-12-01T12:30:00Z"] && entry["finishFromServer"] == true)
            #expect(entry["receiptVersions"] == ["minimum": "1.10"])
            #expect(entry["legal"] == ["terms": "https://example.com/terms"])
            #expect(entry["currencies"] == ["hints": ["refund": "clamp"], "gems": [:]])
            let (ten, hundred) = ("\(World.app).tenhints", "\(World.app).hundredhints")
            #expect(
                entry["placements"] == [
                    "shop": [.string("\(World.app).hardwords")],
                    "outOfHints": [
                        [
                            "products": [.string(ten)],
                            "when": ["buckets": [0, 49], "availableUntil": "2027-01-07T00:00:00Z"],
                            "metadata": ["title": ["en": "Out of hints?"]],
                        ],
                        ["products": [.string(hundred), .string(ten)]],
                    ],
                ], "\(entry)")
            let page = try await alice.get(Self.path + "/edit").html
            #expect(page.contains(/<details class="group"><summary>Placement 3: \w+<\/summary>/), "\(page)")
            #expect(page.contains("<fieldset><legend>Currency 2</legend>") && !page.contains("Not shown here"))
            let same = try await alice.send(alice.form(Self.path + "/edit"))
            #expect(same.html.contains("There is nothing to do"), "\(same.html)")
            // An emptied row is removed.
            let emptied = [("member-currencies-1-name", ""), ("member-placements-0-place", "")]
            let removal = try await alice.send(
                alice.form(Self.path + "/edit", emptied + [("member-placements-0-products", "")]))
            #expect(removal.changes.contains(["Currencies: gems", "nothing", "–"]), "\(removal.changes)")
            #expect(removal.changes.contains(["Placements: shop", "\(World.app).hardwords", "–"]))
        }
    }

    /// A value that no field could show stays as it is.
    @Test func `A placement that is too special for the form stays as it is`() async throws {
        let special = #""placements": {"shop": [{"products": [], "when": {}}]}, "products""#
        let products = SampleCatalog.text(SampleCatalog.words).replacing(#""products""#, with: special)
        try await World.run(products: products, environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            let page = try await alice.get(Self.path + "/edit").html
            #expect(
                page.contains("Not shown here, and kept as it is: Placements.") && !page.contains("member-placements"))
            let review = try await alice.send(alice.form(Self.path + "/edit", [("member-notice", "Hello")]))
            #expect(review.changes == [["Notice to players", "–", "Hello"]], "\(review.changes)")
            #expect(try await alice.send(formOf: review).status == 303)
            #expect(try world.catalogText.contains(#"{"shop": [{"products": [], "when": {}}]}"#))
        }
    }
}
