public import Foundation

/// A purchase, or a period of a subscription, as the server shows it to its player.
public struct ShopPurchase: Sendable, Equatable, Decodable, Identifiable {
    /// The fates of a purchase. Expect others.
    public struct State: RawRepresentable, Hashable, Sendable, Decodable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// It stands.
        public static let bought = Self(rawValue: "bought")
        /// The money went back.
        public static let refunded = Self(rawValue: "refunded")
        /// A share of the money went back.
        public static let partlyRefunded = Self(rawValue: "partlyRefunded")
        /// Another product of the subscription group replaced it.
        public static let upgraded = Self(rawValue: "upgraded")
        /// Another account has it now.
        public static let transferred = Self(rawValue: "transferred")
    }

    /// The App Store's transaction ID. StoreKit's refund sheet, `Transaction.beginRefundRequest(for:in:)`, takes
    /// `UInt64(transactionID)`.
    public var transactionID: String
    /// That of the first period of a subscription; otherwise the same.
    public var originalTransactionID: String
    /// The product ID.
    public var product: String
    /// The number that was bought at once.
    public var quantity: Int
    /// The date of the purchase, or of the period's beginning.
    public var purchasedAt: Date
    /// The end of a subscription's period.
    public var until: Date?
    /// The whole price, in thousandths of ``currency``. `nil` if no receipt stated it.
    public var price: Int?
    /// ISO 4217.
    public var currency: String?
    /// The fate.
    public var state: State
    /// The date of the refund.
    public var refundedAt: Date?

    public var id: String { transactionID }

    private enum CodingKeys: String, CodingKey {
        case transactionID = "transaction"
        case originalTransactionID = "originalTransaction"
        case product, quantity, purchasedAt, until, price, currency, state, refundedAt
    }

    /// A purchase for previews and tests.
    public init(
        transactionID: String, originalTransactionID: String? = nil, product: String, quantity: Int = 1,
        purchasedAt: Date, until: Date? = nil, price: Int? = nil, currency: String? = nil, state: State = .bought,
        refundedAt: Date? = nil
    ) {
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID ?? transactionID
        self.product = product
        self.quantity = quantity
        self.purchasedAt = purchasedAt
        self.until = until
        self.price = price
        self.currency = currency
        self.state = state
        self.refundedAt = refundedAt
    }

    /// - Throws: if the transaction, the product or the date is missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let date = container.lenientTime(.purchasedAt) else {
            throw DecodingError.dataCorruptedError(
                forKey: .purchasedAt, in: container, debugDescription: "The date is missing.")
        }
        let transaction = try container.decode(String.self, forKey: .transactionID)
        self.init(
            transactionID: transaction,
            originalTransactionID: container.lenient(String.self, .originalTransactionID),
            product: try container.decode(String.self, forKey: .product),
            quantity: container.lenient(Int.self, .quantity) ?? 1, purchasedAt: date,
            until: container.lenientTime(.until), price: container.lenient(Int.self, .price),
            currency: container.lenient(String.self, .currency),
            state: container.lenient(State.self, .state) ?? .bought, refundedAt: container.lenientTime(.refundedAt))
    }
}
