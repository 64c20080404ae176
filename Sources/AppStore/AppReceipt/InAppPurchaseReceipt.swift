import Foundation
import InAppPurchase

/// One purchase in an app receipt: attributes 1701 to 1721 (Apple, "Validating receipts on the device").
struct InAppPurchaseReceipt {
    var quantity: Int
    var productID: ProductID
    var transactionID: TransactionID
    var originalTransactionID: TransactionID
    var purchaseDate: Date
    var originalPurchaseDate: Date?
    var expirationDate: Date?
    var cancellationDate: Date?
    private var details: PurchaseDetails

    /// - Parameter nodes: as in ``ReceiptAttributes/init(berEncoded:otherNodes:)``.
    /// - Throws: if a required attribute is missing or invalid.
    init(berEncoded octets: [UInt8], otherNodes nodes: inout Int) throws {
        let attributes = try ReceiptAttributes(berEncoded: octets, otherNodes: &nodes)
        guard let productID = try attributes.text(1702), let transactionID = try attributes.text(1703),
            let purchaseDate = try attributes.date(1704) ?? attributes.date(1706)
        else { throw AppReceiptError() }
        let originalTransactionID = try attributes.text(1705) ?? transactionID
        self.productID = ProductID(stored: productID)
        self.transactionID = TransactionID(stored: transactionID)
        self.originalTransactionID = TransactionID(stored: originalTransactionID)
        self.purchaseDate = purchaseDate
        quantity = try attributes.integer(1701) ?? 1
        originalPurchaseDate = try attributes.date(1706)
        expirationDate = try attributes.date(1708)
        cancellationDate = try attributes.date(1712)
        details = PurchaseDetails(attributes)
        guard transactionID.isStoreID, originalTransactionID.isStoreID, AppStoreBounds.quantity.contains(quantity)
        else { throw AppReceiptError() }
    }

    /// - Parameter receipt: the app receipt that the purchase is in.
    func transaction(in receipt: AppReceipt, of environment: Environment) -> Transaction {
        var details = details
        details.appVersion = receipt.appVersion?.text
        details.originalAppVersion = receipt.originalAppVersion
        return Transaction(
            id: transactionID, originalID: originalTransactionID, app: receipt.bundleID, environment: environment,
            productID: productID, quantity: quantity, purchaseDate: purchaseDate,
            originalPurchaseDate: originalPurchaseDate, expirationDate: expirationDate,
            revocation: cancellationDate.map { Transaction.Revocation(date: $0) },
            // The absence of a member in a receipt, such as ownership and account token, states nothing.
            details: details.nonEmpty, signedDate: receipt.creationDate, isSigned: false)
    }
}

extension PurchaseDetails {
    /// The details of a purchase in an app receipt. An attribute that cannot be read is ignored: none of them decides
    /// what the customer gets.
    fileprivate init(_ attributes: ReceiptAttributes) {
        self.init()
        let lineItem = (try? attributes.integer(1711)) ?? 0
        webOrderLineItemID = lineItem > 0 ? String(lineItem) : nil
        isTrialPeriod = (try? attributes.integer(1713)).map { $0 == 1 }
        isIntroductoryPeriod = (try? attributes.integer(1719)).map { $0 == 1 }
        offer = PurchaseOffer(id: try? attributes.text(1721)).nonEmpty
    }
}
