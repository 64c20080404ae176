import InAppPurchase

extension Environment {
    /// The environment that data names, where it is one of the store's own: what Xcode makes is signed by nobody.
    init(signed name: String?) throws(ReceiptRejection) {
        switch name.flatMap(Environment.init(rawValue:)) {
        case .production: self = .production
        case .sandbox: self = .sandbox
        case .xcode, nil: throw ReceiptRejection(.environment, "neither Production nor Sandbox")
        }
    }
}

extension Transaction.OwnershipType {
    /// Longer ones are no name.
    private static let maximumLength = 64

    /// Absent from what was bought before there was Family Sharing. A type that is not known yet stays what it is: it
    /// gives access and earns no credits.
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
    /// The store's word (`type` of JWSTransactionDecodedPayload); nil for one that is not known (yet).
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
