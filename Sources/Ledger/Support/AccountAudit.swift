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
        delivered: Set<Transaction.Key>,
        originalTransactions: [OriginalTransaction],
        receipts: [ReceiptSummary]
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
