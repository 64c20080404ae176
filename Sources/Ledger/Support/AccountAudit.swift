package import InAppPurchase

/// One account's stored rows, to be compared with the fold of its history.
package struct AccountAudit: Sendable {
    /// The key of a balance.
    package struct BalanceKey: Hashable, Sendable {
        package var scope: Scope
        package var currency: Currency

        package init(scope: Scope, currency: Currency) {
            self.scope = scope
            self.currency = currency
        }
    }

    /// A posting, with its kind as stored.
    package struct Entry: Sendable {
        package var balanceKey: BalanceKey
        package var amount: Int
        package var kind: String
        package var product: ProductID?
        package var cause: String?

        package init(balanceKey: BalanceKey, amount: Int, kind: String, product: ProductID?, cause: String?) {
            self.balanceKey = balanceKey
            self.amount = amount
            self.kind = kind
            self.product = product
            self.cause = cause
        }
    }

    /// A receipt, with the number of transactions that are recorded as its contents.
    package struct ReceiptSummary: Sendable {
        package var id: String
        package var status: ReceiptAnswer.Status
        package var isRejected: Bool
        package var isAnswered: Bool
        package var isDue: Bool
        package var transactions: Int
        /// The number of ``transactions`` that are not recorded themselves.
        package var unknown: Int

        package init(
            id: String, status: ReceiptAnswer.Status, isRejected: Bool, isAnswered: Bool, isDue: Bool,
            transactions: Int, unknown: Int
        ) {
            self.id = id
            self.status = status
            self.isRejected = isRejected
            self.isAnswered = isAnswered
            self.isDue = isDue
            self.transactions = transactions
            self.unknown = unknown
        }
    }

    package var state: AccountState
    /// The number of transactions of original transactions that the account owns.
    package var transactions: Int
    package var balances: [BalanceKey: Int]
    /// The postings, in the order in which they were posted.
    package var postings: [Entry]
    package var spends: [RecordedSpend]
    package var adjustments: [RecordedAdjustment]
    package var startingCredits: [StartingCreditsGrant]
    package var refunds: [AppliedRefund]
    /// The keys of the purchases that were delivered.
    package var delivered: Set<Transaction.Key>
    /// The original transactions that the account owns.
    package var originalTransactions: [OriginalTransaction]
    package var receipts: [ReceiptSummary]

    package init(
        state: AccountState, transactions: Int, balances: [BalanceKey: Int], postings: [Entry], spends: [RecordedSpend],
        adjustments: [RecordedAdjustment], startingCredits: [StartingCreditsGrant], refunds: [AppliedRefund],
        delivered: Set<Transaction.Key>, originalTransactions: [OriginalTransaction], receipts: [ReceiptSummary]
    ) {
        self.state = state
        self.transactions = transactions
        self.balances = balances
        self.postings = postings
        self.spends = spends
        self.adjustments = adjustments
        self.startingCredits = startingCredits
        self.refunds = refunds
        self.delivered = delivered
        self.originalTransactions = originalTransactions
        self.receipts = receipts
    }

    /// The differences between the stored rows and the fold of the history, in a stable order.
    package var differences: [LedgerDifference] {
        wrongBalances + wrongCredits + wrongStartingCredits + wrongActs + wrongRefunds + missingDeliveries + wrongOwners
            + wrongReceipts
    }
}

extension AccountAudit {
    /// The applied refunds whose amount is not what the purchase's revocation takes, or whose forgiven part was not
    /// posted; and forgiveness that was posted without a refund.
    var wrongRefunds: [LedgerDifference] {
        let scopes = Set(state.records.map(\.scope))
        let standing = Dictionary(
            scopes.flatMap { state.standingRefunds(in: $0) }.map { ($0.refund.key, $0.refund.amount) }
        ) { first, _ in first }
        var postings = forgivenByPostings
        let wrong = refunds.sorted { $0.key.order < $1.key.order }.flatMap { refund in
            [
                difference(
                    "deducted by the refund", refund.key, stored: refund.amount,
                    standing[refund.key] ?? 0),
                difference(
                    "forgiven of the refund", refund.key, stored: refund.forgiven,
                    postings.removeValue(forKey: refund.key) ?? 0),
            ]
        }
        let unknown = postings.sorted { $0.key.order < $1.key.order }
            .map { difference("forgiven of the refund", $0.key, stored: 0, $0.value) }
        return (wrong + unknown).compactMap { $0 }
    }

    private var forgivenByPostings: [AppliedRefund.Key: Int] {
        postings.reduce(into: [:]) { sums, entry in
            guard entry.kind == Posting.Kind.forgiveness.rawValue else { return }
            let key = AppliedRefund.Key(
                account: state.account, scope: entry.balanceKey.scope,
                transaction: TransactionID(stored: entry.cause ?? ""), currency: entry.balanceKey.currency)
            sums[key] = (sums[key] ?? 0).saturatingAdding(entry.amount)
        }
    }

    private func difference(_ what: String, _ key: AppliedRefund.Key, stored: Int, _ folded: Int) -> LedgerDifference? {
        stored == folded
            ? nil
            : LedgerDifference(
                account: state.account, scope: key.scope, "\(key.currency) \(what) of transaction \(key.transaction)",
                stored: String(stored), folded: String(folded))
    }
}
