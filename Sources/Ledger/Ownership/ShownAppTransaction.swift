package import Foundation
package import InAppPurchase

/// A verified app transaction that an account sent. It gives nothing by itself.
package struct ShownAppTransaction: Hashable, Sendable {
    package var transaction: AppTransaction
    /// The date when the account sent it first.
    package var date: Date
    /// Whether the account was the first of the app and environment that sent one with its ID.
    package var isFirst: Bool

    package init(transaction: AppTransaction, date: Date, isFirst: Bool) {
        self.transaction = transaction
        self.date = date
        self.isFirst = isFirst
    }
}
