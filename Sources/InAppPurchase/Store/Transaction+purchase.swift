package import Foundation

/// A purchase is what was paid once. The App Store gives it several transaction IDs: restored copies, and the
/// transactions of a refreshed app receipt, have IDs of their own.
extension Transaction {
    /// A mark that copies of one purchase have in common.
    package enum PurchaseMark: Hashable, Sendable {
        /// A period of a subscription by Apple's `webOrderLineItemId`. What others share is never one purchase under
        /// two original IDs, and neither is what Xcode sells, whose IDs start anew.
        case lineItem(String, OwnershipType, of: TransactionID?)
        /// A period by its beginning in whole seconds, which app receipts have where signed data have milliseconds. Its
        /// end does not count, since extensions change it.
        case period(ProductID, second: Int, OwnershipType, of: TransactionID)
        /// A purchase of another type, however often it is restored.
        case original(OwnershipType, of: TransactionID)
    }

    /// Whether it is a period of a subscription: the App Store's type says, else the catalog's, else what only
    /// subscriptions have.
    ///
    /// - Parameter type: the product's in the catalog, or in its terms.
    package func isPeriod(of type: ProductType?) -> Bool {
        if let type = [productType, type].compactMap(\.self).first(where: ProductType.standard.contains) {
            return type == .autoRenewable
        }
        return expirationDate != nil || details?.webOrderLineItemID != nil
    }

    /// The mark by ``PurchaseDetails/webOrderLineItemID``; `nil` for other types, and if no copy states it.
    package func lineItemMark(of type: ProductType?) -> PurchaseMark? {
        guard isPeriod(of: type), let item = details?.webOrderLineItemID else { return nil }
        let mayHaveTwoOriginals = ownershipType == .purchased && environment != .xcode
        return .lineItem(item, ownershipType, of: mayHaveTwoOriginals ? nil : originalID)
    }

    /// The mark that counts beside copies without a ``lineItemMark(of:)``.
    package func mark(of type: ProductType?) -> PurchaseMark {
        guard isPeriod(of: type) else { return .original(ownershipType, of: originalID) }
        let second = Int((purchaseDate.timeIntervalSince1970).rounded(.down))
        return .period(productID, second: second, ownershipType, of: originalID)
    }

    /// Whether it shows the original transaction alone, as transactions do that iOS 6 made to restore a subscription:
    /// no paid period, unless another copy says which.
    package func isOnlyEvidence(of type: ProductType?) -> Bool {
        isPeriod(of: type) && expirationDate == nil && details?.webOrderLineItemID == nil
    }

    /// Whether it may be one that only added seats to a running period. The App Store says so of each transaction of
    /// such a period, of its first one, too (Apple, additionalTransactionReason).
    package var mayAddSeats: Bool {
        details?.additionalReason == PurchaseDetails.seatAddition && details?.reason != PurchaseDetails.renewalReason
            && ownershipType == .purchased && expirationDate != nil && id != originalID
    }

    /// Whether it only added seats to a period: it begins while a period of the same product and original transaction
    /// runs.
    ///
    /// - Parameter period: a transaction in the same app and environment.
    package func addsSeats(to period: Transaction) -> Bool {
        // Copies of one period begin in one second.
        guard mayAddSeats, period.originalID == originalID, period.productID == productID,
            period.ownershipType == ownershipType, period.purchaseDate + 1 <= purchaseDate
        else { return false }
        return period.runsUntil.map { purchaseDate < $0 } ?? false
    }

    /// The end of the period, or when it was refunded or left.
    package var runsUntil: Date? {
        expirationDate.map { end in [end, revocation?.date, leftDate].compactMap(\.self).min() ?? end }
    }

    /// The transaction with IDs that no other one has: in Xcode they start anew.
    package var withUniqueIDs: Transaction {
        guard environment == .xcode else { return self }
        var unique = self
        let date = originalPurchaseDate ?? purchaseDate
        unique.id = TransactionID(id, ofXcodeAt: date)
        unique.originalID = TransactionID(originalID, ofXcodeAt: date)
        return unique
    }

    /// Returns the purchase that the copies are of, in whichever order they come; `nil` if there are none.
    ///
    /// Members merge as for copies of one transaction, except that the product, the quantity, the price and the offer
    /// are those of the newest signed copy, and that a copy without a revocation states nothing about one that another
    /// ID named.
    package static func purchase(of copies: [Transaction]) -> Transaction? {
        guard copies.count > 1, let first = copies.min(by: { $0.standsForPurchase(before: $1) }) else {
            return copies.first
        }
        let newestFirst = copies.sorted { $0.isNewer(than: $1) }
        var purchase = first
        for copy in newestFirst where copy.id != first.id {
            var copy = copy
            copy.id = first.id
            purchase.merge(copy)
        }
        purchase.setUnmerged(from: first, newestFirst)
        let statements = copies.compactMap(\.revocationStatement)
        purchase.revocation = statements.max { $0.isOlder(than: $1) }?.revocation
        return purchase
    }

    private mutating func setUnmerged(from first: Transaction, _ newestFirst: [Transaction]) {
        guard let newest = newestFirst.first else { return }
        (originalID, purchaseDate, ownershipType) = (first.originalID, first.purchaseDate, first.ownershipType)
        (productID, quantity) = (newest.productID, newest.quantity)
        (signedDate, isSigned) = (newest.signedDate, newest.isSigned)
        if let reason = first.details?.reason { details?.reason = reason }
        if let priced = newestFirst.first(where: { $0.details?.price != nil })?.details {
            details?.price = priced.price
            details?.currency = priced.currency
        }
        if let offer = newestFirst.first(where: { $0.details?.offer != nil })?.details?.offer { details?.offer = offer }
    }

    /// Whether its ID and dates stand for the purchase rather than those of another copy: those of the original, else
    /// of the smallest ID.
    private func standsForPurchase(before other: Transaction) -> Bool {
        let isOriginal = id == originalID
        guard isOriginal == (other.id == other.originalID) else { return isOriginal }
        return id.numericOrder < other.id.numericOrder
    }

    private func isNewer(than other: Transaction) -> Bool {
        guard isSigned == other.isSigned else { return isSigned }
        guard signedDate == other.signedDate else { return signedDate > other.signedDate }
        return id.numericOrder < other.id.numericOrder
    }
}

extension TransactionID {
    /// The order of IDs that are decimal numbers.
    package var numericOrder: (Int, TransactionID) { (text.utf8.count, self) }
}
