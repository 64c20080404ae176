import InAppPurchase

extension ProductType {
    /// Apple's names of the product types (`type` of JWSTransactionDecodedPayload).
    private static let storeWords: [ProductType: String] = [
        .consumable: "Consumable",
        .nonConsumable: "Non-Consumable",
        .nonRenewing: "Non-Renewing Subscription",
        .autoRenewable: "Auto-Renewable Subscription",
    ]

    /// Apple's name of the type; `nil` for a plugin's own type, which the App Store does not know: such a product is
    /// sold as one of these, as its owner chose in App Store Connect.
    var storeWord: String? { Self.storeWords[self] }

    /// Reads the catalog's name (`non-consumable`) or Apple's (`Non-Consumable`); `nil` for any other.
    init?(word: String) {
        guard let type = Self.storeWords.first(where: { $0.key.rawValue == word || $0.value == word })?.key else {
            return nil
        }
        self = type
    }

    /// The undocumented number of attribute 1707 in app receipts.
    var receiptNumber: Int {
        switch self {
        case .nonConsumable: 0
        case .consumable: 1
        case .nonRenewing: 2
        default: 3
        }
    }
}
