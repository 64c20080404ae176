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

    @Test(arguments: LedgerKind.allCases) func aPurchaseThatDoesNotMoveIsRefusedToOthers(kind: LedgerKind) async throws
    {
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

    @Test(arguments: LedgerKind.allCases) func ofSomeOnlyIsNoConflict(kind: LedgerKind) async throws {
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
    @Test(arguments: LedgerKind.allCases) func transferMoves(kind: LedgerKind) async throws {
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

    /// Newer evidence than the last move takes the line on; three times a year.
    @Test(arguments: LedgerKind.allCases) func movesThreeTimesAYear(kind: LedgerKind) async throws {
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

    @Test(arguments: LedgerKind.allCases) func deliversToWhomTheTokenNames(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let copy = bought("hints", "1", token: 1)
        let refusal = "conflict keep\n1 hints: denied ownedByAnotherAccount"
        #expect(try await ledger.record(receipt("a", by: 2), copy) == refusal)
        let holdings = "= hangman hints consumable denied consumed\n+ hints 10"
        #expect(try await ledger.holdings(of: 1) == holdings)
        #expect(
            try await ledger.record(receipt("a"), copy) == "verified finish\n1 hints: already delivered\n\(holdings)")
    }

    /// A token of a stranger, and one of a family member, names nobody.
    @Test(
        arguments: LedgerKind.allCases,
        [bought("words", "1", token: 9), bought("words", "1", ownershipType: .familyShared, token: 1)])
    func tokensThatNameNobody(kind: LedgerKind, copy: Transaction) async throws {
        let ledger = try await open(kind)
        let rest = "= hangman words non-consumable granted [hard-words]"
        #expect(
            try await ledger.record(receipt("a", by: 2), copy) == "verified finish\n1 words: delivered\n\(rest)")
        #expect(try await ledger.holdings(of: 1) == "")
    }

    /// Purchases shared with the family give access and no credits.
    @Test(arguments: LedgerKind.allCases) func familySharingGivesNoCredits(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let answer = "verified finish\n1 starter: delivered\n\(Self.starter)"
        #expect(
            try await ledger.record(receipt("a"), bought("starter", "1", ownershipType: .familyShared)) == answer)
    }

    /// An app receipt does not tell the token; the signed transaction does, and takes the line back.
    @Test(arguments: LedgerKind.allCases) func tokensTakeLinesBack(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a", by: 2, kind: .appReceipt), bought("starter", "1", isSigned: false))
        #expect(
            try await ledger.record(receipt("b"), bought("starter", "1", token: 1))
                == "verified finish\n1 starter: delivered\n\(Self.starter)")
        #expect(try await ledger.holdings(of: 2) == Self.lost)
    }

    /// Also where the product's lines do not move otherwise.
    @Test(arguments: LedgerKind.allCases) func anAccountTokenReclaimsPurchasesThatDoNotMove(kind: LedgerKind)
        async throws
    {
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

    /// Consumables that may move: the credits stay with who got them first, so a move gives nothing.
    @Test(arguments: LedgerKind.allCases) func creditsDoNotMove(kind: LedgerKind) async throws {
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
