import Foundation
import InAppPurchase
import TestSupport
import Testing

/// Outside subscriptions StoreKit gives each restored copy a transaction ID of its own, beside the original's.
@Suite struct RestoredCopyTests {
    static let original = bought("starter", "1")
    static let copies = [bought("starter", "2", original: "1"), bought("starter", "3", original: "1", on: day(95))]

    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3)
        return ledger
    }

    @Test(arguments: LedgerKind.allCases, [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func `Restored copies are one purchase in any order`(kind: LedgerKind, order: [Int]) async throws {
        let ledger = try await open(kind)
        for place in order {
            let copy = ([Self.original] + Self.copies)[place]
            #expect(
                try await ledger.record(receipt("\(place)"), copy) == """
                    verified finish
                    \(copy.id) starter: delivered
                    = hangman starter non-consumable granted [starter]
                    + hints 3
                    """)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func `Restored copies are refunded with the original`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let refund = bought("starter", "1", revoked: day(94), signed: day(95))
        for (number, copy) in (Self.copies + [Self.original, refund] + Self.copies).enumerated() {
            try await ledger.record(receipt("\(number)"), copy)
        }
        #expect(
            try await ledger.holdings(of: 1) == "= hangman starter non-consumable denied revoked [starter]\n+ hints 0")
    }

    /// A player who restores on one account after another gets access there, and the credits once.
    @Test(arguments: LedgerKind.allCases, [false, true])
    func `Restored copies give their credits once, whoever restores them`(kind: LedgerKind, originalComesLast: Bool)
        async throws
    {
        let ledger = try await open(kind)
        var copies = [Self.original] + Self.copies
        if originalComesLast { copies.reverse() }
        for (digit, copy) in zip(UInt8(1)..., copies) {
            var copy = copy
            copy.signedDate = day(100 + Int(digit))
            try await ledger.record(receipt("a", by: digit), copy, on: day(100 + Int(digit)))
        }
        let lost = "= hangman starter non-consumable denied transferred"
        #expect(try await ledger.holdings(of: 1, on: day(110)) == "\(lost)\n+ hints 3")
        #expect(try await ledger.holdings(of: 2, on: day(110)) == lost)
        #expect(try await ledger.holdings(of: 3, on: day(110)) == "= hangman starter non-consumable granted [starter]")
    }
}
