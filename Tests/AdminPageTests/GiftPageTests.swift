import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import ServerCore

/// Support gives a product or credits to each account of a list in the pages.
@Suite struct GiftPageTests {
    private static let product = "\(World.app)/Production/\(World.app).hardwords"
    private static let balance = "\(World.app)/Production/hints"

    /// Sends the form of the page with a list, as a file or in the field.
    private static func upload(
        _ values: [(String, String)], file: String? = nil, as visitor: PageVisitor
    ) async throws -> Answer {
        let form = try FilledForm(try await visitor.get(GiftPages.path).html)
        let parts = ([("csrf", form["csrf"] ?? "")] + values).map { UploadPart($0.0, $0.1) }
        return try await visitor.upload(
            form.action, parts + [UploadPart("file", file ?? "", file: file.map { _ in "p.csv" } ?? "")])
    }

    /// Three clicks: to the form, to the preview, and the act; sent again, it gives nothing.
    @Test func `A partner's file is given a product in three clicks`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.support)
            let (first, second) = (try await world.newPlayer(), try await world.newPlayer())
            #expect(
                try await alice.get("/admin/accounts").html.contains("href=\"\(GiftPages.path)\">\(GiftPages.title)"))
            let file = "\u{FEFF}\(first.account),Anna\r\n<b>nobody</b>,Ben\r\n\(second.account),Cem\r\n"
            let values = [("product", Self.product), ("lastDay", "2099-12-31"), ("balance", "")]
            let preview = try await Self.upload(values, file: file, as: alice)
            #expect(preview.status == 200 && preview.html.contains("Give it to 2 accounts"), "\(preview.html)")
            #expect(preview.html.contains("There is no such account.") && preview.html.contains("Fri 1 Jan 2100"))
            #expect(!preview.html.contains("<b>nobody") && !preview.html.contains("Anna"))
            #expect(try await world.auditRows(of: "entitlement.granted").isEmpty)
            var form = try FilledForm(preview.html)
            let refused = try await alice.send(form)
            #expect(refused.status == 422 && refused.html.contains("A reason is required"), "\(refused.html)")
            form = try FilledForm(refused.html)
            try form.fill("reason", "partner 7")
            let done = try await alice.send(form)
            #expect(done.status == 200 && done.html.contains("It was given to 2 accounts."), "\(done.html)")
            for player in [first, second] {
                #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            }
            let again = try await alice.send(form)
            #expect(again.html.contains("It was given to 0 accounts.") && again.html.contains("has it already"))
            #expect(try await world.auditRows(of: "entitlement.granted").count == 2)
        }
    }

    @Test func `Credits are given to accounts that are pasted`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let values = [("balance", Self.balance), ("amount", "5"), ("accounts", "\n\(player.account)\n")]
            let preview = try await Self.upload(values, as: alice)
            var form = try FilledForm(preview.html)
            try form.fill("reason", "partner 7")
            #expect(
                preview.html.contains("5 hints") && preview.html.contains("Give it to 1 account<"), "\(preview.html)")
            #expect(try await alice.send(form).html.contains("It was given to 1 account."))
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 5])
            let empty = try await Self.upload(
                [("balance", Self.balance), ("amount", "5"), ("accounts", "x")], as: alice)
            #expect(empty.html.contains("Nobody on the list would be given anything."), "\(empty.html)")
        }
    }

    /// The form comes back as it was, with the mistake at its field.
    @Test func `A mistake in the form of a list is named at its field`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let accounts = ("accounts", player.account)
            let mistakes: [([(String, String)], String, String?)] = [
                ([("product", "x"), accounts], "product", nil),
                ([("product", Self.product), ("lastDay", "soon"), accounts], "lastDay", nil),
                ([("balance", Self.balance), ("amount", "0"), accounts], "amount", nil),
                ([("balance", "x"), ("amount", "5"), accounts], "balance", nil),
                ([("product", Self.product)], "accounts", nil),
                ([("product", Self.product), accounts], "accounts", "also a file"),
                ([("product", Self.product), ("accounts", String(repeating: "x\n", count: 1_001))], "accounts", nil),
            ]
            for (values, field, file) in mistakes {
                let answer = try await Self.upload(values, file: file, as: alice)
                #expect(answer.status == 422 && answer.mistakes.map(\.field) == [field], "\(values): \(answer.html)")
                let again = try FilledForm(answer.html)
                #expect(
                    again.action == GiftPages.path && again["product"] == (values.first { $0.0 == "product" }?.1 ?? ""))
            }
            #expect(try await world.entitlements(of: player)["entitlements"] == [])
        }
    }
}
