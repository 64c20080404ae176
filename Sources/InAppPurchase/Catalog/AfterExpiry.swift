/// What becomes of a subscription's bundles when it is over.
public enum AfterExpiry: String, Hashable, Sendable, CaseIterable {
    /// They are closed.
    case lock
    /// Versions that were published while it ran stay open for ever, as a magazine's issues do.
    case keep
}

extension KeyedDecodingContainer {
    /// Decodes the setting of a product of the type; ``AfterExpiry/lock`` where it is absent.
    ///
    /// - Throws: `DecodingError` with the path to `key`, also for a type that does not end.
    func decodeAfterExpiry(of type: ProductType, forKey key: Key) throws -> AfterExpiry {
        guard let word = try decodeIfPresent(String.self, forKey: key) else { return .lock }
        guard let setting = AfterExpiry(rawValue: word) else {
            throw mistake(key, "one of \(AfterExpiry.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard type != .consumable, type != .nonConsumable else { throw mistake(key, "only for subscriptions") }
        return setting
    }
}
