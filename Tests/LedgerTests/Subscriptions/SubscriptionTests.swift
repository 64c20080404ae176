import Foundation
import InAppPurchase
import TestSupport
import Testing

/// Subscriptions of many transactions, seen receipt by receipt.
@Suite struct SubscriptionTests {
    static let first = bought("club.month", "1", on: day(80), until: day(110), signed: day(80))
    static let second = bought("club.month", "2", original: "1", on: day(110), until: day(140), signed: day(110))
    static let key = OriginalTransaction.Key(app: "hangman", environment: .production, originalID: "1")

    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        return ledger
    }

    @Test(arguments: LedgerKind.allCases)
    func `A renewal extends access and earns credits`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        #expect(
            try await ledger.record(receipt("a"), Self.first) == """
                verified finish
                1 club.month: delivered
                = hangman club.month auto-renewable granted until 2026-04-21T00:00:00Z
                + gems 7
                """)
        #expect(
            try await ledger.record(receipt("b"), Self.second, on: day(111)) == """
                verified finish
                2 club.month: delivered
                = hangman club.month auto-renewable granted until 2026-05-21T00:00:00Z
                + gems 14
                """)
        #expect(
            try await ledger.holdings(of: 1, on: day(140))
                == "= hangman club.month auto-renewable denied expired\n+ gems 14")
    }

    /// Each renewal is paid for, also with credits, also when it is seen after its end.
    @Test(arguments: LedgerKind.allCases)
    func `A renewal that is over gives its credits`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        #expect(
            try await ledger.record(receipt("b"), Self.second, Self.first, on: day(200)) == """
                verified finish
                2 club.month: delivered
                1 club.month: delivered
                = hangman club.month auto-renewable denied expired
                + gems 14
                """)
    }

    /// The new owner gets what is paid from now on; what was paid before stays.
    @Test(arguments: LedgerKind.allCases)
    func `A renewal after a transfer belongs to the new owner`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.first)
        var newer = Self.first
        newer.signedDate += 60
        try await ledger.record(receipt("a", by: 2), newer)
        try await ledger.record(receipt("b", by: 2), Self.second, on: day(111))
        #expect(
            try await ledger.holdings(of: 1, on: day(111))
                == "= hangman club.month auto-renewable denied expired\n+ gems 7")
        #expect(
            try await ledger.holdings(of: 2, on: day(111))
                == "= hangman club.month auto-renewable granted until 2026-05-21T00:00:00Z\n+ gems 7")
    }

    @Test(arguments: LedgerKind.allCases)
    func `An upgrade replaces the period of the lower product`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.first)
        var replaced = Self.first
        (replaced.isUpgraded, replaced.signedDate) = (true, day(95))
        let year = bought("club.year", "3", original: "1", on: day(95), until: day(460), signed: day(95))
        #expect(
            try await ledger.record(receipt("b"), replaced, year) == """
                verified finish
                1 club.month: already delivered
                3 club.year: delivered
                = hangman club.month auto-renewable denied upgraded
                = hangman club.year auto-renewable granted until 2027-04-06T00:00:00Z
                + gems 94
                """)
    }

    /// The store's statements about the next renewal: the newest counts, whichever comes first.
    @Test(arguments: LedgerKind.allCases, [false, true])
    func `The newest statement about a renewal counts, whichever comes first`(kind: LedgerKind, newestFirst: Bool)
        async throws
    {
        let ledger = try await open(kind)
        let facts = [
            RenewalFacts(willAutoRenew: true, signedDate: day(81)),
            RenewalFacts(isInBillingRetry: true, gracePeriodExpirationDate: day(116), signedDate: day(110)),
        ]
        for (number, fact) in (newestFirst ? facts.reversed() : facts).enumerated() {
            try await ledger.record(receipt("\(number)"), Self.first, renewals: [Self.key: fact])
        }
        let holdings = "= hangman club.month auto-renewable"
        #expect(
            try await ledger.holdings(of: 1, on: day(112))
                == "\(holdings) granted until 2026-04-27T00:00:00Z\n+ gems 7")
        #expect(try await ledger.holdings(of: 1, on: day(116)) == "\(holdings) denied billingRetry\n+ gems 7")
    }
}
