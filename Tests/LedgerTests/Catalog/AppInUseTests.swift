import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL

/// Whether an app has purchases, which decides whether its entry in the catalog may be removed.
@Suite struct AppInUseTests {
    @Test(arguments: LedgerKind.allCases)
    func `An app with a purchase is in use, claimed or not`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        #expect(try await !ledger.ledger.hasPurchases(of: "hangman"))
        try await ledger.receive(notification("n1", bought("words", "1")))
        #expect(try await ledger.ledger.hasPurchases(of: "hangman"))
        #expect(try await !ledger.ledger.hasPurchases(of: "chess"))

        let other = try kind.open()
        try await other.join(1)
        try await other.record(receipt("a"), bought("hints", "1", .sandbox))
        #expect(try await other.ledger.hasPurchases(of: "hangman"))
        #expect(try await !other.ledger.hasPurchases(of: "chess"))
    }

    @Test(arguments: LedgerKind.allCases)
    func `An app with a waiting receipt is in use`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        var waiting = receipt("a")
        waiting.app = "chess"
        _ = try await ledger.ledger.enqueue(waiting, retryAt: today, at: today)
        #expect(try await ledger.ledger.hasPurchases(of: "chess"))
        #expect(try await !ledger.ledger.hasPurchases(of: "hangman"))
    }

    /// Pages also end between purchases of the same moment.
    @Test(arguments: LedgerKind.allCases, [1, 2, 3, 4])
    func `Every page of purchases is searched for an app`(kind: LedgerKind, perPage: Int) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        for number in 1...3 {
            let copy = bought("words", TransactionID(stored: "\(number)"), on: day(min(number, 2)))
            try await ledger.receive(notification("n\(number)", copy))
        }
        try await ledger.receive(notification("z", bought("words", "9", app: "zebra", on: day(2))))
        let sql = try #require(ledger.ledger as? SQLLedger)
        for (app, isInUse) in [("hangman", true), ("zebra", true), ("chess", false), ("zzz", false)] {
            #expect(try await sql.hasPurchases(of: BundleID(stored: app), perPage: perPage) == isInUse, "\(app)")
        }
    }
}
