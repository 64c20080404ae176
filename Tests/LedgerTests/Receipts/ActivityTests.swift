import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL

/// The things that an operator watches: when something was last recorded, and what was bought without being in the
/// catalog.
@Suite struct ActivityTests {
    private func activity(_ ledger: TestLedger, since: Int = 0) async throws -> LedgerActivity {
        try await ledger.ledger.activity(since: day(since), until: day(400))
    }

    private func reported(_ id: String, of app: BundleID = "hangman", isDelivered: Bool = true) -> AppStoreNotification
    {
        var notification = AppStoreNotification(
            id: id, type: "TEST", app: app, environment: .production, signedDate: day(1), content: id)
        notification.isDelivered = isDelivered
        return notification
    }

    /// The newest of each app in the time asked about, in Production.
    @Test(arguments: LedgerKind.allCases)
    func `The newest purchase of each app is known`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        #expect(try await activity(ledger).newestPurchases == [:])
        try await ledger.record(
            receipt("a"), bought("hints", "1", on: day(90)), bought("starter", "2", on: day(3)),
            bought("hints", "3", .sandbox, on: day(95)))
        #expect(try await activity(ledger).newestPurchases == ["hangman": day(90)])
        #expect(try await activity(ledger, since: 90).newestPurchases == ["hangman": day(90)])
        #expect(try await activity(ledger, since: 91).newestPurchases == [:])
        #expect(try await ledger.ledger.activity(since: day(0), until: day(80)).newestPurchases == ["hangman": day(3)])
    }

    /// A notification that was fetched because it never came says nothing about the address at which it should come.
    @Test(arguments: LedgerKind.allCases)
    func `The last notification that the store sent is known`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        #expect(try await activity(ledger).newestNotification == nil)
        let context = { (date: Int) in try ledger.context(on: day(date)) }
        _ = try await ledger.ledger.record(reported("n"), in: context(300))
        _ = try await ledger.ledger.record(reported("m", isDelivered: false), in: context(310))
        _ = try await ledger.ledger.record(reported("o", of: "chess"), in: context(290))
        _ = try await ledger.ledger.record(reported("p", of: "draughts", isDelivered: false), in: context(311))
        let production = { (app: BundleID) in Scope(app: app, environment: .production) }
        let received = [production("hangman"): day(300), production("chess"): day(290)]
        #expect(try await activity(ledger).newestNotifications == received)
        #expect(try await activity(ledger).newestNotification == day(300))
        for (before, last) in [(290, nil), (291, 290), (300, 290), (301, 300), (400, 300)] as [(Int, Int?)] {
            #expect(try await ledger.ledger.lastDelivery(of: nil, before: day(before)) == last.map { day($0) })
        }
        for (app, last) in [("hangman", 300), ("chess", 290), ("draughts", nil)] as [(BundleID, Int?)] {
            #expect(try await ledger.ledger.lastDelivery(of: app, before: day(400)) == last.map { day($0) }, "\(app)")
        }
        // Fetched first, and then sent after all, twice.
        for date in [320, 330] { #expect(try await ledger.ledger.record(reported("m"), in: context(date)) == nil) }
        let enqueued = reported("q", of: "chess")
        for date in [315, 325] { _ = try await ledger.ledger.enqueue(enqueued, retryAt: day(400), at: day(date)) }
        #expect(
            try await activity(ledger).newestNotifications
                == [production("hangman"): day(320), production("chess"): day(315)])
    }

    @Test(arguments: LedgerKind.allCases)
    func `The oldest audit row without a seal is known`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let first = try #require(try await activity(ledger).oldestUnsealed)
        #expect(first <= today)
        _ = try await ledger.ledger.sealRows(atMost: 1_000, at: today) { row, last in
            Seal(position: (last?.position ?? 0) + 1, sequence: row.sequence, hash: row.contentHash)
        }
        #expect(try await activity(ledger).oldestUnsealed == nil)
        try await ledger.record(receipt("a"), bought("hints", "1"))
        #expect(try await activity(ledger).oldestUnsealed != nil)
    }

    /// Those of the sandbox concern nobody who paid; a product that came into the catalog is no longer missing.
    @Test(arguments: LedgerKind.allCases)
    func `Bought products that are not in the catalog are listed`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(
            receipt("a"), bought("hints", "1"), bought("gone", "2", type: .nonConsumable, on: day(3)),
            bought("gone", "3"), bought("lost", "4"), bought("club", "6", until: day(120)),
            bought("sandboxed", "5", .sandbox))
        #expect(
            try await ledger.ledger.missingProducts() == [
                MissingProduct(
                    app: "hangman", product: "gone", purchases: 2, oldest: day(3), type: .nonConsumable),
                MissingProduct(app: "hangman", product: "club", purchases: 1, oldest: day(90), type: .autoRenewable),
                MissingProduct(app: "hangman", product: "lost", purchases: 1, oldest: day(90)),
            ])
        let mended = shop.replacing(
            #"{"id": "hints""#, with: #"{"id": "gone", "type": "non-consumable"}, {"id": "hints""#)
        _ = try await ledger.ledger.bindTerms(in: RecordingContext(catalog: try catalog(mended), date: today))
        #expect(try await ledger.ledger.missingProducts().map(\.product) == ["club", "lost"])
    }

    /// Nobody paid for a refunded one; if a part was refunded, somebody paid the rest.
    @Test(arguments: LedgerKind.allCases)
    func `A refunded purchase of an unknown product is not listed`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        var (whole, part, all) = (bought("gone", "1"), bought("lost", "2"), bought("away", "3"))
        whole.revocation = Transaction.Revocation(date: day(98))
        part.revocation = Transaction.Revocation(date: day(98), percentage: 50_000)
        all.revocation = Transaction.Revocation(date: day(98), percentage: 100_000)
        try await ledger.record(receipt("a"), whole, part, all)
        #expect(try await ledger.ledger.missingProducts().map(\.product) == ["lost"])
    }
}
