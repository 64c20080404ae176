import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine

/// Support gives products in the pages, and takes them back.
@Suite struct GrantPageTests {
    private static let choice = "\(World.app)/Production/\(World.app).hardwords"

    @Test func `A product is given once and taken back in the pages`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let place = "/admin/accounts/\(player.account)"
            let page = try await alice.get(place).html
            #expect(page.contains("\(place)/grant\"") && page.contains("Nothing was given."))
            let empty = try await alice.get("\(place)/grant").html
            #expect(empty.contains("\(World.app).hardwords in \(World.app), Production"))
            #expect(!empty.contains("tenhints"), "it gives no access")
            let query = "\(place)/grant?product=\(Self.choice.pathEncoded)&lastDay=2099-12-31"
            let confirmation = try await alice.get(query).html
            #expect(confirmation.contains("Fri 1 Jan 2100, 00:00 UTC"), "\(confirmation)")
            #expect(confirmation.contains("access: denied") && confirmation.contains("access: granted"))
            #expect(try await world.auditRows(of: "entitlement.granted").isEmpty)
            let form = try #require(PageForm(confirmation))
            for _ in 0..<3 {
                let answer = try await alice.post(form.action, form.hidden + [("reason", "ticket 7: <b>sorry</b>")])
                #expect(answer.status == 303 && answer.headers[.location] == "\(place)?done=grant", "\(answer)")
            }
            #expect(try await world.auditRows(of: "entitlement.granted").count == 1)
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            let after = try await alice.get("\(place)?done=grant").html
            #expect(after.contains("The product was given.") && after.contains("given by support"))
            #expect(after.contains("Product given by support") && after.contains("admin:alice"))
            #expect(after.contains("ticket 7: &lt;b&gt;sorry&lt;/b&gt;") && !after.contains("<b>sorry"))
            let link = try #require(after.firstMatch(of: /href="([^"]*\/grants\/[^"]*\/revoke)"/)?.output.1)
            let reader = try await world.visitor(.read, name: "bob")
            let read = try await reader.get(place).html
            #expect(read.contains("Given by support") && !read.contains("/revoke\"") && !read.contains("/grant\""))
            let answer = try await alice.submit(String(link), [("reason", "ticket 8")])
            #expect(answer.status == 303 && answer.headers[.location] == "\(place)?done=take-back", "\(answer)")
            #expect(try await world.entitlements(of: player)["entitlements"] == [])
            let last = try await alice.get("\(place)?done=take-back").html
            #expect(last.contains("The product was taken back.") && !last.contains("/revoke\""))
            #expect(last.contains(">Taken back</span>"))
            #expect(try await alice.get(String(link)).html.contains("There is nothing to do"))
            #expect(try await alice.get("\(place)/grants/g_x/revoke").status == 404)
        }
    }

    @Test func `Mistakes in giving a product are explained on the page`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let path = "/admin/accounts/\(player.account)/grant"
            let good = "product=\(Self.choice.pathEncoded)"
            let yesterday = (World.start - 86_400).rfc3339.prefix(10)
            for query in [
                "product=x", "\(good)&lastDay=31.12.2099", "\(good)&lastDay=2099-02-30", "\(good)&lastDay=\(yesterday)",
            ] {
                let answer = try await alice.get("\(path)?\(query)")
                #expect(answer.status == 200 && answer.html.contains("class=\"notice bad\""), "\(query): \(answer)")
                #expect(PageForm(answer.html)?.action != path)
            }
            let today = try await alice.get("\(path)?\(good)&lastDay=\(World.start.rfc3339.prefix(10))")
            #expect(PageForm(today.html)?.action == path, "it ends at midnight")
            let form = try #require(PageForm(try await alice.get("\(path)?\(good)").html))
            let forged = form.hidden.map { $0.0 == "product" ? ("product", "x/Production/x") : $0 }
            #expect(try await alice.post(path, forged + [("reason", "r")]).status == 400)
            #expect(try await alice.post(path, form.hidden + [("reason", " ")]).status == 422)
            #expect(try await world.entitlements(of: player)["entitlements"] == [])
            let nobody = "/admin/accounts/\(UUID().uuidString.lowercased())/grant?\(good)"
            #expect(try await alice.get(nobody).status == 404)
        }
    }

    /// For a large catalog the page suggests some products and accepts any: by its ID, or with its app and environment.
    @Test func `A product of a large catalog is found by typing`() async throws {
        let products = (0..<1_000).map { #"{"id": "word\#($0)", "type": "non-consumable"}"# }.joined(separator: ",")
        let apps = ["com.example.hangman", "com.example.chess"].map { app in
            let own = app.hasSuffix("chess") ? #", {"id": "board", "type": "non-consumable"}"# : ""
            return #"{"bundleID": "\#(app)", "appAppleID": \#(app.count), "products": [\#(products)\#(own)]}"#
        }
        let catalog = #"{"apps": [\#(apps.joined(separator: ","))]}"#
        try await World.run(products: catalog, environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let path = "/admin/accounts/\(player.account)/grant"
            let html = try await alice.get(path).html
            #expect(html.matches(of: #/<option /#).count == GrantChoice.maximumSuggestions)
            #expect(html.contains("list=\"list-product\"") && html.contains("<datalist id=\"list-product\">"))
            for (text, isFound) in [
                ("board", true), ("com.example.chess/Sandbox/word999", true), ("word999", false), ("other", false),
                ("com.example.chess/Xcode/word999", false), ("com.example.chess/Sandbox", false),
            ] {
                let page = try await alice.get("\(path)?product=\(text.pathEncoded)").html
                #expect((PageForm(page)?.action == path) == isFound, "\(text): \(page)")
                #expect(isFound || page.contains("value=\"\(text)\"") && page.contains("notice bad"), "\(text)")
            }
        }
    }

    /// A purchase that ended is shown as ended, whatever was given beside it.
    @Test func `A grant does not make an ended purchase look given`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("nighttheme.month", "non-renewing")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            world.clock.advance(by: 40 * 86_400)
            let later = try await world.visitor(.write)
            let place = "/admin/accounts/\(player.account)"
            #expect(try await later.get(place).html.contains(">Ended</span>"))
            let choice = "\(World.app)/Production/\(World.app).nighttheme.month".pathEncoded
            let answer = try await later.submit("\(place)/grant?product=\(choice)", [("reason", "r")])
            #expect(answer.status == 303, "\(answer)")
            let html = try await later.get(place).html
            #expect(html.contains(">Ended</span>") && !html.contains(">Given</span>"), "\(html)")
        }
    }
}
