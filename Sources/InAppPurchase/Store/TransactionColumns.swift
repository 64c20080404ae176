package import Foundation

/// The members of a transaction that the ledger has in columns of its row, to find it by.
package struct TransactionColumns: Hashable, Sendable {
    package var app: BundleID
    package var environment: Environment
    package var id: TransactionID
    package var originalID: TransactionID
    package var productID: ProductID
    package var purchaseDate: Date
    package var expirationDate: Date?

    package init(
        app: BundleID, environment: Environment, id: TransactionID, originalID: TransactionID, productID: ProductID,
        purchaseDate: Date, expirationDate: Date?
    ) {
        self.app = app
        self.environment = environment
        self.id = id
        self.originalID = originalID
        self.productID = productID
        self.purchaseDate = purchaseDate
        self.expirationDate = expirationDate
    }

    package init(_ transaction: Transaction) {
        self.init(
            app: transaction.app, environment: transaction.environment, id: transaction.id,
            originalID: transaction.originalID, productID: transaction.productID,
            purchaseDate: transaction.purchaseDate.wholeMilliseconds,
            expirationDate: transaction.expirationDate?.wholeMilliseconds)
    }

    /// Hashes the ID alone: two with the same ID are hardly ever looked up.
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
