/// What a ledger keeps of one account, as it stands there, for the check against the fold.
public struct AccountAudit: Sendable {
    /// A balance's key.
    public struct BalanceKey: Hashable, Sendable {
        public var scope: Scope
        public var currency: Currency

        public init(scope: Scope, currency: Currency) {
            self.scope = scope
            self.currency = currency
        }
    }

    /// A posting, its kind as it is written.
    public struct Entry: Sendable {
        public var balanceKey: BalanceKey
        public var amount: Int
        public var kind: String
        public var product: ProductID?
        public var cause: String?

        public init(balanceKey: BalanceKey, amount: Int, kind: String, product: ProductID?, cause: String?) {
            self.balanceKey = balanceKey
            self.amount = amount
            self.kind = kind
            self.product = product
            self.cause = cause
        }
    }

    /// A receipt, and how many transactions it is recorded to hold.
    public struct ReceiptSummary: Sendable {
        public var id: String
        public var status: ReceiptAnswer.Status
        public var isRejected: Bool
        public var isAnswered: Bool
        public var isDue: Bool
        public var transactions: Int
        /// Those of ``transactions`` that are not recorded.
        public var unknown: Int

        public init(
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

    public var state: AccountState
    public var balances: [BalanceKey: Int]
    /// In the order in which they were posted.
    public var postings: [Entry]
    public var spends: [RecordedSpend]
    public var adjustments: [RecordedAdjustment]
    public var refunds: [AppliedRefund]
    public var delivered: Set<Transaction.Key>
    /// Those the account owns.
    public var originalTransactions: [OriginalTransaction]
    public var receipts: [ReceiptSummary]

    public init(
        state: AccountState, balances: [BalanceKey: Int], postings: [Entry], spends: [RecordedSpend],
        adjustments: [RecordedAdjustment], refunds: [AppliedRefund], delivered: Set<Transaction.Key>,
        originalTransactions: [OriginalTransaction],
        receipts: [ReceiptSummary]
    ) {
        self.state = state
        self.balances = balances
        self.postings = postings
        self.spends = spends
        self.adjustments = adjustments
        self.refunds = refunds
        self.delivered = delivered
        self.originalTransactions = originalTransactions
        self.receipts = receipts
    }

    /// All that is kept otherwise than the history has it, in a stable order.
    public var differences: [LedgerDifference] {
        wrongBalances + wrongCredits + wrongActs + wrongRefunds + missingDeliveries + wrongOwners + wrongReceipts
    }
}
