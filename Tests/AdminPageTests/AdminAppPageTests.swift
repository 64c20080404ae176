import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

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
                    ("member-openBundles", "hard-words"),
                    ("member-currencies", #"{"hints": {"refund": "clamp"}}"#),
                ])
            #expect(form["member-appAppleID"] == "1234567890" && form["member-placements"] == "")
            let review = try await alice.send(form)
            let line = "+ </span>  &quot;sandbox&quot;: &quot;testers&quot;"
            #expect(review.html.contains(line + ",</ins>"), "\(review.html)")
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
            for line in ["+ </span>  &quot;sandbox&quot;: &quot;testers&quot;", "− </span>  &quot;sandbox&quot;"] {
                #expect(conflict.html.contains(line), "\(conflict.html)")
            }
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
            let inUse = try await alice.send(alice.form(Self.path + "/remove"))
            #expect(inUse.status == 409 && inUse.html.contains("6 products"), "\(inUse.html)")
        }
    }

    @Test func `A mistake in an app's form is shown with what was filled in`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, before) = (try await world.visitor(.write), try world.catalogText)
            for (name, value, error) in [
                ("sandbox", "some", "sandbox"), ("appAppleID", "x", "appAppleID"), ("placements", "{", "placements"),
                ("openBundles", "none", "there is no bundle"),
                ("startingCreditsOnce", "appTransaction", "startingCredits"),
            ] {
                let answer = try await alice.send(alice.form(Self.path + "/edit", [("member-\(name)", value)]))
                #expect(answer.status == 422 && answer.html.contains(error), "\(name): \(answer.html)")
                #expect(try FilledForm(answer.html)["member-\(name)"] == value)
            }
            let unnamed = try await alice.send(alice.form("/admin/new-app", [("member-appAppleID", "7")]))
            #expect(unnamed.status == 422 && unnamed.html.contains("bundleID"), "\(unnamed.html)")
            #expect(try world.catalogText == before)
        }
    }
}
