import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@Suite struct ReceiptAnswerTests {
    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        return ledger
    }

    @Test(arguments: LedgerKind.allCases)
    func `A transaction is delivered once, however often and in whatever receipt it is sent`(kind: LedgerKind)
        async throws
    {
        let ledger = try await open(kind)
        let rest = "= hangman hints consumable denied consumed\n+ hints 10"
        let (first, other) = (receipt("a"), receipt("b"))
        #expect(try await ledger.record(first, bought("hints", "1")) == "verified finish\n1 hints: delivered\n\(rest)")
        let again = "verified again finish\n1 hints: already delivered\n\(rest)"
        #expect(try await ledger.record(first, bought("hints", "1")) == again)
        #expect(try await ledger.presentAgain("a", by: 1) == again)
        let elsewhere = "verified finish\n1 hints: already delivered\n\(rest)"
        #expect(try await ledger.record(other, bought("hints", "1")) == elsewhere)
        #expect(try await ledger.answer(to: first) == "verified finish\n1 hints: delivered\n\(rest)")
        #expect(try await ledger.answer(to: other) == elsewhere)
        #expect(try await ledger.rows("SELECT kind, product, amount FROM postings") == ["credit hints 10"])
    }

    @Test(arguments: LedgerKind.allCases)
    func `Every step of a receipt is in the audit trail`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let skipped = try await ledger.trail().count
        try await ledger.record(receipt("a"), bought("hints", "1"))
        try await ledger.record(receipt("a"), bought("hints", "1", revoked: day(95), signed: day(96)))
        let place = #""app":"hangman","environment":"Production","#
        let posted = #""app":"hangman","currency":"hints","environment":"Production","kind":"#
        let expected = [
            #"receipt.recorded r_a_1 {"kind":"signedTransaction","length":1,"sha256":"61"}"#,
            #"credits.posted r_a_1 {"amount":10,\#(posted)"credit","product":"hints"}"#,
            #"receipt.settled r_a_1 {"status":"verified","transactions":[{\#(place)"id":"1","outcome":"delivered","#
                + #""product":"hints"}]}"#,
            #"credits.posted r_a_1 {"amount":-10,\#(posted)"refund","product":"hints"}"#,
            #"receipt.presentedAgain r_a_1 {"status":"verified","transactions":[{\#(place)"id":"1","outcome":"#
                + #""alreadyDelivered","product":"hints"}]}"#,
        ]
        #expect(try await ledger.trail().dropFirst(skipped) == expected[...])
    }

    /// The same bytes sent all day do not fill the disk.
    @Test(arguments: LedgerKind.allCases)
    func `A receipt that changes nothing leaves no further row`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("hints", "1"), bought("words", "2"))
        try await ledger.record(receipt("a", by: 2), bought("words", "2"))
        try await ledger.reject(receipt("b"), .signature)
        let before = try await ledger.everything()
        try await ledger.record(receipt("a"), bought("hints", "1"), bought("words", "2"))
        _ = try await ledger.presentAgain("a", by: 1)
        try await ledger.record(receipt("a", by: 2), bought("words", "2"))
        try await ledger.reject(receipt("b"), .signature)
        #expect(try await ledger.everything() == before)
        try await ledger.reject(receipt("b"), .chain)
        let last = try await ledger.trail().last
        #expect(last == #"receipt.presentedAgain r_b_1 {"reason":"chain","status":"rejected","transactions":[]}"#)
    }

    /// The refusal concerns one request, so only the trail records it.
    @Test(arguments: LedgerKind.allCases)
    func `A receipt refused for another device is in the audit trail`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("words", "1"))
        try await ledger.reject(receipt("a"), .otherDevice)
        let last = try await ledger.trail().last
        #expect(last == #"receipt.presentedAgain r_a_1 {"reason":"otherDevice","status":"rejected","transactions":[]}"#)
    }

    /// Earlier versions knew receipts by the digest of their text.
    @Test(arguments: LedgerKind.allCases)
    func `A receipt that was recorded by the digest of its text is found`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("words", "1"))
        _ = try await ledger.ledger.enqueue(receipt("b"), retryAt: today, at: today)
        func sentNow(_ name: String) -> Receipt {
            var sent = receipt(name, id: "r_new")
            (sent.digest, sent.textDigest) = (Data("bytes of \(name)".utf8), sent.digest)
            return sent
        }
        #expect(try await ledger.present(sentNow("a"), bought("words", "1")).receipt == "r_a_1")
        #expect(try await ledger.ledger.enqueue(sentNow("b"), retryAt: today, at: today).receipt.id == "r_b_1")
        #expect(try await ledger.present(sentNow("c"), bought("words", "1")).receipt == "r_new")
        #expect(try await ledger.rows("SELECT id FROM receipts ORDER BY id") == ["r_a_1", "r_b_1", "r_new"])
        let recorded = try await ledger.trail().last { $0.hasPrefix("receipt.recorded r_new") }
        #expect(recorded?.contains("\"sha256\":\"63\"") == true, "of the text, whose length it has: \(recorded ?? "-")")
    }

    @Test(arguments: LedgerKind.allCases)
    func `A receipt is shown to the account that sent it only`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("words", "1"))
        let id = receipt("a").id
        #expect(try await ledger.ledger.receipt(id, of: account(2), in: try ledger.context()) == nil)
        #expect(try await ledger.ledger.receipt("r_none", of: account(1), in: try ledger.context()) == nil)
    }

    /// The answer has each transaction once, in the order of the receipt.
    @Test(arguments: LedgerKind.allCases)
    func `The answer has each transaction once in the order of the receipt`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let answer = """
            verified finish
            3 starter: delivered
            1 hints: delivered
            2 words: delivered
            = hangman hints consumable denied consumed
            = hangman starter non-consumable granted [starter]
            = hangman words non-consumable granted [hard-words]
            + hints 43
            """
        let hints = bought("hints", "1", quantity: 4)
        let copies = (bought("starter", "3"), bought("words", "2"))
        #expect(try await ledger.record(receipt("a"), copies.0, hints, copies.1, hints, copies.0) == answer)
        #expect(try await ledger.answer(to: receipt("a")) == answer)
    }

    @Test(arguments: LedgerKind.allCases)
    func `A receipt without purchases is verified`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        #expect(try await ledger.record(receipt("a", kind: .appReceipt)) == "verified keep")
        #expect(try await ledger.answer(to: receipt("a")) == "verified keep")
    }

    @Test(arguments: LedgerKind.allCases, ReceiptRejection.Reason.allCases)
    func `A rejected receipt is answered with its reason each time, and nothing of it is finished`(
        kind: LedgerKind, reason: ReceiptRejection.Reason
    ) async throws {
        let ledger = try await open(kind)
        let word = reason.rawValue
        #expect(try await ledger.reject(receipt("a"), reason) == "rejected \(word) keep")
        #expect(try await ledger.reject(receipt("a"), reason) == "rejected \(word) again keep")
        #expect(try await ledger.answer(to: receipt("a")) == "rejected \(word) keep")
    }

    /// A server with wrong settings refuses what it accepts later.
    @Test(arguments: LedgerKind.allCases)
    func `A rejected receipt may be accepted later`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.reject(receipt("a"), .chain)
        let rest = "= hangman words non-consumable granted [hard-words]"
        #expect(
            try await ledger.record(receipt("a"), bought("words", "1"))
                == "verified again finish\n1 words: delivered\n\(rest)")
        #expect(try await ledger.answer(to: receipt("a")) == "verified finish\n1 words: delivered\n\(rest)")
    }

    /// A verified receipt stays verified.
    @Test(arguments: LedgerKind.allCases)
    func `A verified receipt is not rejected later`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("words", "1"))
        #expect(
            try await ledger.reject(receipt("a"), .signature) == "verified again finish\n1 words: already delivered\n"
                + "= hangman words non-consumable granted [hard-words]")
        try await ledger.record(receipt("none", by: 2))
        #expect(try await ledger.reject(receipt("none", by: 2), .notFound) == "verified again keep")
        #expect(try await ledger.answer(to: receipt("none", by: 2)) == "verified keep")
    }

    @Test(arguments: LedgerKind.allCases)
    func `The purchases and balances of two apps are kept apart`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let chess = bought("hints", "1", app: "chess", quantity: 2)
        #expect(
            try await ledger.record(receipt("a"), chess, bought("hints", "1")) == """
                verified finish
                1 hints: delivered
                1 hints: delivered
                = chess hints consumable denied consumed
                = hangman hints consumable denied consumed
                + hints 2
                """)
        #expect(
            try await ledger.holdings(of: 1) == """
                = chess hints consumable denied consumed
                = hangman hints consumable denied consumed
                + hints 2
                + hints 10
                """)
    }
}
