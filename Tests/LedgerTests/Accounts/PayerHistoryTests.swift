import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Random subscriptions whose periods have several IDs, are refunded, extended, left for another product, shared, paid
/// and claimed by three accounts, with what the store reports in several orders between the claims, compared with
/// ``PayerModel``.
@Suite struct PayerHistoryTests {
    private static let orders = 3
    /// The number of histories on the fastest database. Set `QUARTERMASTER_PAYER_HISTORIES` for a longer run.
    private static let count =
        ProcessInfo.processInfo.environment["QUARTERMASTER_PAYER_HISTORIES"].flatMap { Int($0) }
        ?? campaign(of: 5_000).count
    private static let seeds = 1...UInt64(max(1, (count + orders - 1) / orders))

    @Test(arguments: seeds)
    func `The owners and credits after random payments, claims and refunds are those of the model`(seed: UInt64)
        async throws
    { try await play(seed, on: .sqliteInMemory) }

    @Test(arguments: [LedgerKind.sqliteInFile, .postgres], [1, 2, 3] as [UInt64])
    func `They are on other databases`(kind: LedgerKind, seed: UInt64) async throws {
        try await play(seed, on: kind)
    }

    /// Plays a history with the facts between its acts in several orders.
    private func play(_ seed: UInt64, on kind: LedgerKind) async throws {
        let history = PayerHistory(seed: seed)
        var generator = SeededGenerator(seed: seed &+ 1_000_000)
        var expected: [String] = []
        for order in 0..<Self.orders {
            var game = PayerGame(history, on: try kind.open())
            try await game.ledger.join(1, 2, 3)
            var states: [String] = []
            for (place, step) in history.steps.enumerated() {
                let facts = order == 0 ? step.facts : step.facts.shuffled(using: &generator)
                let context: Comment = "seed \(seed), order \(order), step \(place)"
                for (number, fact) in facts.enumerated() {
                    try await game.receive(fact, on: step.date - 1 + Double(number) / 100)
                    try await game.compare(context)
                }
                states.append(game.expected)
                guard let act = step.act else { continue }
                try await game.play(act, on: step.date, context)
                try await game.compare(context)
                states.append(game.expected)
            }
            if order == 0 { expected = states }
            try #require(states == expected, "seed \(seed), order \(order)")
            let differences = try await game.ledger.differences()
            #expect(differences == [], "seed \(seed), order \(order)")
            guard order == Self.orders - 1 else { continue }
            try await tellAgain(&game, "seed \(seed)", using: &generator)
        }
    }

    /// Tells everything once more, after which nothing more is posted.
    private func tellAgain(_ game: inout PayerGame, _ context: Comment, using generator: inout SeededGenerator)
        async throws
    {
        let ledger = game.ledger
        let sums = "SELECT account, sum(amount) FROM postings GROUP BY account ORDER BY account"
        #expect(try await ledger.rows("SELECT account, amount FROM balances ORDER BY account") == ledger.rows(sums))
        let postings = try await ledger.rows("SELECT * FROM postings ORDER BY sequence")
        guard let last = game.history.steps.last else { return }
        for fact in game.history.steps.flatMap(\.facts).shuffled(using: &generator) {
            try await game.receive(fact, on: last.date + 60)
        }
        #expect(try await ledger.rows("SELECT * FROM postings ORDER BY sequence") == postings, context)
        try await game.compare(context)
    }
}

/// A ledger on which a history is played, and what the model says of it: of the subscription, and of what the family
/// shares of it.
private struct PayerGame {
    let history: PayerHistory
    let ledger: TestLedger
    var models: [PayerModel]
    var tokensSet: [(account: UInt8, date: Date)] = []
    var number = 0
    /// Everything that happened, to be shown where something is wrong.
    var log: [String] = []

    init(_ history: PayerHistory, on ledger: TestLedger) {
        self.history = history
        self.ledger = ledger
        models = [PayerModel(history.periods), PayerModel(history.periods)]
    }
}

extension PayerGame {
    /// The owners, and the gems of each account.
    var expected: String {
        let owners = models.map { model in model.owner.map { account($0).text } ?? "none" }
        return "\(owners) \((1...3).map { models[0].gems(of: $0) })"
    }

