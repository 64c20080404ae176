package import Foundation
package import InAppPurchase

/// The questions to the App Store about an app receipt whose signature this server has verified locally.
///
/// An app receipt states what was known when it was made. A later refund or renewal is not in it, and is unknown here
/// too unless a notification reported it.
package struct AppReceiptQuestion: Hashable, Sendable {
    /// The time in seconds after a transaction's signed date within which the receipt alone is sufficient proof. Later
    /// the App Store is asked.
    package static let freshness: TimeInterval = 86_400
    /// The time in seconds for which the App Store's answer about an original transaction is valid.
    package static let answerLifetime: TimeInterval = 86_400

    /// The original transactions to ask the App Store about; empty if no request is needed.
    package var originalTransactions: Set<OriginalTransaction.Key> = []
    /// Those of ``originalTransactions`` of which nothing is delivered before the App Store has answered: credits of
    /// consumables, since a refund could not take them back once they are spent; expired subscriptions, which may have
    /// been renewed; and products that the catalog does not have.
    package var waiting: Set<OriginalTransaction.Key> = []
    /// The transactions that would give the account something that is not recorded as its own.
    package var undelivered: Set<Transaction.Key> = []

    package init() {}

    /// Returns whether there can be a question, judged by the receipt alone. If `false`, the ledger need not be read.
    package static func mayArise(on receipt: VerifiedReceipt, at date: Date) -> Bool {
        receipt.transactions.contains { transaction in
            transaction.isStale(at: date)
                || transaction.expirationDate.map { $0 <= date && transaction.signedDate < $0 } ?? false
        }
    }
}

extension Transaction {
    /// Whether its state may have changed since it was signed, without a notification to this server.
    fileprivate func isStale(at date: Date) -> Bool {
        date.timeIntervalSince(signedDate) > AppReceiptQuestion.freshness
    }
}

extension ReceiptRecorder {
    /// Returns the questions about an app receipt that the account presents.
    ///
    /// - Parameter isDue: whether the receipt already waits for an answer, in the retry queue.
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
        question.originalTransactions = Set(asked.map(\.originalTransactionKey)).union(ended.awaitingAnswer)
        question.originalTransactions.subtract(
            try rows.originalTransactions(
                among: question.originalTransactions, askedSince: context.date - AppReceiptQuestion.answerLifetime))
        let waiting = undelivered.filter { copy in
            ended.all.contains(copy.originalTransactionKey)
                || mustWait(copy, known[copy.key]?.terms ?? context.terms(for: copy))
        }
        question.waiting = ended.awaitingAnswer.union(waiting.map(\.originalTransactionKey)).intersection(
            question.originalTransactions)
        return question
    }

    private func mustWait(_ copy: Transaction, _ terms: Product?) -> Bool {
        guard let terms else { return true }
        // Only the plugin knows whether the credits of its own product type can be spent.
        return terms.type == .consumable || (!ProductType.standard.contains(terms.type) && !terms.credits.isEmpty)
    }

    /// Returns the subscriptions whose last known period has ended, and those of them about which the App Store has
    /// stated nothing since that end.
    private func endedSubscriptions(
        _ copies: [Transaction], _ known: [Transaction.Key: RecordedTransaction]
    ) throws -> (all: Set<OriginalTransaction.Key>, awaitingAnswer: Set<OriginalTransaction.Key>) {
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
        let awaitingAnswer = ends.filter { (words[$0.key] ?? .distantPast) < $0.value }
        guard !awaitingAnswer.isEmpty else { return (Set(ends.keys), []) }
        let facts = try rows.renewals(Set(awaitingAnswer.keys))
        let unanswered = awaitingAnswer.filter { (facts[$0.key]?.signedDate ?? .distantPast) < $0.value }
        return (Set(ends.keys), Set(unanswered.keys))
    }
}
