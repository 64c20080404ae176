import Foundation
import InAppPurchase
import TestSupport
import Testing

@Suite struct OwnershipTests {
    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3)
        return ledger
    }

    static let starter = "= hangman starter non-consumable granted [starter]"
    static let lost = "= hangman starter non-consumable denied transferred\n+ hints 3"

    @Test(arguments: LedgerKind.allCases)
    func `A purchase that does not move is refused to other accounts`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("hints", "1"))
        let before = try await ledger.holdings(of: 1)
        let refusal = "1 hints: denied ownedByAnotherAccount"
        #expect(try await ledger.record(receipt("a", by: 2), bought("hints", "1")) == "conflict keep\n\(refusal)")
        #expect(try await ledger.presentAgain("a", by: 2) == "conflict again keep\n\(refusal)")
        #expect(try await ledger.answer(to: receipt("a", by: 2)) == "conflict keep\n\(refusal)")
        #expect(try await ledger.holdings(of: 2) == "")
        #expect(try await ledger.holdings(of: 1) == before)
    }

    @Test(arguments: LedgerKind.allCases)
    func `A receipt with one purchase of its own is no conflict`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("hints", "1"))
        #expect(
            try await ledger.record(receipt("b", by: 2), bought("hints", "1"), bought("hints", "2")) == """
                verified keep
                1 hints: denied ownedByAnotherAccount
                2 hints: delivered
                = hangman hints consumable denied consumed
                + hints 10
                """)
    }

    /// Access moves, credits stay, and both are in the audit trail.
    @Test(arguments: LedgerKind.allCases)
    func `A transfer moves access and leaves the credits`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("starter", "1"))
        #expect(
            try await ledger.record(receipt("b", by: 2), bought("starter", "1", signed: day(92)))
                == "verified finish\n1 starter: delivered\n\(Self.starter)")
        #expect(try await ledger.holdings(of: 1) == Self.lost)
        #expect(
            try await ledger.record(receipt("a"), bought("starter", "1"))
                == "conflict again keep\n1 starter: denied transferred\n\(Self.lost)")
        let moves = try await ledger.trail().filter { $0.hasPrefix("line.") }
        let content =
            #"1 {"accessGainedBy":"\#(account(2).text)","accessLostBy":"\#(account(1).text)","#
            + #""app":"hangman","creditsStayWith":"\#(account(1).text)","environment":"Production"}"#
        #expect(moves == ["line.lost \(content)", "line.moved \(content)"])
    }

    /// Evidence newer than the last transfer moves the purchase on, three times a year.
    @Test(arguments: LedgerKind.allCases)
    func `A purchase is transferred at most three times a year`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("0"), bought("starter", "1"))
        let moves: [(day: Int, signed: Int, by: UInt8, first: Bool, moves: Bool)] = [
            (100, 92, 2, true, true), (101, 99, 1, false, false), (101, 101, 1, false, true),
            (102, 101, 3, true, false), (103, 103, 3, true, true), (104, 104, 1, false, false),
            (464, 464, 1, false, false), (465, 465, 1, false, true), (465, 466, 2, false, false),
            (466, 466, 2, false, true),
        ]
        for (number, move) in moves.enumerated() {
            let answer = try await ledger.record(
                receipt("\(number)x", by: move.by), bought("starter", "1", signed: day(move.signed)), on: day(move.day))
            let outcome =
                switch (move.moves, move.first) {
                case (true, true): "delivered"
                case (true, false): "already delivered"
                case (false, true): "denied ownedByAnotherAccount"
                case (false, false): "denied transferred"
                }
            let head = (move.moves ? "verified finish" : "conflict keep") + "\n1 starter: \(outcome)"
            #expect(answer.hasPrefix(head), "\(number): \(answer)")
        }
        #expect(try await ledger.rows("SELECT account, amount FROM balances") == ["\(account(1).text) 3"])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A purchase is delivered only to the account that its token names`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let copy = bought("hints", "1", token: 1)
        let refusal = "conflict keep\n1 hints: denied ownedByAnotherAccount"
        #expect(try await ledger.record(receipt("a", by: 2), copy) == refusal)
        let holdings = "= hangman hints consumable denied consumed\n+ hints 10"
        #expect(try await ledger.holdings(of: 1) == holdings)
        #expect(try await ledger.record(receipt("a"), copy) == "verified finish\n1 hints: delivered\n\(holdings)")
    }

    /// The token of a stranger, or of a family member, names nobody.
    @Test(
        arguments: LedgerKind.allCases,
        [bought("words", "1", token: 9), bought("words", "1", ownershipType: .familyShared, token: 1)])
    func `A token that names no account of this server decides nothing`(kind: LedgerKind, copy: Transaction)
        async throws
    {
        let ledger = try await open(kind)
        let rest = "= hangman words non-consumable granted [hard-words]"
        #expect(try await ledger.record(receipt("a", by: 2), copy) == "verified finish\n1 words: delivered\n\(rest)")
        #expect(try await ledger.holdings(of: 1) == "")
    }

    /// Purchases shared with the family give access and no credits.
    @Test(arguments: LedgerKind.allCases)
    func `A purchase shared with the family gives access and no credits`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let answer = "verified finish\n1 starter: delivered\n\(Self.starter)"
        #expect(try await ledger.record(receipt("a"), bought("starter", "1", ownershipType: .familyShared)) == answer)
    }

    /// An app receipt does not contain the token; the signed transaction does, and reclaims the purchase.
    @Test(arguments: LedgerKind.allCases)
    func `A token reclaims a purchase for the account that it names`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a", by: 2, kind: .appReceipt), bought("starter", "1", isSigned: false))
        #expect(
            try await ledger.record(receipt("b"), bought("starter", "1", token: 1))
                == "verified finish\n1 starter: delivered\n\(Self.starter)")
        #expect(try await ledger.holdings(of: 2) == Self.lost)
    }

    /// Also where the product's purchases do not move otherwise.
    @Test(arguments: LedgerKind.allCases)
    func `A token reclaims also a purchase that does not move otherwise`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a", by: 2, kind: .appReceipt), bought("hints", "1", isSigned: false))
        #expect(
            try await ledger.record(receipt("b"), bought("hints", "1", token: 1)) == """
                verified finish
                1 hints: denied consumed
                = hangman hints consumable denied consumed
                """)
        #expect(try await ledger.holdings(of: 2) == "= hangman hints consumable denied transferred\n+ hints 10")
    }

    /// Consumables that may move: the credits stay with whoever got them first, so a transfer gives nothing.
    @Test(arguments: LedgerKind.allCases)
    func `The credits of a transferred consumable stay with its first owner`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("coins", "1"))
        #expect(
            try await ledger.record(receipt("a", by: 2), bought("coins", "1", signed: day(92))) == """
                verified finish
                1 coins: denied consumed
                = hangman coins consumable denied consumed
                """)
        #expect(try await ledger.holdings(of: 1) == "= hangman coins consumable denied transferred\n+ coins 5")
        let refund = bought("coins", "1", revoked: day(101), signed: day(102))
        try await ledger.record(receipt("b", by: 2), refund, on: day(103))
        #expect(try await ledger.holdings(of: 1) == "= hangman coins consumable denied transferred\n+ coins 0")
    }
}
