import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL

/// Transfers of a purchase to another account, those that are refused, and what the app is told to do about it.
@Suite struct TransferTests {
    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3)
        return ledger
    }

    /// The App Store's answer to a question is newer than any bytes, and moves nothing; nor does it count as shown.
    @Test(arguments: LedgerKind.allCases)
    func `What the App Store answers about a purchase transfers nothing`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("words", "1"))
        let (sent, reported) = (bought("words", "1"), bought("words", "1", signed: today))
        let old = try await ledger.present(receipt("b", by: 2), sent, reported, shown: [sent])
        #expect(old.status == .conflict && old.remedy == .freshReceipt)
        // The owner's own bytes are of day 91, whatever the store said about them today.
        _ = try await ledger.present(receipt("c"), sent, reported, shown: [sent])
        let newer = bought("words", "1", signed: day(92))
        #expect(try await ledger.present(receipt("d", by: 2), newer).status == .verified)
    }

    /// A period that nobody has seen yet, signed two days ago, with the copy that the store gave when it was asked.
    @Test(arguments: LedgerKind.allCases, [nil, 1] as [UInt8?])
    func `An old period that the server sees for the first time transfers nothing`(kind: LedgerKind, token: UInt8?)
        async throws
    {
        let ledger = try await open(kind)
        let first = bought("club.month", "1", until: day(99), token: token, signed: day(98))
        try await ledger.record(receipt("a"), first)
        let sent = bought("club.month", "2", original: "1", on: day(97), until: day(127), token: token, signed: day(97))
        var reported = sent
        reported.signedDate = today
        let refused = try await ledger.present(receipt("b", by: 2, isForDevice: true), sent, reported, shown: [sent])
        #expect(refused.status == .conflict && refused.remedy == .freshReceipt)
        #expect(try await ledger.holdings(of: 1).contains("club.month auto-renewable granted"))
    }

    @Test(arguments: LedgerKind.allCases)
    func `A transaction receipt of iOS 6 transfers nothing`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let copy = bought("words", "1", signed: today)
        let first = try await ledger.present(receipt("a", kind: .transactionReceipt), copy)
        #expect(first.status == .verified, "what nobody owns is given to who shows it")
        let refused = try await ledger.present(receipt("b", by: 2, kind: .transactionReceipt), copy)
        #expect(refused.status == .conflict && refused.remedy == .freshReceipt && !refused.finish)
        // It has no date, so anything with a date is newer.
        #expect(try await ledger.present(receipt("c", by: 2), bought("words", "1")).status == .verified)
    }

    @Test(arguments: LedgerKind.allCases)
    func `Without the player's permission nothing is transferred`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("words", "1"))
        let fresh = bought("words", "1", signed: today)
        let refused = try await ledger.present(receipt("b", by: 2, mayTransfer: false), fresh)
        #expect(refused.status == .conflict && refused.remedy == .transfer)
        // The same bytes, when the player has said yes.
        #expect(try await ledger.present(receipt("b", by: 2), fresh).status == .verified)
        #expect(try await ledger.holdings(of: 1) == "= hangman words non-consumable denied transferred")
    }

    /// One player with two accounts on one phone: whatever is presented at launches, nothing moves and no transfer is
    /// used up; what the player asks for moves.
    @Test(arguments: LedgerKind.allCases)
    func `What an app sends by itself at launch uses up no transfer`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("words", "1"))
        for number in 0..<40 {
            let (date, by) = (day(100 + number / 2), UInt8(number % 2 + 1))
            let copy = bought("words", "1", signed: date - Double(60 - number))
            let answer = try await ledger.present(
                receipt("\(number)", by: by, kind: .appReceipt, mayTransfer: false), copy, on: date)
            #expect(answer.status == (by == 1 ? .verified : .conflict), "\(number)")
        }
        let asked = bought("words", "1", signed: day(121))
        #expect(try await ledger.present(receipt("z", by: 2), asked, on: day(121)).status == .verified)
        #expect(try await ledger.rows("SELECT count(*) FROM lineMoves") == ["1"])
    }

    /// Of a receipt with several purchases, the app is told the remedy that helps the player.
    @Test(arguments: LedgerKind.allCases)
    func `Of several remedies the app is told the one that helps`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("hints", "1"), bought("words", "2"), bought("starter", "3"))
        try await ledger.move("3", to: 1)
        let answer = try await ledger.present(
            receipt("b", by: 2, mayTransfer: false), bought("hints", "1", signed: today),
            bought("words", "2", signed: today), bought("starter", "3", signed: today))
        #expect(answer.status == .conflict && answer.remedy == .transfer)
        #expect(answer.transactions.map(\.remedy) == [.recoveryCode, .transfer, .support])
        let reported = try await ledger.ledger.receipt(answer.receipt, of: account(2), in: try ledger.context())
        #expect(reported?.transactions.map(\.remedy) == [.recoveryCode, .transfer, .support])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A bare transaction ID transfers nothing`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let copy = bought("words", "1", signed: today)
        let refused = try await ledger.present(receipt("a", kind: .transactionID), copy)
        #expect(refused.status == .conflict && refused.remedy == .freshReceipt)
        try await ledger.record(receipt("b"), bought("words", "1"))
        let other = try await ledger.present(receipt("a", by: 2, kind: .transactionID), copy)
        #expect(other.status == .conflict && other.remedy == .freshReceipt)
    }

    /// The permission and proof of a request stay with a receipt that waits for the App Store; if the app meanwhile
    /// sends it by itself, that takes nothing back.
    @Test(arguments: LedgerKind.allCases)
    func `A waiting receipt keeps the permission that it was sent with`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let sent: [(mayTransfer: Bool, isForDevice: Bool, kept: [Bool])] = [
            (false, false, [false, false]), (true, false, [true, false]), (false, true, [true, true]),
            (false, false, [true, true]),
        ]
        for request in sent {
            let receipt = receipt("a", mayTransfer: request.mayTransfer, isForDevice: request.isForDevice)
            let kept = try await ledger.ledger.enqueue(receipt, retryAt: today, at: today).receipt
            #expect([kept.mayTransfer, kept.isForDevice] == request.kept)
        }
        let due = try await ledger.ledger.dueReceipts(in: .receipts, limit: 1, lease: day(101), at: today)
        #expect(due.map(\.receipt.mayTransfer) == [true] && due.map(\.receipt.isForDevice) == [true])
        try await ledger.record(receipt("a"), bought("words", "1"))
        // After its answer, it counts as sent anew.
        let again = receipt("a", mayTransfer: false)
        #expect(try await ledger.ledger.enqueue(again, retryAt: today, at: today).receipt.mayTransfer == false)
    }

    /// The same where a waiting receipt is judged by its signature in the end, on a request that the app sends by
    /// itself.
    @Test(arguments: LedgerKind.allCases)
    func `A waiting receipt is decided by the permission that it was sent with`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("words", "1", token: 1))
        let fresh = bought("words", "1", token: 1, signed: today)
        let asked = receipt("b", by: 2, isForDevice: true)
        _ = try await ledger.ledger.enqueue(asked, retryAt: today, at: today)
        let sent = receipt("b", by: 2, mayTransfer: false)
        #expect(try await ledger.present(sent, fresh).status == .verified)
        #expect(try await ledger.holdings(of: 2).contains("words non-consumable granted"))
        // After the decision, it counts as sent anew.
        let newer = bought("words", "1", token: 1, signed: today + 60)
        #expect(try await ledger.present(receipt("c"), newer).status == .verified)
        let newest = bought("words", "1", token: 1, signed: today + 120)
        #expect(try await ledger.present(sent, newest).status == .conflict)
    }

    /// Outside Production transfers are not counted, and an original transaction that moved a hundred times is read
    /// like any other.
    @Test(arguments: LedgerKind.allCases) func `Transfers in the sandbox have no limit`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        for number in 0..<100 {
            let (date, by) = (today + Double(number) * 60, UInt8(number % 3 + 1))
            let copy = bought("words", "1", .sandbox, token: 1, signed: date)
            let answer = try await ledger.present(receipt("\(number)", by: by), copy, on: date)
            try #require(answer.status == .verified, "\(number)")
        }
        #expect(try await ledger.rows("SELECT moveCount, (SELECT count(*) FROM lineMoves) FROM lines") == ["99 99"])
        let key = OriginalTransaction.Key(app: "hangman", environment: .sandbox, originalID: "1")
        let transfers = try await ledger.ledger.purchases(named: .transaction("1"))?.originals.first { $0.key == key }?
            .transfers
        #expect(transfers?.count == 99)
        #expect(try await ledger.differences() == [])
    }

    // MARK: What a notification alone delivered

    struct Abandoned: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var before: @Sendable (TestLedger) async throws -> Void = { _ in }
        var isForDevice = true
        var mayTransfer = true
        var signed = today
        var remedy: TransferRemedy?
    }

    static let abandoned: [Abandoned] = [
        Abandoned(testDescription: "untouched"),
        Abandoned(
            testDescription: "a session since",
            before: { _ = try await $0.ledger.openSession(recoveryCode: Data([1]), token: Data([11]), at: day(95)) },
            remedy: .recoveryCode),
        Abandoned(
            testDescription: "a session before the purchase",
            before: { _ = try await $0.ledger.openSession(recoveryCode: Data([1]), token: Data([11]), at: day(89)) }),
        Abandoned(
            testDescription: "credits spent", before: { _ = try await $0.spend(1, key: "k") }, remedy: .recoveryCode),
        Abandoned(
            testDescription: "another receipt since",
            before: { try await $0.record(receipt("other"), bought("words", "8"), on: day(96)) },
            remedy: .recoveryCode),
        Abandoned(
            testDescription: "shown by its owner",
            before: { try await $0.record(receipt("own"), bought("hints", "1", token: 1)) }, remedy: .recoveryCode),
        Abandoned(
            testDescription: "decided by an administrator", before: { try await $0.move("1", to: 1) },
            remedy: .support),
        Abandoned(testDescription: "another device", isForDevice: false, remedy: .deviceVerificationID),
        Abandoned(testDescription: "two days old", signed: day(98), remedy: .freshReceipt),
        Abandoned(testDescription: "nobody asked", mayTransfer: false, remedy: .transfer),
    ]

    /// The app came back as another account before it could present what the player had bought: the purchase follows
    /// once, also under `keep`, and its credits with it.
    @Test(arguments: LedgerKind.allCases, abandoned)
    func `A purchase that only a notification delivered moves with its credits`(kind: LedgerKind, example: Abandoned)
        async throws
    {
        let ledger = try await open(kind)
        try await ledger.receive(notification("n1", bought("hints", "1", token: 1)), on: day(94))
        try await example.before(ledger)
        let answer = try await ledger.present(
            receipt("b", by: 2, mayTransfer: example.mayTransfer, isForDevice: example.isForDevice),
            bought("hints", "1", token: 1, signed: example.signed))
        #expect(answer.remedy == example.remedy)
        let has = try await ledger.holdings(of: 2)
        if example.remedy == nil {
            #expect(answer.transactions.map(\.outcome) == [.delivered] && answer.finish)
            #expect(has == "= hangman hints consumable denied consumed\n+ hints 10")
            #expect(try await ledger.holdings(of: 1) == "= hangman hints consumable denied transferred\n+ hints 0")
            let transfers = try await ledger.trail().filter { $0.hasPrefix("line.moved") }
            #expect(transfers.count == 1 && transfers[0].contains(#""creditsStayWith":"\#(account(2).text)""#))
        } else {
            #expect(answer.status == .conflict && has == "")
        }
        #expect(try await ledger.differences() == [])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A purchase that only a notification delivered moves once`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.receive(notification("n1", bought("hints", "1", token: 1)), on: day(94))
        let first = receipt("b", by: 2, isForDevice: true)
        _ = try await ledger.present(first, bought("hints", "1", token: 1, signed: today))
        for by: UInt8 in [1, 3] {
            let again = receipt("c", by: by, isForDevice: true)
            let copy = bought("hints", "1", token: 1, signed: day(101))
            #expect(try await ledger.present(again, copy, on: day(101)).remedy == .recoveryCode)
        }
        // A refund concerns its new owner.
        let refund = bought("hints", "1", revoked: day(102), token: 1, signed: day(102))
        try await ledger.receive(notification("n2", refund), on: day(102))
        #expect(try await ledger.holdings(of: 2) == "= hangman hints consumable denied revoked\n+ hints 0")
        #expect(try await ledger.differences() == [])
    }

    // MARK: Other ways of getting a purchase

    /// Only newer evidence moves what the family shares, whomever a token names; it earns no credits.
    @Test(arguments: LedgerKind.allCases)
    func `Newer evidence transfers a purchase shared with the family, and it earns no credits`(kind: LedgerKind)
        async throws
    {
        let ledger = try await open(kind)
        func shared(_ signed: Date, revoked: Date? = nil) -> Transaction {
            bought("starter", "1", revoked: revoked, ownershipType: .familyShared, token: 1, signed: signed)
        }
        try await ledger.record(receipt("a", by: 2), shared(day(91)))
        #expect(try await ledger.present(receipt("b"), shared(day(91))).remedy == .freshReceipt)
        #expect(try await ledger.present(receipt("c"), shared(day(92))).status == .verified)
        #expect(try await ledger.holdings(of: 1) == OwnershipTests.starter)
        // REVOKE, which the store sends to each family member when the purchaser got a refund.
        try await ledger.receive(notification("n1", shared(day(95), revoked: day(95))))
        #expect(try await ledger.holdings(of: 1) == "= hangman starter non-consumable denied revoked [starter]")
    }

    /// An assigned purchase, or one of an unknown kind, gives access and no credits, and is not finished if it gave
    /// nothing.
    @Test(arguments: LedgerKind.allCases, ["ASSIGNED", "LENT_OUT"])
    func `An assigned purchase gives access and no credits`(kind: LedgerKind, type: String) async throws {
        let ledger = try await open(kind)
        let ownership = Transaction.OwnershipType(rawValue: type)
        #expect(
            try await ledger.record(receipt("a"), bought("starter", "1", ownershipType: ownership))
                == "verified finish\n1 starter: delivered\n\(OwnershipTests.starter)")
        #expect(
            try await ledger.record(receipt("b", by: 2), bought("hints", "2", ownershipType: ownership)) == """
                verified keep
                2 hints: denied ownershipType
                = hangman hints consumable denied consumed
                """)
        let over = bought("club.month", "3", until: day(95), ownershipType: ownership)
        #expect(
            try await ledger.record(receipt("c", by: 3), over) == """
                verified keep
                3 club.month: denied ownershipType
                = hangman club.month auto-renewable denied expired
                """)
        #expect(try await ledger.rows("SELECT sum(amount) FROM postings") == [""])
    }

    /// A token names the owner of an assigned purchase as of a bought one.
    @Test(arguments: LedgerKind.allCases)
    func `A token names the owner of an assigned purchase`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let copy = bought("words", "1", ownershipType: .assigned, token: 1)
        #expect(try await ledger.present(receipt("a", by: 2), copy).status == .conflict)
        #expect(try await ledger.holdings(of: 1) == "= hangman words non-consumable granted [hard-words]")
    }

    /// An app receipt of another device is refused for this request; what was accepted stays accepted.
    @Test(arguments: LedgerKind.allCases)
    func `An app receipt of another device is refused, and an accepted one stays accepted`(kind: LedgerKind)
        async throws
    {
        let ledger = try await open(kind)
        let sent = receipt("a", kind: .appReceipt)
        #expect(try await ledger.reject(sent, .otherDevice) == "rejected otherDevice keep")
        try await ledger.record(sent, bought("words", "1"))
        #expect(try await ledger.reject(sent, .otherDevice) == "rejected otherDevice again keep")
        #expect(try await ledger.answer(to: sent)?.hasPrefix("verified finish\n1 words: delivered") == true)
    }
}
