import Foundation
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// The report on an account, as `accounts show` prints it.
@Suite struct AccountReportTextTests {
    private func report(_ world: World) async throws -> AccountReportBody {
        let player = try await world.newPlayer()
        let account = try #require(AccountID(text: player.account))
        let context = world.assembly.store.decisions.context
        let id = TransactionID(stored: "2000000000000001")
        var bought = Transaction(
            id: id, originalID: id, app: BundleID(stored: World.app), environment: .production,
            productID: ProductID(stored: "\(World.app).tenhints"), productType: .consumable,
            purchaseDate: World.start, signedDate: World.start, isSigned: true)
        bought.details = PurchaseDetails()
        bought.details?.orderID = "MK5TTTVWJH"
        bought.details?.price = 12_990
        bought.details?.currency = "EUR"
        let receipt = Receipt(id: "r_x", account: account, kind: .signedTransaction, content: "x", digest: Data([1]))
        _ = try await world.ledger.record(receipt, .success(VerifiedReceipt(transactions: [bought])), in: context)
        let report = try await world.ledger.accountReport(of: account, after: nil, limit: 10, in: context)
        return AccountReportBody(try #require(report))
    }

    /// Headings and words for people; no empty column, and no other time format.
    @Test func `A report on a terminal is made of tables`() async throws {
        try await World.run { world in
            let body = try await report(world)
            let text = body.text(for: TextOutput(isTerminal: true, hasColours: false))
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            #expect(lines.first == "Account \(body.account)")
            let place = try #require(lines.firstIndex(of: "Purchases"), "\(text)")
            let (heading, row) = (
                try #require(lines.dropFirst(place + 1).first), try #require(lines.dropFirst(place + 2).first)
            )
            for (column, cell) in [
                ("BOUGHT", PageTime(World.start, now: World.start).text), ("ORDER", "MK5TTTVWJH"),
                ("PRICE", "12.99 EUR"), ("PRODUCT", "\(World.app).tenhints"), ("TRANSACTION", "2000000000000001"),
            ] {
                let start = try #require(heading.range(of: column), "\(column): \(heading)")
                #expect(row[start.lowerBound...].hasPrefix(cell), "\(column): \(row)")
            }
            #expect(!heading.contains("REFUNDED") && !heading.contains("ORIGINAL"))
            #expect(text.firstMatch(of: /\d\dT\d\d:\d\d/) == nil, "\(text)")
            #expect(lines.contains("Changes of the credits") && lines.contains("Sessions"))
        }
    }

    /// A line for each entry, with the name of its list and the same number of cells in each list.
    @Test func `A report in a pipe is made of lines with tabs`() async throws {
        try await World.run { world in
            let body = try await report(world)
            let text = body.text(for: TextOutput(isTerminal: false, hasColours: false))
            let rows = text.split(separator: "\n").map {
                $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
            #expect(rows.first?.prefix(3) == ["account", body.account, World.start.rfc3339])
            let purchase = try #require(rows.first { $0.first == "transactions" }, "\(text)")
            #expect(
                purchase.prefix(6) == [
                    "transactions", World.start.rfc3339, "\(World.app).tenhints", "1", "12.99 EUR", "MK5TTTVWJH",
                ])
            #expect(purchase.count == 13 && rows.contains { $0.first == "sessions" && $0.count == 3 })
        }
    }
}
