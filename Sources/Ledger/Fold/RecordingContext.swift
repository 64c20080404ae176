package import Foundation
package import InAppPurchase

/// The inputs of a decision besides the ledger.
package struct RecordingContext: Sendable {
    package var catalog: Catalog
    /// The accounts that a `testers` sandbox setting admits.
    package var testers: Set<AccountID>
    package var date: Date
    /// How long a pending receipt gives access, in seconds; see ``ProvisionalPurchase``. `0` gives none, whatever was
    /// recorded.
    package var provisionalTime: TimeInterval
    /// The maximum numbers of bytes of stored receipts.
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

    /// Whether a sandbox setting distinguishes testers from other accounts at present.
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