    private func found() async throws -> String {
        let lines = try await ledger.rows("SELECT originalID, owner FROM lines")
        let owners = PayerHistory.originals.map { original in
            lines.first { $0.hasPrefix("\(original) ") }.map { String($0.dropFirst("\(original) ".count)) } ?? "none"
        }
        let balances = try await ledger.rows("SELECT account, amount FROM balances WHERE currency = 'gems'")
        let gems = [UInt8(1), 2, 3].map { digit in
            let row = balances.first { $0.hasPrefix(account(digit).text) }
            return row.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) } ?? 0
        }
        return "\(owners) \(gems)"
    }

    func compare(_ context: Comment) async throws {
        let found = try await found()
        try #require(found == expected, "\(context): \(history.periods.map(\.description)) \(log)")
    }

    mutating func receive(_ fact: PayerHistory.Copy, on date: Date) async throws {
        number += 1
        let copy = history.named(fact, tokensSet: tokensSet)
        log.append("\(date.inDays) \(copy)")
        let notification = AppStoreNotification(
            id: "n\(number)", type: copy.statement == .reversal ? "REFUND_REVERSED" : "REFUND", app: "hangman",
            environment: .production, signedDate: copy.date, content: "n\(number)",
            facts: VerifiedReceipt(transactions: [history.transaction(copy)]))
        try await ledger.receive(notification, on: date)
        models[copy.line].receive([copy])
    }

    mutating func play(_ act: PayerHistory.Act, on date: Date, _ context: Comment) async throws {
        log.append("\(date.inDays) \(act)")
        switch act {
        case .given(let digit, let line):
            guard models[line].isKnown else { return }
            try await ledger.move(PayerHistory.originals[line], to: digit, on: date)
            models[line].give(to: digit, on: date)
        case .undone(let line):
            let key = original(PayerHistory.originals[line])
            _ = try? await ledger.ledger.undoTransfer(
                of: key, try LedgerTests.act(on: date), in: ledger.context(on: date))
            if let former = models[line].former { models[line].give(to: former, on: date) }
        case .tokenSet:
            for task in try await ledger.ledger.dueStoreTasks(limit: 9, lease: date + 60, at: date) {
                #expect(try await ledger.ledger.complete(task, .done, at: date), context)
                guard task.key.id == PayerHistory.originals[0], let account = digit(task.account) else { continue }
                tokensSet.append((account, date))
                models[0].setToken(account, on: date)
            }
        case .shown(let copies, let digit, let isAppReceipt, let isForDevice, let mayTransfer):
            number += 1
            let receipt = receipt(
                "\(number)", by: digit, kind: isAppReceipt ? .appReceipt : .signedTransaction,
                mayTransfer: mayTransfer, isForDevice: isForDevice)
            try await show(copies.map { history.named($0, tokensSet: tokensSet) }, receipt, digit, on: date, context)
        }
    }

    private func digit(_ id: AccountID) -> UInt8? { [1, 2, 3].first { account($0) == id } }

    private mutating func show(
        _ copies: [PayerHistory.Copy], _ receipt: Receipt, _ account: UInt8, on date: Date, _ context: Comment
    ) async throws {
        guard let line = copies.first?.line else { return }
        let transactions = copies.map(history.transaction)
        let verified = VerifiedReceipt(
            transactions: transactions, evidence: PresentedEvidence(receipt.kind, transactions))
        let answer = try await ledger.ledger.record(receipt, .success(verified), in: ledger.context(on: date))
        let isOwn = models[line].claim(
            copies, by: account, isForDevice: receipt.isForDevice, mayTransfer: receipt.mayTransfer, on: date)
        try #require(
            (answer.status == .verified) == isOwn,
            "\(context): \(answer.text) \(history.periods.map(\.description)) \(log)")
        for reported in answer.transactions where reported.outcome == .delivered {
            guard let copy = copies.first(where: { PayerHistory.id($0) == reported.transaction.id }) else { continue }
            models[line].deliver(copy.period, to: account)
        }
    }
}
