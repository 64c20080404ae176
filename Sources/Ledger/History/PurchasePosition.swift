package import Foundation
package import InAppPurchase

/// A position in the history of an account's purchases, which begins with the newest.
package struct PurchasePosition: Hashable, Sendable {
    /// The date of the last purchase that was read.
    package var date: Date
    /// Its transaction ID.
    package var transaction: TransactionID

    package init(date: Date, transaction: TransactionID) {
        self.date = date
        self.transaction = transaction
    }
}
