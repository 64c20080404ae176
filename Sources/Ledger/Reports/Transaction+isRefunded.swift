package import InAppPurchase

extension Transaction {
    /// Whether the App Store gave at least a part of the money back to the customer who has the transaction. Nobody
    /// paid here for what Family Sharing or an organisation gave, and took back.
    package var isRefunded: Bool {
        revocation != nil && ownershipType.isRefunded(byRevocationOf: revocationDetails?.type)
    }

    /// Whether the transaction stands for an older one, and is no purchase of its own.
    package var isRestoredCopy: Bool { expirationDate == nil && id != originalID }
}

extension Transaction.OwnershipType {
    /// - Parameter type: Apple's `revocationType`; `nil` if no copy states it.
    package func isRefunded(byRevocationOf type: String?) -> Bool { self == .purchased && type != "FAMILY_REVOKE" }
}
