import Foundation
import InAppPurchase

/// One purchase in an app receipt: attributes 1701 to 1719 (Apple, "Validating receipts on the device").
struct InAppPurchaseReceipt {
    var quantity: Int
    var productID: ProductID
    var transactionID: TransactionID
    var originalTransactionID: TransactionID
    var purchaseDate: Date
    var originalPurchaseDate: Date?
    var expirationDate: Date?
    var cancellationDate: Date?

    /// - Throws: if a required attribute is missing or invalid.
    init(berEncoded octets: [UInt8]) throws {
        let attributes = try ReceiptAttributes(berEncoded: octets)
        guard let productID = try attributes.text(1702), let transactionID = try attributes.text(1703),
            let purchaseDate = try attributes.date(1704) ?? attributes.date(1706)
        else { throw Unreadable() }
        let originalTransactionID = try attributes.text(1705) ?? transactionID
        self.productID = ProductID(stored: productID)
        self.transactionID = TransactionID(stored: transactionID)
        self.originalTransactionID = TransactionID(stored: originalTransactionID)
        self.purchaseDate = purchaseDate
        quantity = try attributes.integer(1701) ?? 1
        originalPurchaseDate = try attributes.date(1706)
        expirationDate = try attributes.date(1708)
        cancellationDate = try attributes.date(1712)
        guard transactionID.isStoreID, originalTransactionID.isStoreID, AppStoreBounds.quantity.contains(quantity)
        else {
            throw Unreadable()
        }
    }

    /// - Parameter date: the creation date of the receipt.
    func transaction(of app: BundleID, in environment: Environment, stated date: Date) -> Transaction {
        Transaction(
            id: transactionID, originalID: originalTransactionID, app: app, environment: environment,
            productID: productID, quantity: quantity, purchaseDate: purchaseDate,
            originalPurchaseDate: originalPurchaseDate, expirationDate: expirationDate,
            revocation: cancellationDate.map { Transaction.Revocation(date: $0) },
            // The absence of a member in a receipt, such as ownership and account token, states nothing.
            signedDate: date, isSigned: false)
    }
}
