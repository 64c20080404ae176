public import Foundation
public import InAppPurchase

/// A product that is bought once and kept, such as a word pack or a theme.
public struct NonConsumable: ProductHandler, Equatable {
    public static let productType = ProductType.nonConsumable
    public static let settings = [ProductSetting.partialRefund]

    /// The effect of a partial refund on access; `nil` means that access stays.
    public var partialRefund: PartialRefund?

    public init(partialRefund: PartialRefund? = nil) { self.partialRefund = partialRefund }

    public func isRevoked(_ transaction: Transaction) -> Bool { (partialRefund ?? .keep).revokes(transaction) }
}

extension NonConsumable: CondensingHandler {
    /// The products with a purchase that is not revoked, in order.
    public struct Standing: Codable, Hashable, Sendable {
        fileprivate var owned: [ProductID] = []

        public init() {}
    }

    public static let standingVersion = 1

    /// Access without end as long as one purchase, own or family-shared, is not revoked; otherwise denied as revoked.
    public static func access(
        to product: ProductID, given standing: Standing, renewals: [TransactionID: RenewalFacts], at date: Date
    ) -> Access? {
        standing.owned.contains(product) ? .granted(until: nil) : .denied(.revoked)
    }
}

extension NonConsumable.Standing: AdditiveStanding, CompactStanding {
    public mutating func add(_ purchase: Purchase<NonConsumable>) {
        let product = purchase.transaction.productID
        if !purchase.isRevoked, !owned.contains(product) { owned = (owned + [product]).sorted() }
    }

    public init(from reader: inout CompactReader) throws { owned = try reader.readArray { try $0.readIdentifier() } }

    public func write(to writer: inout CompactWriter) { writer.write(owned) { $0.write($1) } }
}
