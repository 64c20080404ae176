import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL

/// The things that an operator watches: when something was recorded last, and what was bought and is not in the catalog.
@Suite struct ActivityTests {
    @Test(arguments: LedgerKind.allCases) func tellsWhenSomethingWasRecordedLast(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        #expect(try await ledger.ledger.activity().newestPurchase == nil)
        #expect(try await ledger.ledger.activity().newestNotification == nil)
        try await ledger.record(receipt("a"), bought("hints", "1"), bought("starter", "2", on: day(3)))
        let notification = AppStoreNotification(
            id: "n", type: "TEST", app: "hangman", environment: .production, signedDate: day(1), content: "n")
        _ = try await ledger.ledger.record(notification, in: ledger.context(on: day(300)))
        let activity = try await ledger.ledger.activity()
        #expect(activity.newestPurchase == bought("hints", "1").purchaseDate)
        #expect(activity.newestNotification == day(300))
    }

    @Test(arguments: LedgerKind.allCases) func tellsSinceWhenNothingWasSealed(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let first = try #require(try await ledger.ledger.activity().oldestUnsealed)
        #expect(first <= today)
        _ = try await ledger.ledger.sealRows(atMost: 1_000, at: today) { row, last in
            Seal(position: (last?.position ?? 0) + 1, sequence: row.sequence, hash: row.contentHash)
        }
        #expect(try await ledger.ledger.activity().oldestUnsealed == nil)
        try await ledger.record(receipt("a"), bought("hints", "1"))
        #expect(try await ledger.ledger.activity().oldestUnsealed != nil)
    }

    /// Those of the sandbox concern nobody who paid; one that came into the catalog is missing no more.
    @Test(arguments: LedgerKind.allCases) func namesProductsThatNobodyKnows(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(
            receipt("a"), bought("hints", "1"), bought("gone", "2", on: day(3)), bought("gone", "3"),
            bought("lost", "4"), bought("sandboxed", "5", .sandbox))
        #expect(
            try await ledger.ledger.missingProducts() == [
                MissingProduct(app: "hangman", product: "gone", purchases: 2, oldest: day(3)),
                MissingProduct(
                    app: "hangman", product: "lost", purchases: 1, oldest: bought("lost", "4").purchaseDate),
            ])
        let mended = shop.replacing(#"{"id": "hints""#, with: #"{"id": "gone", "type": "consumable"}, {"id": "hints""#)
        _ = try await ledger.ledger.bindTerms(in: RecordingContext(catalog: try catalog(mended), date: today))
        #expect(try await ledger.ledger.missingProducts().map(\.product) == ["lost"])
    }
}

    /// Nobody paid for one that was refunded; for one of which a part was, somebody paid the rest.
    @Test(arguments: LedgerKind.allCases) func refundedOnesAreMissingToNobody(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        var (whole, part, all) = (bought("gone", "1"), bought("lost", "2"), bought("away", "3"))
        whole.revocation = Transaction.Revocation(date: day(98))
        part.revocation = Transaction.Revocation(date: day(98), percentage: 50_000)
        all.revocation = Transaction.Revocation(date: day(98), percentage: 100_000)
        try await ledger.record(receipt("a"), whole, part, all)
        #expect(try await ledger.ledger.missingProducts().map(\.product) == ["lost"])
    }
