package import InAppPurchase
package import Foundation

/// A purchase by a receipt that waits for the store, and whose own signature is good. It gives access for hours and is no
/// record of anything: no original transaction, no delivery, no credits.
package struct ProvisionalPurchase: Sendable {
    /// Of one receipt the newest; few purchases of one player still give access.
    package static let maximumPerReceipt = 100

    package var account: AccountID
    package var receipt: String
    /// As the receipt has it.
    package var transaction: Transaction
    /// The product when the receipt came.
    package var terms: Product
    /// When the receipt was recorded; its hours count from then.
    package var since: Date

    package init(account: AccountID, receipt: String, transaction: Transaction, terms: Product, since: Date) {
        self.account = account
        self.receipt = receipt
        self.transaction = transaction
        self.terms = terms
        self.since = since
    }

    /// The purchase, of which all restored copies are one.
    package var key: Transaction.Key {
        Transaction.Key(app: transaction.app, environment: transaction.environment, id: transaction.purchaseID)
    }

    /// When it is over, whatever the handler says.
    func end(in context: RecordingContext) -> Date { since.addingTimeInterval(context.provisionalTime) }
}
