/// `expirationIntent`.
enum ExpirationReason: Int, Sendable {
    case cancelled = 1
    case billingError, priceIncrease, notForSale, other

    private static let words: [String: ExpirationReason] = [
        "voluntary": .cancelled, "billing-retry": .billingError, "price-increase": .priceIncrease,
        "product-not-for-sale": .notForSale, "other": .other,
    ]

    init?(word: String) {
        guard let reason = Self.words[word] else { return nil }
        self = reason
    }
}
