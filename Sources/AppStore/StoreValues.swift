import InAppPurchase

extension Environment {
    /// The environment that signed data names; only Production and Sandbox, since the App Store does not sign for
    /// Xcode.
    init(signed name: String?) throws(ReceiptRejection) {
        guard let environment = [Self.production, .sandbox].first(where: { $0.rawValue == name }) else {
            throw ReceiptRejection(.environment, "neither Production nor Sandbox")
        }
        self = environment
    }
}

extension Transaction.OwnershipType {
    /// The maximum length; a longer string is not a name.
    private static let maximumLength = 64

    /// Reads `inAppOwnershipType`, which is absent from purchases before Family Sharing existed. An unknown type is
    /// kept as it is: it gives access and earns no credits.
    init(store name: String?) {
        guard let name else {
            self = .purchased
            return
        }
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_") }
        self.init(rawValue: isName && name.utf8.count <= Self.maximumLength ? name : "UNKNOWN")
    }
}

extension ProductType {
    /// Reads Apple's `type` of JWSTransactionDecodedPayload; `nil` for an unknown type.
    init?(store name: String?) {
        switch name {
        case "Consumable": self = .consumable
        case "Non-Consumable": self = .nonConsumable
        case "Non-Renewing Subscription": self = .nonRenewing
        case "Auto-Renewable Subscription": self = .autoRenewable
        default: return nil
        }
    }
}
