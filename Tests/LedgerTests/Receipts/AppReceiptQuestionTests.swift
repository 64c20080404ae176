import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// When the App Store is asked about app receipts, and what is delivered while it cannot be.
@Suite struct AppReceiptQuestionTests {
    /// Shown by account 1: purchases in a receipt that was made on a given day.
    private func shown(made date: Date, _ copies: [Transaction]) -> VerifiedReceipt {
        VerifiedReceipt(
            transactions: copies.map { copy in
                var copy = copy
                (copy.signedDate, copy.isSigned) = (date, false)
                return copy
            })
    }

    private func original(_ original: TransactionID) -> OriginalTransaction.Key {
        OriginalTransaction.Key(app: "hangman", environment: .production, originalID: original)
    }

    /// Account 1 owns 1, 8 and the subscription 20, which ran to day 95; account 2 owns 2; a notification reported 3.
    /// Subscription 21 was heard of after its end on day 95.
    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(
            receipt("mine"), bought("words", "1"), bought("hints", "8"), bought("club.month", "20", until: day(95)))
        try await ledger.record(
            receipt("ended"), bought("club.month", "21", until: day(95)),
            renewals: [original("21"): RenewalFacts(willAutoRenew: false, expirationReason: 1, signedDate: day(96))])
        try await ledger.record(receipt("another's", by: 2), bought("words", "2"))
        try await ledger.receive(notification("n", bought("words", "3")))
        return ledger
    }

    /// The receipts that are asked about then.
    private func due(in ledger: TestLedger, at date: Date) async throws -> [String] {
        try await ledger.ledger.dueReceipts(in: .receipts, limit: 9, lease: today, at: date).map(\.receipt.id)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var copies: [Transaction]
        /// The day on which the receipt was made.
        var made = day(90)
        /// The day on which it is shown.
        var at = today
        var asked: [TransactionID] = []
        var waiting: [TransactionID] = []
    }

    static let (young, soon) = (today - 86_400, day(95) - 60)

    static let cases = [
        Case(testDescription: "what the account owns", copies: [bought("words", "1"), bought("hints", "8")]),
        Case(testDescription: "nothing", copies: []),
        Case(testDescription: "not known", copies: [bought("words", "9")], asked: ["9"]),
        Case(testDescription: "not known, but young", copies: [bought("hints", "9")], made: young),
        Case(testDescription: "a second older", copies: [bought("words", "9")], made: young - 1, asked: ["9"]),
        Case(testDescription: "known without an owner", copies: [bought("words", "3")], asked: ["3"]),
        Case(testDescription: "another's", copies: [bought("words", "2"), bought("words", "1")], asked: ["2"]),
        Case(testDescription: "a restored copy", copies: [bought("words", "7", original: "1")], asked: ["1"]),
        Case(
            testDescription: "credits wait",
            copies: [bought("hints", "9"), bought("starter", "10"), bought("night", "11")],
            asked: ["10", "11", "9"], waiting: ["9"]),
        Case(testDescription: "not in the catalog", copies: [bought("gone", "9")], asked: ["9"], waiting: ["9"]),
        Case(
            testDescription: "of another type", copies: [bought("words", "9", until: day(120))], asked: ["9"],
            waiting: ["9"]),
        Case(
            testDescription: "a subscription that runs", copies: [bought("club.month", "9", until: day(120))],
            asked: ["9"]),
        Case(
            testDescription: "periods of one that runs",
            copies: [
                bought("club.month", "9", on: day(30), until: day(60)),
                bought("club.month", "10", original: "9", until: day(120)),
            ], asked: ["9"]),
        Case(
            testDescription: "one that ended before the receipt was made",
            copies: [bought("club.month", "9", on: day(30), until: day(60))], asked: ["9"], waiting: ["9"]),
        Case(
            testDescription: "the account's, and over since", copies: [bought("club.month", "20", until: day(95))],
            made: soon, asked: ["20"], waiting: ["20"]),
        Case(
            testDescription: "over since, in a young receipt", copies: [bought("club.month", "20", until: day(95))],
            made: soon, at: day(95), asked: ["20"], waiting: ["20"]),
        Case(
            testDescription: "not over yet", copies: [bought("club.month", "20", until: day(95))], made: soon,
            at: day(95) - 1),
        Case(
            testDescription: "made after the end", copies: [bought("club.month", "20", until: day(95))], made: day(96)),
        Case(
            testDescription: "the store has said since how it ended",
            copies: [bought("club.month", "21", until: day(95))], made: soon),
    ]

    @Test(arguments: LedgerKind.allCases, cases)
    func `The App Store is asked about the purchases that an app receipt cannot prove`(kind: LedgerKind, example: Case)
        async throws
    {
        let ledger = try await open(kind)
        let verified = shown(made: example.made, example.copies)
        let context = try ledger.context(on: example.at)
        let question = try await ledger.ledger.question(on: receipt("old", kind: .appReceipt), verified, in: context)
        #expect(question.originalTransactions.map(\.originalID).sorted() == example.asked)
        #expect(question.waiting.map(\.originalID).sorted() == example.waiting)
        #expect(example.asked.isEmpty || AppReceiptQuestion.mayArise(on: verified, at: example.at))
    }

    @Test(arguments: LedgerKind.allCases)
    func `The App Store is not asked about a renewal that is known`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let renewal = bought("club.month", "22", original: "20", on: day(95), until: day(125), signed: day(94))
        try await ledger.record(receipt("renewed"), renewal)
        let verified = shown(made: Self.soon, [bought("club.month", "20", until: day(95))])
        let question = try await ledger.ledger.question(
            on: receipt("old", kind: .appReceipt), verified, in: try ledger.context())
        #expect(question.originalTransactions.isEmpty)
    }

    /// An answer is good for a day, whoever shows the purchase; it gives nobody anything.
    @Test(arguments: LedgerKind.allCases)
    func `The App Store's answer is good for a day, whoever shows the purchase`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let verified = shown(made: day(90), [bought("words", "2"), bought("words", "3"), bought("hints", "9")])
        let answer = VerifiedReceipt(
            transactions: [bought("words", "2", signed: today), bought("hints", "12", signed: today)])
        let before = try await ledger.holdings(of: 1)
        try await ledger.ledger.recordAnswer(
            answer, to: receipt("old", kind: .appReceipt), verified, in: try ledger.context())
        #expect(try await ledger.holdings(of: 1) == before)
        #expect(try await ledger.rows("SELECT id FROM unclaimedTransactions ORDER BY id") == ["12", "3"])
        for (date, expected) in [(today, 0), (day(101), 0), (day(101) + 1, 3)] {
            for digit in [1, 2] as [UInt8] {
                let question = try await ledger.ledger.question(
                    on: receipt("other", by: digit, kind: .appReceipt), verified, in: try ledger.context(on: date))
                #expect(question.originalTransactions.count == (digit == 1 ? expected : max(0, expected - 1)))
                #expect(question.waiting.count == min(expected, 1))
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func `Purchases that need no answer are delivered while the receipt waits`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let old = receipt("old", by: 2, kind: .appReceipt)
        let verified = shown(made: day(90), [bought("starter", "10"), bought("hints", "9")])
        _ = try await ledger.ledger.enqueue(old, retryAt: today + 15, at: today)
        let held = [
            "= hangman starter non-consumable granted [starter]",
            "= hangman words non-consumable granted [hard-words]", "+ hints 3",
        ].joined(separator: "\n")
        for attempt in 1...3 {
            let answer = try await ledger.ledger.deliverMeanwhile(
                old, verified, attempts: Attempts(count: attempt), until: today + 30, in: try ledger.context())
            #expect(answer.status == .pending && !answer.finish)
            #expect(try await ledger.holdings(of: 2) == held)
        }
        #expect(try await ledger.trail().count { $0.hasPrefix("receipt.postponed") } == 1)
        #expect(try await ledger.ledger.pendingReceipts().oldest == today, "somebody waits")
        #expect(try await due(in: ledger, at: today + 30) == [old.id])
        #expect(try await ledger.differences() == [])
        let refunded = bought("starter", "10", revoked: day(95), signed: today)
        try await ledger.ledger.recordAnswer(
            VerifiedReceipt(transactions: [refunded]), to: old, verified, in: try ledger.context())
        let answer = try await ledger.ledger.record(old, .success(verified), in: try ledger.context())
        #expect(answer.status == .verified && answer.balances == ["hints": 10])
        #expect(try await due(in: ledger, at: day(200)) == [])
        #expect(try await ledger.differences() == [])
    }

    /// It is answered, and still due; whoever asks meanwhile learns the answer.
    @Test(arguments: LedgerKind.allCases)
    func `A receipt whose purchases are all delivered is still asked about`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let old = receipt("old", by: 2, kind: .appReceipt)
        let verified = shown(made: day(90), [bought("starter", "10")])
        _ = try await ledger.ledger.enqueue(old, retryAt: today + 15, at: today)
        let answer = try await ledger.ledger.deliverMeanwhile(
            old, verified, attempts: Attempts(count: 1), until: today + 30, in: try ledger.context())
        #expect(answer.status == .verified && answer.finish && !answer.isDuplicate)
        #expect(answer.transactions.map(\.outcome) == [.delivered])
        #expect(try await ledger.ledger.pendingReceipts().count == 0)
        #expect(
            try await ledger.ledger.question(on: old, verified, in: try ledger.context()).originalTransactions.count
                == 1)
        #expect(
            try await ledger.ledger.question(on: receipt("same", by: 2), verified, in: try ledger.context())
                .originalTransactions
                .isEmpty)
        #expect(try await due(in: ledger, at: today + 30) == [old.id])
        #expect(try await ledger.differences() == [])
        // Settled by somebody else meanwhile: it does not wait again.
        _ = try await ledger.ledger.record(old, .success(verified), in: try ledger.context())
        let again = try await ledger.ledger.deliverMeanwhile(
            old, verified, attempts: Attempts(count: 2), until: today + 60, in: try ledger.context())
        #expect(again.status == .verified)
        #expect(try await due(in: ledger, at: day(200)) == [])
    }
}
