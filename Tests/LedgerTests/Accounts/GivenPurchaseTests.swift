import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// An administrator gives an original transaction to another account.
@Suite struct GivenPurchaseTests {
    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3)
        return ledger
    }

    @Test(arguments: LedgerKind.allCases)
    func `When an administrator gives a purchase away, its access follows and its credits stay`(kind: LedgerKind)
        async throws
    {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("starter", "1", token: 1))
        let moved = try await ledger.move("1", to: 2)
        #expect(moved.owner == account(2) && moved.basis == .administrator)
        #expect(moved.transfers == [OriginalTransaction.Transfer(from: account(1), to: account(2), date: today)])
        #expect(try await ledger.holdings(of: 1) == OwnershipTests.lost)
        #expect(try await ledger.holdings(of: 2) == OwnershipTests.starter)
        let (one, two) = (account(1).text, account(2).text)
        let content =
            #"admin:alice 1 {"accessGainedBy":"\#(two)","accessLostBy":"\#(one)","after":{"#
            + #""basis":"administrator","owner":"\#(two)"},"app":"hangman","before":{"basis":"token","owner":"#
            + #""\#(one)"},"creditsStayWith":"\#(one)","environment":"Production","reason":"ticket 7"}"#
        #expect(try await ledger.acts() == ["line.lost \(content)", "line.moved \(content)"])
    }

    /// It is already delivered to the new owner when their device sends the receipt.
    @Test(arguments: LedgerKind.allCases)
    func `A purchase that an administrator gave is delivered to its new owner`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("starter", "1"))
        try await ledger.move("1", to: 2)
        #expect(
            try await ledger.record(receipt("a", by: 2), bought("starter", "1"))
                == "verified finish\n1 starter: already delivered\n\(OwnershipTests.starter)")
    }

    /// Whatever the product's ownership, and however often the original transaction has moved.
    @Test(arguments: LedgerKind.allCases, ["hints", "coins", "starter", "gone"])
    func `An administrator can give any purchase to another account, any number of times`(
        kind: LedgerKind, product: ProductID
    ) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought(product, "1", token: 1))
        for number in 0..<6 {
            let digit = UInt8(number % 3 + 1)
            #expect(try await ledger.move("1", to: digit, on: day(100 + number)).owner == account(digit))
        }
        #expect(try await ledger.rows("SELECT count(*) FROM lineMoves") == ["5"])
    }

    /// Fresh evidence, a token, a renewal: whoever shows it, the original transaction stays where the administrator put
    /// it.
    @Test(arguments: LedgerKind.allCases)
    func `No claim moves a purchase that an administrator gave`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a", by: 1, kind: .appReceipt), bought("starter", "1", isSigned: false))
        try await ledger.move("1", to: 2)
        let claims: [(by: UInt8, token: UInt8?, day: Int)] = [
            (1, nil, 101), (1, 1, 102), (3, nil, 103), (3, 3, 104), (1, 1, 500),
        ]
        for claim in claims {
            let copy = bought("starter", "1", token: claim.token, signed: day(claim.day))
            let answer = try await ledger.record(receipt("\(claim)", by: claim.by), copy, on: day(claim.day))
            #expect(answer.hasPrefix("conflict keep\n"), "\(claim): \(answer)")
            #expect(try await ledger.presentAgain("\(claim)", by: claim.by).hasPrefix("conflict again keep"))
        }
        #expect(try await ledger.holdings(of: 2) == OwnershipTests.starter)
        #expect(try await ledger.move("1", to: 1, on: day(501)).transfers.count == 2)
        #expect(try await ledger.holdings(of: 1) == "\(OwnershipTests.starter)\n+ hints 3")
    }

    /// The next period of a subscription belongs to the new owner, with its credits.
    @Test(arguments: LedgerKind.allCases)
    func `Renewals of a given subscription belong to the new owner`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("club.month", "1", until: day(110), token: 1))
        try await ledger.move("1", to: 2)
        let renewal = bought(
            "club.month", "2", original: "1", on: day(110), until: day(140), token: 1, signed: day(110))
        try await ledger.record(receipt("b"), renewal, on: day(110))
        let granted = "= hangman club.month auto-renewable granted until \(day(140).rfc3339)"
        #expect(try await ledger.holdings(of: 2, on: day(111)) == "\(granted)\n+ gems 7")
        #expect(
            try await ledger.holdings(of: 1, on: day(111))
                == "= hangman club.month auto-renewable denied expired\n+ gems 7")
    }

    @Test(arguments: LedgerKind.allCases)
    func `Giving a purchase to its owner again changes nothing`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("starter", "1"))
        let first = try await ledger.move("1", to: 2)
        let before = try await ledger.everything()
        #expect(try await ledger.move("1", to: 2, on: day(101)) == first)
        #expect(try await ledger.everything() == before)
    }

    /// Given to its owner, it does not move, but stays from then on.
    @Test(arguments: LedgerKind.allCases)
    func `A purchase given to its own owner can no longer be transferred by others`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("starter", "1"))
        #expect(try await ledger.move("1", to: 1).transfers == [])
        let fresh = bought("starter", "1", signed: day(101))
        #expect(try await ledger.record(receipt("b", by: 2), fresh, on: day(101)).hasPrefix("conflict keep"))
        #expect(try await ledger.acts().count == 1)
    }

    @Test(arguments: LedgerKind.allCases)
    func `An unknown purchase, or an unknown new owner, is refused`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("starter", "1"))
        let before = try await ledger.everything()
        await #expect(throws: LedgerRefusal.unknownAccount) { try await ledger.move("1", to: 9) }
        await #expect(throws: LedgerRefusal.unknownOriginalTransaction) { try await ledger.move("2", to: 2) }
        #expect(try await ledger.everything() == before)
    }
}
