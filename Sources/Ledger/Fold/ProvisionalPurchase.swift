package import Foundation
package import InAppPurchase

/// A purchase by a pending receipt whose own signature is valid. It gives access for a limited time and records
/// nothing: no original transaction, no delivery, no credits.
package struct ProvisionalPurchase: Sendable {
    /// The maximum number for one receipt, the newest ones; few purchases of one player still give access.
    package static let maximumPerReceipt = 100

    package var account: AccountID
    package var receipt: String
    /// The transaction as in the receipt.
    package var transaction: Transaction
    /// The product's terms when the receipt arrived.
    package var terms: Product
    /// The date when the receipt was recorded, from which the time of access counts.
    package var since: Date

    package init(account: AccountID, receipt: String, transaction: Transaction, terms: Product, since: Date) {
        self.account = account
        self.receipt = receipt
        self.transaction = transaction
        self.terms = terms
        self.since = since
    }

    /// The key of the purchase, the same for all restored copies.
    package var key: Transaction.Key { transaction.key(ofPurchase: transaction.purchaseID) }

    /// The end of the access, whatever the handler says.
    func end(in context: RecordingContext) -> Date { since.addingTimeInterval(context.provisionalTime) }
}
