package import Foundation
package import InAppPurchase

/// An original transaction without an owner: the App Store told of it, and no account presented it.
package struct UnclaimedPurchase: Sendable {
    /// The maximum number of ``transactions``: more than a year of a monthly subscription.
    package static let maximumTransactions = 20

    package var key: OriginalTransaction.Key
    /// Its transactions, newest first.
    package var transactions: Newest<Transaction>
    /// The date of purchase of its first transaction.
    package var since: Date

    package init(key: OriginalTransaction.Key, transactions: Newest<Transaction>, since: Date) {
        self.key = key
        self.transactions = transactions
        self.since = since
    }
}
