public import Foundation
public import InAppPurchase

/// A product that is bought once and kept, such as a word pack or a theme.
public struct NonConsumable: ProductHandler, Equatable {
    public static let productType = ProductType.nonConsumable
    public static let settings = [ProductSetting.partialRefund]

    /// The effect of a partial refund on access; `nil` means that access stays.
    public var partialRefund: PartialRefund?

    public init(partialRefund: PartialRefund? = nil) { self.partialRefund = partialRefund }

    /// - Throws: `DecodingError` if `partialRefund` has an unknown value.
    public init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        self.init(partialRefund: try entry.decodePartialRefundIfPresent(forKey: .partialRefund))
    }

    public func isRevoked(_ transaction: Transaction) -> Bool { (partialRefund ?? .keep).revokes(transaction) }

    /// Access without end as long as one purchase, own or family-shared, is not revoked; otherwise denied as revoked.
    public static func entitlement(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> Entitlement {
        let isOwned = history.purchases.contains { $0.transaction.productID == product && !$0.isRevoked }
        return Entitlement(
            access: isOwned ? .granted(until: nil) : .denied(.revoked), credits: history.credits(of: product))
    }
}

extension NonConsumable: CondensingHandler {
    /// The products with a purchase that is not revoked.
    public struct Standing: Codable, Hashable, Sendable {
        var owned: Set<ProductID> = []

        private enum CodingKeys: CodingKey { case owned }

        init() {}

        public init(from decoder: any Decoder) throws {
            owned = Set(try decoder.container(keyedBy: CodingKeys.self).decode([ProductID].self, forKey: .owned))
        }

        /// Encodes the products in order, so that equal standings are equal texts.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(owned.sorted(), forKey: .owned)
        }
    }

    public static let standingVersion = 1

    public static func standing(of history: PurchaseHistory<Self>) -> Standing {
        history.purchases.reduce(Standing()) { $0.adding($1) }
    }

    public static func standing(_ standing: Standing, adding purchase: Purchase<Self>) -> Standing? {
        standing.adding(purchase)
    }

    public static func access(
        to product: ProductID, given standing: Standing, renewals: [TransactionID: RenewalFacts], at date: Date
    ) -> Access? {
        standing.owned.contains(product) ? .granted(until: nil) : .denied(.revoked)
    }
}

extension NonConsumable.Standing {
    fileprivate func adding(_ purchase: Purchase<NonConsumable>) -> Self {
        var standing = self
        if !purchase.isRevoked { standing.owned.insert(purchase.transaction.productID) }
        return standing
    }
}

extension NonConsumable.Standing: CompactStanding {
    package init(from reader: inout CompactReader) throws {
        for _ in 0..<(try reader.readCount()) { owned.insert(try reader.readIdentifier()) }
    }

    package func write(to writer: inout CompactWriter) {
        writer.write(count: owned.count)
        for product in owned.sorted() { writer.write(product) }
    }
}
