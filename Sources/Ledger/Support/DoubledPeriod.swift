package import InAppPurchase

/// A paid period of a subscription that an earlier version recorded under several IDs as several purchases: one of
/// those that earned credits beside the first.
package struct DoubledPeriod: Encodable, Sendable, CustomStringConvertible {
    package var transaction: Transaction.Key
    package var product: ProductID
    /// The account that its credits went to.
    package var account: AccountID
    /// The credits that are taken back if it is counted once.
    package var credits: Credits

    package init(_ record: RecordedTransaction) {
        transaction = record.transaction.key
        product = record.transaction.productID
        account = record.creditedTo
        credits = record.earnedCredits
    }

    /// The period in one line: account, app, environment, transaction, product and credits.
    package var description: String {
        let amounts = credits.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let place = "account \(account.text), \(transaction.app), \(transaction.environment.rawValue)"
        let earned = amounts.isEmpty ? "no credits" : amounts.joined(separator: ", ")
        return "\(place), transaction \(transaction.id) of \(product): counted twice, \(earned)"
    }
}
