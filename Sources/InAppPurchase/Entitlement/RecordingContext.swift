public import Foundation

/// What a decision depends on besides the ledger.
public struct RecordingContext: Sendable {
    public var catalog: Catalog
    /// Accounts that a `testers` sandbox setting admits.
    public var testers: Set<AccountID>
    public var date: Date
    /// How long a receipt that waits for the store gives access meanwhile; see ``ProvisionalPurchase``. 0: not at all,
    /// whatever was recorded.
    public var provisionalTime: TimeInterval
    /// How many bytes of receipts are kept.
    public var receiptBytes: ReceiptByteBudgets

    public init(
        catalog: Catalog, testers: Set<AccountID> = [], date: Date, provisionalTime: TimeInterval = 0,
        receiptBytes: ReceiptByteBudgets = ReceiptByteBudgets()
    ) {
        self.receiptBytes = receiptBytes
        self.catalog = catalog
        self.testers = testers
        self.date = date
        self.provisionalTime = provisionalTime
    }

    /// Whether a tester is admitted anywhere where another is not.
    var asksForTesters: Bool {
        catalog.apps.contains { app in
            app.sandbox.admits(tester: true, at: date) != app.sandbox.admits(tester: false, at: date)
        }
    }

    func admits(_ account: AccountID, to scope: Scope) -> Bool {
        if scope.environment == .production { return true }
        let sandbox = catalog.app(scope.app)?.sandbox ?? .nobody
        return sandbox.admits(tester: testers.contains(account), at: date)
    }
}
