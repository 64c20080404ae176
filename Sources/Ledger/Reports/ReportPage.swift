package import InAppPurchase

/// Some of the transactions of a ``ReportScan``.
package struct ReportPage: Sendable {
    /// The place of a transaction in the order of a scan.
    package struct Position: Hashable, Sendable {
        /// The compared date in milliseconds since 1970.
        package var milliseconds: Int
        package var app: BundleID
        package var id: TransactionID

        package init(milliseconds: Int, app: BundleID, id: TransactionID) {
            self.milliseconds = milliseconds
            self.app = app
            self.id = id
        }
    }

    /// The number of transactions in a page: enough that a query costs little beside them.
    package static let size = 1_000

    package var transactions: [ReportedTransaction]
    /// The place after which the next page begins; `nil` on the last page.
    package var next: Position?

    package init(transactions: [ReportedTransaction], next: Position?) {
        self.transactions = transactions
        self.next = next
    }
}
