import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Receipts that wait for the store.
@Suite struct PendingTests {
    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        return ledger
    }

    @discardableResult private func enqueue(
        _ receipt: Receipt, until retry: Date, in ledger: TestLedger
    ) async throws -> String {
        text(try await ledger.ledger.enqueue(receipt, retryAt: retry, at: today))
    }

    private func due(_ ledger: TestLedger, at date: Date, limit: Int = 100, lease: Date = day(1_000)) async throws
        -> [String]
    {
        try await ledger.ledger.dueReceipts(in: .receipts, limit: limit, lease: lease, at: date).map(text)
    }

    private func postpone(_ name: String, _ attempts: Attempts, until retry: Date, in ledger: TestLedger) async throws {
        try await ledger.ledger.postpone(receipt(name), attempts: attempts, until: retry, at: today)
    }

    private func text(_ kept: PendingReceipt) -> String {
        "\(kept.receipt.id) \(kept.receipt.content) \(kept.attempts.count) \(kept.attempts.ambiguous)"
    }

    @Test(arguments: LedgerKind.allCases)
    func `A receipt that waits for the store is pending and recorded`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        #expect(try await enqueue(receipt("a"), until: day(101), in: ledger) == "r_a_1 a 0 0")
        #expect(try await ledger.answer(to: receipt("a")) == "pending keep")
        #expect(try await ledger.trail().last?.hasPrefix("receipt.recorded r_a_1 ") == true)
    }

    /// Every part of a receipt is read back.
    @Test(arguments: LedgerKind.allCases)
    func `Every part of a waiting receipt is read back`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let sent = Receipt(
            id: "r_1", account: account(1), kind: .transactionReceipt, content: "é\n😀", digest: Data([0, 0xFF]),
            bundleID: "hangman")
        _ = try await ledger.ledger.enqueue(sent, retryAt: today, at: today)
        let kept = try #require(
            try await ledger.ledger.dueReceipts(in: .receipts, limit: 1, lease: today, at: today).first
        ).receipt
        #expect(kept.id == sent.id && kept.account == sent.account && kept.kind == sent.kind)
        #expect(kept.content == sent.content && kept.digest == sent.digest && kept.bundleID == sent.bundleID)
    }

    /// The same bytes are one receipt, with the ID of the first time; those of another account are another.
    @Test(arguments: LedgerKind.allCases)
    func `The same bytes are one waiting receipt of an account`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await enqueue(receipt("a"), until: day(101), in: ledger)
        try await postpone("a", Attempts(count: 2, ambiguous: 1), until: day(102), in: ledger)
        #expect(try await enqueue(receipt("a", id: "r_new"), until: day(103), in: ledger) == "r_a_1 a 2 1")
        #expect(try await enqueue(receipt("a", by: 2), until: day(104), in: ledger) == "r_a_2 a 0 0")
        #expect(try await due(ledger, at: day(200)) == ["r_a_1 a 2 1", "r_a_2 a 0 0"])
        #expect(
            try await ledger.record(receipt("a", id: "r_newer"), bought("hints", "1"))
                .hasPrefix("verified finish\n1 hints: delivered"))
        #expect(try await ledger.answer(to: receipt("a"))?.hasPrefix("verified") == true)
    }

    @Test(arguments: LedgerKind.allCases)
    func `At most twenty receipts of an account wait`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        for number in 0..<20 { try await enqueue(receipt("\(number)"), until: day(101), in: ledger) }
        let before = try await ledger.everything()
        await #expect(throws: LedgerRefusal.tooManyPending) {
            try await enqueue(receipt("20"), until: day(101), in: ledger)
        }
        #expect(try await ledger.everything() == before)
        try await enqueue(receipt("19"), until: day(101), in: ledger)
        try await enqueue(receipt("20", by: 2), until: day(101), in: ledger)
        try await ledger.reject(receipt("0"), .malformed)
        try await enqueue(receipt("20"), until: day(101), in: ledger)
    }

    @Test(arguments: LedgerKind.allCases)
    func `Waiting receipts are due in the order of their dates`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        for (name, due) in [("a", 103), ("b", 101), ("c", 105), ("d", 102), ("e", 104)] {
            try await enqueue(receipt(name), until: day(due), in: ledger)
        }
        #expect(try await due(ledger, at: day(100)) == [])
        #expect(try await due(ledger, at: day(103), limit: 2) == ["r_b_1 b 0 0", "r_d_1 d 0 0"])
        #expect(try await due(ledger, at: day(103)) == ["r_a_1 a 0 0"])
        #expect(try await due(ledger, at: day(104)) == ["r_e_1 e 0 0"])
        #expect(try await due(ledger, at: day(104)) == [])
    }

    /// An app with thousands of waiting receipts does not keep those of others from being asked about.
    @Test(arguments: LedgerKind.allCases)
    func `Each app has its share of the receipts that are asked about`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        func enqueue(_ names: [String], of app: BundleID?, at date: Date) async throws {
            for name in names {
                var sent = receipt(name, by: name.hasPrefix("a1") ? 2 : 1)
                sent.app = app
                try await self.enqueue(sent, until: date, in: ledger)
            }
        }
        try await enqueue((0..<20).map { "a\($0)" }, of: "app a", at: day(101))
        try await enqueue(["b0", "b1"], of: "app b", at: day(103))
        try await enqueue(["n0", "n1", "n2"], of: nil, at: day(102))
        try await enqueue(["c0"], of: "app c", at: day(105))
        func due(_ limit: Int) async throws -> [Character: Int] {
            let names = try await self.due(ledger, at: day(104), limit: limit).compactMap { $0.dropFirst(2).first }
            return Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        }
        #expect(try await due(2) == ["a": 1, "n": 1], "those that wait longest first")
        #expect(try await due(8) == ["a": 4, "n": 2, "b": 2], "what one app does not need, others have")
        #expect(try await due(8) == ["a": 8])
        #expect(try await due(8) == ["a": 7])
        #expect(try await due(8) == [:])
    }

    /// When the lease of a dead worker ends, others take its receipts.
    @Test(arguments: LedgerKind.allCases)
    func `A leased receipt is due again when the lease ends`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await enqueue(receipt("a"), until: day(101), in: ledger)
        #expect(try await due(ledger, at: day(101), lease: day(102)) == ["r_a_1 a 0 0"])
        #expect(try await due(ledger, at: day(102).addingTimeInterval(-0.001)) == [])
        #expect(try await due(ledger, at: day(102)) == ["r_a_1 a 0 0"])
    }

    @Test(arguments: LedgerKind.allCases) func `No two workers get the same receipt`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        for number in 0..<20 { try await enqueue(receipt("\(number)"), until: day(101), in: ledger) }
        let taken = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<10 { group.addTask { try await due(ledger, at: day(101), limit: 3) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(taken.count == 20)
        #expect(Set(taken).count == 20)
    }

    @Test(arguments: LedgerKind.allCases)
    func `A postponed receipt is due at its new date, and audited once`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await enqueue(receipt("a"), until: day(101), in: ledger)
        for count in 1...3 {
            try await postpone("a", Attempts(count: count, ambiguous: 1), until: day(101 + count), in: ledger)
        }
        #expect(try await due(ledger, at: day(103)) == [])
        #expect(try await due(ledger, at: day(104)) == ["r_a_1 a 3 1"])
        #expect(try await ledger.trail().filter { $0.hasPrefix("receipt.postponed") } == ["receipt.postponed r_a_1 {}"])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A receipt that has its answer is not postponed`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await enqueue(receipt("a"), until: day(101), in: ledger)
        try await ledger.record(receipt("a"), bought("words", "1"))
        let before = try await ledger.everything()
        try await postpone("a", Attempts(count: 1), until: day(102), in: ledger)
        try await postpone("never kept", Attempts(count: 1), until: day(102), in: ledger)
        #expect(try await ledger.everything() == before)
        #expect(try await due(ledger, at: day(200)) == [])
    }

    /// A receipt that only the store can judge is asked about again, and what it brought stays meanwhile.
    @Test(arguments: LedgerKind.allCases)
    func `A verified receipt that is asked about again keeps what it gave`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a", kind: .appReceipt), bought("words", "1"))
        try await enqueue(receipt("a", kind: .appReceipt), until: day(101), in: ledger)
        try await postpone("a", Attempts(count: 1), until: day(102), in: ledger)
        let rest = "1 words: delivered\n= hangman words non-consumable granted [hard-words]"
        #expect(try await ledger.answer(to: receipt("a")) == "pending keep\n\(rest)")
        #expect(try await due(ledger, at: day(102)) == ["r_a_1 a 1 0"])
        #expect(
            try await ledger.record(receipt("a"), bought("words", "1"))
                == "verified again finish\n" + rest.replacing(": ", with: ": already "))
    }

    /// The counts of doubtful answers begin anew after an answer, and stay after the refusal that they led to.
    @Test(arguments: LedgerKind.allCases, [nil, .signature, .malformed, .unsupported] as [ReceiptRejection.Reason?])
    func `An answer resets the counts of doubtful answers`(kind: LedgerKind, rejection: ReceiptRejection.Reason?)
        async throws
    {
        let ledger = try await open(kind)
        try await enqueue(receipt("a"), until: day(101), in: ledger)
        try await postpone("a", Attempts(count: 4, ambiguous: 2, badRequests: 3), until: day(102), in: ledger)
        if let rejection {
            try await ledger.reject(receipt("a"), rejection)
        } else {
            try await ledger.record(receipt("a"), bought("words", "1"))
        }
        let kept = try await ledger.ledger.enqueue(receipt("a"), retryAt: day(103), at: today)
        let stays = rejection == .malformed || rejection == .unsupported
        #expect(kept.attempts == (stays ? Attempts(count: 4, ambiguous: 2, badRequests: 3) : Attempts(count: 4)))
    }

    /// The app is the one that the client named last, until the receipt is accepted.
    @Test(arguments: LedgerKind.allCases)
    func `A waiting receipt has the app that the client named last`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        func send(_ app: BundleID?) async throws -> BundleID? {
            var sent = receipt("a")
            sent.bundleID = app
            return try await ledger.ledger.enqueue(sent, retryAt: day(101), at: today).receipt.bundleID
        }
        func stored() async throws -> [String] { try await ledger.rows("SELECT bundleID FROM receipts") }
        #expect(try await send("chess") == "chess")
        #expect(try await send("hangman") == "hangman")
        #expect(try await stored() == ["hangman"])
        #expect(try await send(nil) == nil)
        #expect(try await send("chess") == "chess")
        var rejected = receipt("a")
        rejected.bundleID = "chess"
        try await ledger.reject(rejected, .bundleID)
        #expect(try await send("hangman") == "hangman")
        var accepted = receipt("a")
        accepted.bundleID = "hangman"
        try await ledger.record(accepted, bought("words", "1"))
        #expect(try await send("chess") == "hangman")
        #expect(try await stored() == ["hangman"])
    }

    /// A receipt that is judged at once is stored with the app that it was judged by.
    @Test(arguments: LedgerKind.allCases)
    func `A verified receipt is stored with the app that it was verified for`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        func sent(_ app: BundleID) -> Receipt {
            var sent = receipt("a", id: "r_\(UUID())")
            sent.bundleID = app
            return sent
        }
        try await ledger.reject(sent("chess"), .bundleID)
        try await ledger.record(sent("hangman"), bought("words", "1"))
        try await ledger.reject(sent("chess"), .bundleID)
        #expect(try await ledger.rows("SELECT bundleID, status FROM receipts") == ["hangman verified"])
    }

    /// The answer to a question from before the app was corrected does not count.
    @Test(arguments: LedgerKind.allCases)
    func `An answer for the app before its correction does not count`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        var sent = receipt("a")
        sent.bundleID = "chess"
        let asked = try await ledger.ledger.enqueue(sent, retryAt: day(101), at: today).receipt
        (sent.id, sent.bundleID) = ("r_new", "hangman")
        let corrected = try await ledger.ledger.enqueue(sent, retryAt: day(102), at: today).receipt
        for reason in [ReceiptRejection.Reason.bundleID, .notFound] {
            #expect(try await ledger.reject(asked, reason) == "pending keep")
            #expect(try await ledger.rows("SELECT bundleID, status FROM receipts") == ["hangman pending"])
        }
        #expect(try await due(ledger, at: day(102), lease: day(103)).count == 1)
        try await ledger.record(corrected, bought("words", "1"))
        #expect(try await ledger.rows("SELECT bundleID, status FROM receipts") == ["hangman verified"])
    }

    /// A refusal that the store reconsiders does not count meanwhile.
    @Test(arguments: LedgerKind.allCases)
    func `A refused receipt that is asked about again is pending`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.reject(receipt("a"), .environment)
        try await enqueue(receipt("a"), until: day(101), in: ledger)
        try await postpone("a", Attempts(count: 1), until: day(102), in: ledger)
        #expect(try await ledger.answer(to: receipt("a")) == "pending keep")
    }

    @Test func `Waiting receipts are there after the file is opened again`() async throws {
        let file = try LedgerFile()
        let ledger = try file.open()
        try await ledger.join(1)
        try await enqueue(receipt("b"), until: day(102), in: ledger)
        try await enqueue(receipt("a"), until: day(101), in: ledger)
        try await postpone("b", Attempts(count: 4, ambiguous: 2), until: day(103), in: ledger)
        #expect(try await due(try file.open(), at: day(103)) == ["r_a_1 a 0 0", "r_b_1 b 4 2"])
    }
}
