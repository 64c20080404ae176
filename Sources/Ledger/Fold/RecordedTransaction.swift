import Foundation
package import InAppPurchase

/// A transaction in the ledger.
package struct RecordedTransaction: Sendable {
    package var transaction: Transaction
    /// The product when the transaction was first recorded; `nil` until the catalog has a product that fits.
    package var terms: Product?
    /// The owner of its original transaction.
    package var owner: AccountID
    /// The account that got, and keeps, its credits: the original transaction's owner when it was first recorded.
    package var creditedTo: AccountID

    package init(transaction: Transaction, terms: Product?, owner: AccountID, creditedTo: AccountID) {
        self.transaction = transaction
        self.terms = terms
        self.owner = owner
        self.creditedTo = creditedTo
    }

    var scope: Scope { Scope(app: transaction.app, environment: transaction.environment) }

    var subject: Subject { Subject(scope: scope, product: transaction.productID) }

    /// Whether a refund ended all access by it, as decided by the handler of its terms.
    package var isRevoked: Bool { terms?.handler.isRevoked(transaction) ?? (transaction.revocation != nil) }

    /// The credits that it earned the account that it credits, less the refunded share; for a restored copy, those of
    /// the purchase that it stands for.
    package var earnedCredits: Credits { Purchase<Product>(self)?.earnedCredits ?? [:] }
}
