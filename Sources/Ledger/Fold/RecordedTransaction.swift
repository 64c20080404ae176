package import Foundation
package import InAppPurchase

/// A transaction in the ledger, or the purchase that all transactions with its name are copies of.
package struct RecordedTransaction: Sendable {
    package var transaction: Transaction
    /// The name of the purchase that it is a copy of, within its app and environment; `nil` if it only shows the
    /// original transaction, or only added seats to a period.
    package var purchase: TransactionID?
    /// The product when the transaction was first recorded; `nil` until the catalog has a product that fits.
    package var terms: Product?
    /// The owner of its original transaction.
    package var owner: AccountID
    /// The account that got, and keeps, its credits: the original transaction's owner when it was first recorded.
    package var creditedTo: AccountID
    /// The beginning of a period that was paid for ahead, as long as its credits have not been posted; `nil` if they
    /// count.
    package var creditsFrom: Date?

    package init(
        transaction: Transaction, purchase: TransactionID?, terms: Product?, owner: AccountID, creditedTo: AccountID,
        creditsFrom: Date? = nil
    ) {
        self.transaction = transaction
        self.purchase = purchase
        self.terms = terms
        self.owner = owner
        self.creditedTo = creditedTo
        self.creditsFrom = creditsFrom
    }

    var scope: Scope { Scope(app: transaction.app, environment: transaction.environment) }

    var subject: Subject { Subject(scope: scope, product: transaction.productID) }

    /// Whether a refund ended all access by it, as decided by the handler of its terms.
    package var isRevoked: Bool { terms?.handler.isRevoked(transaction) ?? (transaction.revocation != nil) }

    /// Whether it is of a consumable that gives neither credits nor bundles: the app itself does what was paid for.
    var isService: Bool {
        guard let terms, terms.type == .consumable, transaction.ownershipType == .purchased else { return false }
        return terms.credits.isEmpty && terms.bundles.isEmpty && !isRevoked
    }

    /// Whether it only added seats to a period, see ``/InAppPurchase/Transaction/addsSeats(to:)``: what only shows an
    /// original transaction has no end.
    package var addsSeats: Bool { purchase == nil && transaction.expirationDate != nil }

    /// The end of the period; `Date.distantFuture` if the purchase has none.
    var end: Date { transaction.expirationDate ?? .distantFuture }

    /// The key of the purchase; `nil` if it is of none.
    package var purchaseKey: Transaction.Key? { purchase.map(transaction.key(ofPurchase:)) }

    /// The credits that it earned the account that it credits, less the refunded share; for a restored copy, those of
    /// the purchase that it stands for.
    package var earnedCredits: Credits { Purchase<Product>(self)?.earnedCredits ?? [:] }
}

extension [RecordedTransaction] {
    /// The purchases that these are copies of, each once, with the terms and credits that its first copy got. What only
    /// shows an original transaction is none.
    package var purchases: [RecordedTransaction] {
        guard count > 1 else { return filter { $0.purchase != nil } }
        return grouped(by: \.purchaseKey).compactMap(\.purchase)
    }

    /// The purchase that all of these are copies of; `nil` if there are none.
    var purchase: RecordedTransaction? {
        guard count > 1 else { return first }
        guard var purchase = named else { return nil }
        guard let merged = Transaction.purchase(of: map(\.transaction)) else { return nil }
        purchase.transaction = merged
        purchase.terms = purchase.terms ?? lazy.compactMap(\.terms).first
        if contains(where: { $0.creditsFrom == nil }) { purchase.creditsFrom = nil }
        return purchase
    }

    /// The copy that gave the purchase its name: it was recorded first.
    var named: RecordedTransaction? {
        first { $0.transaction.id == $0.purchase } ?? self.min { $0.transaction.id < $1.transaction.id }
    }
}
