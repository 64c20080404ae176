import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// The fate of credits that were spent before their purchase was refunded.
@Suite struct RefundPolicyTests {
    static let clamp = #"{"refund": "clamp"}"#
    static let purchase = bought("hints", "1")
    static let refund = bought("hints", "1", revoked: day(94), signed: day(95))
    static let reversal = bought("hints", "1", signed: day(97))

    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        return ledger
    }

    static let half = bought("hints", "1", revoked: day(93), share: 50_000, signed: day(94))
    static let laterHalf = bought("hints", "1", revoked: day(93), share: 50_000, signed: day(96))
    static let laterFifth = bought("hints", "1", revoked: day(93), share: 20_000, signed: day(96))

    /// Acts on a balance of hints that refunds of ten hints clamp, and what is left.
    enum Step: Sendable {
        case show(Transaction, leaves: Int)
        case showTogether([Transaction], leaves: Int)
        case spend(Int, leaves: Int)
        case adjust(Int, leaves: Int)
        case policy(String)
    }

    static let lives: [(String, [Step])] = [
        (
            "nothing was spent",
            [.show(purchase, leaves: 10), .show(refund, leaves: 0), .show(reversal, leaves: 10)]
        ),
        (
            "a reversal gives back what was taken",
            [
                .show(purchase, leaves: 10), .spend(7, leaves: 3), .show(refund, leaves: 0),
                .show(reversal, leaves: 3), .spend(3, leaves: 0),
            ]
        ),
        (
            "the refund comes before the purchase: nothing is taken, all is given",
            [.show(refund, leaves: 0), .show(purchase, leaves: 0), .show(reversal, leaves: 10)]
        ),
        (
            "the reversal comes before the refund",
            [.show(purchase, leaves: 10), .spend(7, leaves: 3), .show(reversal, leaves: 3), .show(refund, leaves: 3)]
        ),
        (
            "refunded, reversed and refunded again",
            [
                .show(purchase, leaves: 10), .spend(10, leaves: 0), .show(refund, leaves: 0),
                .show(reversal, leaves: 0), .show(bought("hints", "1", revoked: day(98), signed: day(98)), leaves: 0),
                .show(bought("hints", "1", signed: day(99)), leaves: 0),
            ]
        ),
        (
            "of several at once the newest is forgiven first",
            [
                .showTogether([purchase, bought("hints", "2")], leaves: 20), .spend(14, leaves: 6),
                .showTogether([refund, bought("hints", "2", revoked: day(93), signed: day(95))], leaves: 0),
                .show(reversal, leaves: 0), .show(bought("hints", "2", signed: day(97)), leaves: 6),
            ]
        ),
        (
            "one is reversed while another is refunded",
            [
                .showTogether([purchase, bought("hints", "2")], leaves: 20), .spend(16, leaves: 4),
                .show(refund, leaves: 0),
                .showTogether([reversal, bought("hints", "2", revoked: day(96), signed: day(97))], leaves: 0),
                .show(bought("hints", "2", signed: day(98)), leaves: 4),
            ]
        ),
        (
            "a share, then all of it",
            [
                .show(purchase, leaves: 10), .spend(7, leaves: 3), .show(half, leaves: 0), .show(half, leaves: 0),
                .show(refund, leaves: 0), .show(half, leaves: 0), .show(reversal, leaves: 3),
            ]
        ),
        (
            "one is raised from a share to all of it while another, which is older, comes",
            [
                .showTogether([purchase, bought("hints", "2")], leaves: 20), .show(half, leaves: 15),
                .spend(15, leaves: 0),
                .showTogether(
                    [
                        bought("hints", "1", revoked: day(96), signed: day(97)),
                        bought("hints", "2", revoked: day(94), signed: day(97)),
                    ], leaves: 0),
                .show(bought("hints", "2", signed: day(98)), leaves: 0),
                .show(bought("hints", "1", signed: day(98)), leaves: 5),
            ]
        ),
        (
            "all of it, then a share after all",
            [
                .show(purchase, leaves: 10), .spend(7, leaves: 3), .show(refund, leaves: 0),
                .show(laterHalf, leaves: 0), .show(reversal, leaves: 3),
            ]
        ),
        (
            "a share that is smaller than what was there",
            [
                .show(purchase, leaves: 10), .spend(4, leaves: 6), .show(refund, leaves: 0),
                .show(laterFifth, leaves: 4), .show(reversal, leaves: 6),
            ]
        ),
        (
            "a share comes before the purchase",
            [.show(half, leaves: 5), .show(purchase, leaves: 5), .show(refund, leaves: 0), .show(reversal, leaves: 10)]
        ),
        (
            "an older debt stays",
            [
                .show(purchase, leaves: 10), .adjust(-15, leaves: -5), .show(refund, leaves: -5),
                .show(reversal, leaves: -5), .show(bought("hints", "2"), leaves: 5),
            ]
        ),
        (
            "the setting is changed after the refund",
            [
                .show(purchase, leaves: 10), .spend(7, leaves: 3), .show(refund, leaves: 0),
                .policy(#"{"refund": "debt"}"#), .show(reversal, leaves: 3),
                .show(bought("hints", "1", revoked: day(98), signed: day(98)), leaves: -7), .policy(clamp),
                .show(refund, leaves: -7), .show(bought("hints", "1", signed: day(99)), leaves: 3),
            ]
        ),
    ]

    @Test(arguments: LedgerKind.allCases, lives)
    func `A refund takes no more credits than the balance has where the catalog says so`(
        kind: LedgerKind, life: (name: String, steps: [Step])
    ) async throws {
        let ledger = try await open(kind)
        var hints = try catalog(hints: Self.clamp)
        for (number, step) in life.steps.enumerated() {
            let place = Comment(rawValue: "\(life.name), step \(number)")
            switch step {
            case .show(let copy, let leaves):
                try await ledger.record(receipt("\(number)"), copy, in: hints)
                #expect(try await ledger.hints() == leaves, place)
            case .showTogether(let copies, let leaves):
                _ = try await ledger.ledger.record(
                    receipt("\(number)"), .success(VerifiedReceipt(transactions: copies)),
                    in: RecordingContext(catalog: hints, date: today))
                #expect(try await ledger.hints() == leaves, place)
            case .spend(let amount, let leaves):
                #expect(try await ledger.spend(amount, key: "\(number)") == leaves, place)
            case .adjust(let amount, let leaves):
                #expect(try await ledger.adjust(amount, key: "\(number)") == leaves, place)
            case .policy(let policy): hints = try catalog(hints: policy)
            }
            #expect(try await ledger.differences() == [], place)
        }
    }

    /// Support sees what was forgiven, and for which transaction.
    @Test(arguments: LedgerKind.allCases)
    func `Forgiven credits are posted and audited`(kind: LedgerKind) async throws {
        let (ledger, hints) = (try await open(kind), try catalog(hints: Self.clamp))
        try await ledger.record(receipt("a"), Self.purchase, in: hints)
        _ = try await ledger.spend(7, key: "k")
        try await ledger.record(receipt("b"), Self.refund, in: hints)
        try await ledger.record(receipt("b"), Self.refund, in: hints)
        try await ledger.record(receipt("c"), Self.reversal, in: hints)
        let report = try #require(
            try await ledger.ledger.accountReport(of: account(1), after: nil, limit: 20, in: try ledger.context()))
        #expect(
            report.postings.entries.reversed().map { "\($0.kind) \($0.amount) \($0.cause ?? "")" } == [
                "credit 10 r_a_1", "spend -7 k", "refund -10 r_b_1", "forgiveness 7 1", "credit 10 r_c_1",
                "forgiveness -7 1",
            ])
        #expect(
            try await ledger.trail().filter { $0.contains("forgiveness") } == [
                #"credits.posted r_b_1 {"amount":7,"app":"hangman","currency":"hints","environment":"Production","#
                    + #""kind":"forgiveness","product":"hints","transaction":"1"}"#,
                #"credits.posted r_c_1 {"amount":-7,"app":"hangman","currency":"hints","environment":"Production","#
                    + #""kind":"forgiveness","product":"hints","transaction":"1"}"#,
            ])
    }

    /// Credits stay with the account they were given to, and so does what becomes of them.
    @Test(arguments: LedgerKind.allCases)
    func `A refund takes the credits from the account that got them`(kind: LedgerKind) async throws {
        let (ledger, hints) = (try await open(kind), try catalog(hints: Self.clamp))
        try await ledger.record(receipt("a"), bought("starter", "1"), in: hints)
        _ = try await ledger.spend(2, key: "k")
        try await ledger.record(receipt("a", by: 2), bought("starter", "1", signed: day(99)), in: hints)
        try await ledger.record(receipt("b", by: 2), bought("starter", "1", revoked: day(99), signed: today), in: hints)
        #expect(try await ledger.hints() == 0)
        #expect(try await ledger.hints(of: 2) == 0)
        #expect(try await ledger.rows("SELECT account, amount, forgiven FROM refunds") == ["\(account(1).text) 3 2"])
        #expect(try await ledger.differences() == [])
    }
}

extension TestLedger {
    /// The balance of hangman's hints.
    func hints(of digit: UInt8 = 1) async throws -> Int {
        let scope = Scope(app: "hangman", environment: .production)
        return try await ledger.balances(of: account(digit), scope: scope, in: try context())["hints"] ?? 0
    }
}
