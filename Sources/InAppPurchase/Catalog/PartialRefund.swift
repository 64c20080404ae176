/// What becomes of access that does not end by itself when a share of the price is refunded (`partialRefund` in
/// `products.json`).
public enum PartialRefund: String, Hashable, Codable, Sendable, CaseIterable {
    /// Access stays as long as a share of the price stands.
    case keep
    /// Any refund ends access.
    case revoke

    /// Whether access by the purchase has ended.
    public func revokes(_ transaction: Transaction) -> Bool {
        guard let revocation = transaction.revocation else { return false }
        return self == .revoke || revocation.share.isAll
    }
}

extension KeyedDecodingContainer {
    /// Decodes a product's `partialRefund`; nil when it is absent, which is ``PartialRefund/keep``.
    ///
    /// - Throws: `DecodingError` with the path to `key` and the words that are known.
    public func decodePartialRefundIfPresent(forKey key: Key) throws -> PartialRefund? {
        guard let word = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let setting = PartialRefund(rawValue: word) else {
            throw mistake(key, "one of \(PartialRefund.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return setting
    }
}
