/// The setting for a subscription's bundles after the subscription has ended.
public enum AfterExpiry: String, Hashable, Sendable, CaseIterable {
    /// Access to the bundles ends.
    case lock
    /// Versions that were published during the subscription stay accessible for ever, like the issues of a magazine.
    case keep
}

extension KeyedDecodingContainer {
    /// Decodes the setting of a product of the given type; ``AfterExpiry/lock`` if it is absent.
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
