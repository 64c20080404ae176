import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import ServerCore

/// If something was bought and nothing was given, the pages say the true reason and lead to what helps.
@Suite struct RemedyPageTests {
    private static let mismatch = "is non-consumable in the catalog, and consumable in the App Store"
    private static let path = "/admin/products/\(World.app)/\(World.app).hardwords"

    /// The first link of this text.
    private static func link(_ text: String, in html: String) throws -> String {
        let link = try #require(html.firstMatch(of: try Regex("href=\"([^\"]*)\">\(text)</a>")), "\(text): \(html)")
        return String(try #require(link.output[1].substring)).unescaped
    }

    /// From the account in three steps: the form with the App Store's type, the comparison, and done.
    @Test func `A product of another type than the App Store's is said to be that and corrected`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let bought = try await world.buy("hardwords", "consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            let page = try await alice.get("/admin/accounts/\(player.account)").html
            #expect(page.contains("the product \(Self.mismatch)") && !page.contains("the catalog has no such product"))
            let link = try Self.link("Correct its type", in: page)
            #expect(link == "\(Self.path)/edit?type=consumable")
            let form = try await alice.form(link)
            #expect(form["member-type"] == "consumable", "\(form.values)")
            let review = try await alice.send(form)
            let shown = review.html.unescaped
            #expect(shown.contains("Type in the App Store") && shown.contains("1 purchase waits for it"), "\(shown)")
            #expect(!shown.contains("class=\"notice") && !shown.contains("class=\"dangerous\""), "\(shown)")
            let saved = try await alice.send(formOf: review)
            #expect(saved.status == 303, "\(saved)")
            let given = try await alice.get("/admin/accounts/\(player.account)").html
            #expect(given.contains(">Given</span>") && !given.contains("Not given"), "\(given)")
            let overview = try await alice.get("/admin").html
            #expect(!overview.contains(Self.mismatch))
        }
    }

    /// Of two purchases of one product, each has its own reason: the one that was given does not hide the other's.
    @Test func `A purchase of another type beside one that was given has its own reason`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (bob, player) = (try await world.visitor(.read), try await world.newPlayer())
            for type in ["non-consumable", "consumable"] {
                let bought = try await world.buy("hardwords", type)
                #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            }
            let page = try await bob.get("/admin/accounts/\(player.account)").html
            #expect(page.contains(">Given</span>") && page.contains("the product \(Self.mismatch)"), "\(page)")
            #expect(!page.contains("Correct its type"), "no act for who may only look")
            let sue = try await world.visitor(.support, name: "sue")
            let seen = try await sue.get("/admin/accounts/\(player.account)").html
            #expect(seen.contains("/credits\"") && !seen.contains("Correct its type"), "no act on the catalog")
        }
    }

    /// The form of the alarm begins with the type that the purchases prove, and another one is not saved unwarned.
    @Test func `A missing product is added with the App Store's type`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let bought = try await world.buy("newwords", "non-consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            let link = try Self.link("Add this product", in: try await alice.get("/admin/store").html)
            #expect(link == "/admin/apps/\(World.app)/new-product?id=\(World.app).newwords&type=non-consumable")
            #expect(try await alice.get("/admin/accounts/\(player.account)").html.unescaped.contains(link))
            let filled = [("member-bundles", "hard-words")]
            let wrong = try await alice.send(alice.form(link, filled + [("member-type", "consumable")]))
            let warning = "It is consumable in the catalog, and non-consumable in the App Store: saved so, nobody"
            #expect(wrong.html.contains("notice bad") && wrong.html.contains(warning), "\(wrong.html)")
            let right = try await alice.send(alice.form(link, filled))
            #expect(!right.html.contains("class=\"notice") && right.html.contains("Type in the App Store"))
            #expect(try await alice.send(formOf: right).status == 303)
            #expect(try await world.entitlement(to: "newwords", of: player)["access"].text == "granted")
        }
    }

    /// Nobody bought it yet, so nothing proves the type: the change is asked about.
    @Test func `Another type of a product is questioned before it is saved`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            let review = try await alice.send(alice.form("\(Self.path)/edit", [("member-type", "consumable")]))
            #expect(review.html.contains("notice waiting") && review.html.contains("Its type was non-consumable."))
            let other = try await alice.send(alice.form("\(Self.path)/edit", [("member-minimumAppVersion", "2.0")]))
            #expect(other.html.contains("Save it") && !other.html.contains("Its type was"), "\(other.html)")
        }
    }

    /// From B's page to the owner, and in two steps to the transfer, which says what is moved.
    @Test func `A purchase that another account has names its owner and is transferred`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            let (owner, other) = (try await world.newPlayer(), try await world.newPlayer())
            let bought = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(bought.signedTransaction, as: owner).status == 200)
            #expect(try await world.post(bought.signedTransaction, as: other).status == 409)
            let page = try await alice.get("/admin/accounts/\(other.account)").html.unescaped
            #expect(page.contains("Bought, but another account has it") && page.contains("recovery code"), "\(page)")
            #expect(page.contains("<a href=\"/admin/accounts/\(owner.account)\" class=\"id\""))
            #expect(page.contains("\(World.app).hardwords"))
            #expect(!page.contains("No receipt of this account contained a purchase."))
            let link = try Self.link("Transfer it here", in: page)
            let preview = try await alice.get(link).html
            for words in ["\(World.app).hardwords", "USD", "<dt>Bought</dt>", "Owner after it", owner.account] {
                #expect(preview.contains(words), "\(words): \(preview)")
            }
            let moved = try await alice.submit(link, [("reason", "ticket 12: both are hers")])
            #expect(moved.headers[.location] == "/admin/accounts/\(other.account)?done=transfer", "\(moved)")
            let after = try await alice.get("/admin/accounts/\(other.account)").html
            #expect(!after.contains("Bought, but another account has it") && after.contains(">Given</span>"))
            let reader = try await world.visitor(.read, name: "bob")
            let before = try await reader.get("/admin/accounts/\(owner.account)").html
            #expect(before.contains(">now of \(other.account)</a>"), "a link to who has it now: \(before)")
        }
    }
}
