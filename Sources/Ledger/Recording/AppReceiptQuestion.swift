package import InAppPurchase
package import Foundation

/// What the App Store is to be asked about an app receipt whose signature this server has verified by itself.
///
/// A receipt tells what was known when it was made. A refund since then, or a renewal, is not in it, and is not known
/// here either when no notification told of it.
package struct AppReceiptQuestion: Hashable, Sendable {
    /// A receipt that was made longer ago than these seconds proves nothing new without the App Store.
    package static let freshness: TimeInterval = 86_400
    /// For so many seconds an answer of the App Store on an original transaction is good.
    package static let answerLifetime: TimeInterval = 86_400

    /// The original transactions that the App Store is asked about; empty: it is not asked.
    package var originalTransactions: Set<OriginalTransaction.Key> = []
    /// Those of which nothing is delivered before it has answered: credits of consumables, which a refund could not
    /// bring back once they are spent, subscriptions that are over, which may have been renewed, and what the catalog
    /// does not have.
    package var waiting: Set<OriginalTransaction.Key> = []
    /// Transactions that would give the account something that is not recorded as its own.
    package var undelivered: Set<Transaction.Key> = []

    package init() {}

    /// Whether there can be anything to ask, by the receipt alone; else nobody needs to look into the ledger.
    package static func mayArise(on receipt: VerifiedReceipt, at date: Date) -> Bool {
        receipt.transactions.contains { transaction in
            transaction.isStale(at: date)
                || transaction.expirationDate.map { $0 <= date && transaction.signedDate < $0 } ?? false
        }
    }
}

extension Transaction {
    /// Whether what it says may have been overtaken without a word to this server.
    fileprivate func isStale(at date: Date) -> Bool {
        date.timeIntervalSince(signedDate) > AppReceiptQuestion.freshness
    }
}

extension ReceiptRecorder {
    /// What is to be asked about an app receipt that the account shows.
    ///
    /// - Parameter isDue: whether the receipt waits for an answer already.
    package func question(
        on verified: VerifiedReceipt, by account: AccountID, isDue: Bool
    ) throws -> AppReceiptQuestion {
        let copies = verified.transactions
        let known = Dictionary(
            try rows.transactions(Set(copies.map(\.key))).map { ($0.transaction.key, $0) }
        ) { first, _ in first }
        let undelivered = copies.filter { $0.isStale(at: context.date) && known[$0.key]?.owner != account }
        let ended = try endedSubscriptions(copies, known)
        var question = AppReceiptQuestion()
        question.undelivered = Set(undelivered.map(\.key))
        let asked = isDue ? copies : undelivered
        question.originalTransactions = Set(asked.map(\.originalTransactionKey)).union(ended.inDoubt)
        question.originalTransactions.subtract(
            try rows.originalTransactions(
                among: question.originalTransactions, askedSince: context.date - AppReceiptQuestion.answerLifetime))
        let waiting = undelivered.filter { copy in
            ended.all.contains(copy.originalTransactionKey)
                || mustWait(copy, known[copy.key]?.terms ?? context.terms(for: copy))
        }
        question.waiting = ended.inDoubt.union(waiting.map(\.originalTransactionKey)).intersection(
            question.originalTransactions)
        return question
    }

    private func mustWait(_ copy: Transaction, _ terms: Product?) -> Bool {
        guard let terms else { return true }
        // Whether what a plugin's own type credits can be spent, nobody but the plugin knows.
        return terms.type == .consumable || (!ProductType.standard.contains(terms.type) && !terms.credits.isEmpty)
    }

    /// The subscriptions that are over by their own dates, and those of them of which the App Store has not said since
    /// their end what became of them.
    private func endedSubscriptions(
        _ copies: [Transaction], _ known: [Transaction.Key: RecordedTransaction]
    ) throws -> (all: Set<OriginalTransaction.Key>, inDoubt: Set<OriginalTransaction.Key>) {
        var (ends, words): ([OriginalTransaction.Key: Date], [OriginalTransaction.Key: Date]) = ([:], [:])
        for copy in copies + known.values.map(\.transaction) {
            guard let end = copy.expirationDate else { continue }
            ends[copy.originalTransactionKey] = max(ends[copy.originalTransactionKey] ?? end, end)
            words[copy.originalTransactionKey] = max(
                words[copy.originalTransactionKey] ?? copy.signedDate, copy.signedDate)
        }
        ends = ends.filter { $0.value <= context.date }
        guard !ends.isEmpty else { return ([], []) }
        for (original, end) in try rows.lastExpirations(of: Set(ends.keys)) {
            ends[original] = end <= context.date ? max(ends[original] ?? end, end) : nil
        }
        let inDoubt = ends.filter { (words[$0.key] ?? .distantPast) < $0.value }
        guard !inDoubt.isEmpty else { return (Set(ends.keys), []) }
        let facts = try rows.renewals(Set(inDoubt.keys))
        let unanswered = inDoubt.filter { (facts[$0.key]?.signedDate ?? .distantPast) < $0.value }
        return (Set(ends.keys), Set(unanswered.keys))
    }
}
