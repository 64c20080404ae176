import Foundation
import InAppPurchase

/// The form in which the ledger stores the newest purchase of a condensed history: what an account is told of it.
extension Transaction {
    init(from reader: inout CompactReader, of product: ProductID, in scope: Scope) throws {
        var flags = try reader.readFlags()
        self.init(
            id: try reader.readIdentifier(), originalID: try reader.readIdentifier(), app: scope.app,
            environment: scope.environment, productID: product, purchaseDate: try reader.readDate(),
            isUpgraded: flags.next(), signedDate: .distantPast, isSigned: flags.next())
        signedDate = flags.next() ? purchaseDate : try reader.readDate()
        productType = flags.next() ? ProductType(rawValue: try reader.readText()) : nil
        if flags.next() { quantity = try reader.readNumber() }
        originalPurchaseDate = flags.next() ? try reader.readDate() : nil
        expirationDate = flags.next() ? try reader.readDate() : nil
        if flags.next() { ownershipType = OwnershipType(rawValue: try reader.readText()) }
        subscriptionGroupID = flags.next() ? try reader.readText() : nil
        revocation = flags.next() ? try Revocation(from: &reader) : nil
        details = flags.next() ? try PurchaseDetails(from: &reader) : nil
    }

    func write(to writer: inout CompactWriter) {
        writer.write([
            isUpgraded, isSigned, signedDate == purchaseDate, productType != nil, quantity != 1,
            originalPurchaseDate != nil, expirationDate != nil, ownershipType != .purchased,
            subscriptionGroupID != nil, revocation != nil, details != nil,
        ])
        writer.write(id)
        writer.write(originalID)
        writer.write(purchaseDate)
        if signedDate != purchaseDate { writer.write(signedDate) }
        if let productType { writer.write(productType.rawValue) }
        if quantity != 1 { writer.write(quantity) }
        if let originalPurchaseDate { writer.write(originalPurchaseDate) }
        if let expirationDate { writer.write(expirationDate) }
        if ownershipType != .purchased { writer.write(ownershipType.rawValue) }
        if let subscriptionGroupID { writer.write(subscriptionGroupID) }
        revocation?.write(to: &writer)
        details?.write(to: &writer)
    }
}

extension Transaction.Revocation {
    fileprivate init(from reader: inout CompactReader) throws {
        var has = try reader.readFlags()
        self.init(
            date: try reader.readDate(), reason: has.next() ? try reader.readNumber() : nil,
            percentage: has.next() ? try reader.readNumber() : nil)
    }

    fileprivate func write(to writer: inout CompactWriter) {
        writer.write([reason != nil, percentage != nil])
        writer.write(date)
        if let reason { writer.write(reason) }
        if let percentage { writer.write(percentage) }
    }
}
