/// The effect of a partial refund on access that does not end by itself (`partialRefund` in `products.json`).
public enum PartialRefund: String, Hashable, Codable, Sendable, CaseIterable {
    /// Access stays as long as a share of the price is not refunded.
    case keep
    /// Any refund ends access.
    case revoke

    /// Whether a refund has ended access by the purchase.
    public func revokes(_ transaction: Transaction) -> Bool {
        guard let revocation = transaction.revocation else { return false }
        return self == .revoke || revocation.share.isAll
    }
}

extension KeyedDecodingContainer {
    /// Decodes a product's `partialRefund`; `nil` if it is absent, which means ``PartialRefund/keep``.
    ///
    /// - Throws: `DecodingError` with the path to `key` and the known values.
    public func decodePartialRefundIfPresent(forKey key: Key) throws -> PartialRefund? {
        guard let word = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let setting = PartialRefund(rawValue: word) else {
            throw mistake(key, "one of \(PartialRefund.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return setting
    }
}
