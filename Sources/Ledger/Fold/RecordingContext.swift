package import InAppPurchase
package import Foundation

/// What a decision depends on besides the ledger.
package struct RecordingContext: Sendable {
    package var catalog: Catalog
    /// Accounts that a `testers` sandbox setting admits.
    package var testers: Set<AccountID>
    package var date: Date
    /// How long a receipt that waits for the store gives access meanwhile; see ``ProvisionalPurchase``. 0: not at all,
    /// whatever was recorded.
    package var provisionalTime: TimeInterval
    /// How many bytes of receipts are kept.
    package var receiptBytes: ReceiptByteBudgets

    package init(
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
