import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL

/// Whether an app has purchases: what decides whether its entry in the catalog may go.
@Suite struct AppInUseTests {
    @Test(arguments: LedgerKind.allCases) func purchasesOfAnybodyAndOfNobodyCount(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        #expect(try await !ledger.ledger.hasPurchases(of: "hangman"))
        try await ledger.tell(notification("n1", bought("words", "1")))
        #expect(try await ledger.ledger.hasPurchases(of: "hangman"))
        #expect(try await !ledger.ledger.hasPurchases(of: "chess"))

        let other = try kind.open()
        try await other.join(1)
        try await other.record(receipt("a"), bought("hints", "1", .sandbox))
        #expect(try await other.ledger.hasPurchases(of: "hangman"))
        #expect(try await !other.ledger.hasPurchases(of: "chess"))
    }
}
