public import Foundation
public import InAppPurchase

/// A product that is used up and bought again, such as hints or coins. Its credits are earned once per purchase; its
/// bundles can be downloaded again for a limited time only, since the App Store does not restore consumables.
public struct Consumable: ProductHandler, Equatable {
    public static let productType = ProductType.consumable
    public static let settings = [
        ProductSetting(
            "redownloadHours",
            "How long after a purchase the bundles can be downloaded, in hours from 1 to 87600; 24 if it is not said.",
            label: "Hours to download again"),
        .partialRefund,
    ]

    /// The range of the setting: one hour to ten years.
    private static let redownloadHourBounds = 1...87_600

    /// The bundles; without any the product gives no access.
    public var bundles: [BundleName]?
    /// How long after the purchase the bundles can be downloaded, in hours; 24 if the product does not say.
    public var redownloadHours: Int
    /// The effect of a partial refund on the bundles; `nil` means that access stays. The refunded share of the credits
    /// is taken back in any case.
    public var partialRefund: PartialRefund?

    public init(bundles: [BundleName]? = nil, redownloadHours: Int = 24, partialRefund: PartialRefund? = nil) {
        self.bundles = bundles
        self.redownloadHours = redownloadHours
        self.partialRefund = partialRefund
    }

    /// - Throws: `DecodingError` if `redownloadHours` is not a whole number in 1...87600, or `partialRefund` has an
    ///   unknown value.
    public init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            bundles: try entry.decodeIfPresent([BundleName].self, forKey: .bundles),
            partialRefund: try entry.decodeIfPresent(PartialRefund.self, forKey: .partialRefund))
        redownloadHours =
            try entry.decodeWholeNumberIfPresent(in: Self.redownloadHourBounds, forKey: .redownloadHours)
            ?? redownloadHours
    }

    public func isRevoked(_ transaction: Transaction) -> Bool { (partialRefund ?? .keep).revokes(transaction) }
}

extension Consumable: CondensingHandler {
    /// The latest purchase of each product that was not refunded; a product without one is left out.
    public struct Standing: Codable, Hashable, Sendable {
        fileprivate var latest: [ProductID: Latest] = [:]

        public init() {}
    }

    fileprivate struct Latest: Codable, Hashable, Sendable {
        var date: Date
        var id: TransactionID
        /// The time of access to the bundles; `nil` if there are none.
        var hours: Int?
    }

    public static let standingVersion = 1

    /// Access by the latest purchase that was not refunded, under the terms of that purchase.
    public static func access(
        to product: ProductID, given standing: Standing, renewals: [TransactionID: RenewalFacts], at date: Date
    ) -> Access? {
        guard let latest = standing.latest[product] else { return .denied(.revoked) }
        guard let hours = latest.hours else { return .denied(.consumed) }
        let end = latest.date.addingTimeInterval(TimeInterval(hours) * 3600)
        return date < end ? .granted(until: end) : .denied(.expired)
    }
}

extension Consumable.Standing: AdditiveStanding, CompactStanding {
    /// Of two purchases at one moment the one with the smaller ID counts, as in a sorted history.
    public mutating func add(_ purchase: Purchase<Consumable>) {
        let transaction = purchase.transaction
        guard !purchase.isRevoked else { return }
        if let known = latest[transaction.productID],
            (known.date, transaction.id) >= (transaction.purchaseDate, known.id)
        {
            return
        }
        let bundles = purchase.terms.bundles ?? []
        latest[transaction.productID] = Consumable.Latest(
            date: transaction.purchaseDate, id: transaction.id,
            hours: bundles.isEmpty ? nil : purchase.terms.redownloadHours)
    }

    public init(from reader: inout CompactReader) throws {
        for _ in 0..<(try reader.readCount()) {
            let product: ProductID = try reader.readIdentifier()
            var has = try reader.readFlags()
            latest[product] = Consumable.Latest(
                date: try reader.readDate(), id: try reader.readIdentifier(),
                hours: has.next() ? try reader.readNumber() : nil)
        }
    }

    public func write(to writer: inout CompactWriter) {
        writer.write(latest.sorted { $0.key < $1.key }) { writer, purchase in
            writer.write(purchase.key)
            writer.write([purchase.value.hours != nil])
            writer.write(purchase.value.date)
            writer.write(purchase.value.id)
            if let hours = purchase.value.hours { writer.write(hours) }
        }
    }
}
