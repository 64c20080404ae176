/// The setting for the credits of a subscription's free trial.
package enum TrialCredits: String, Hashable, Sendable, CaseIterable {
    /// A free trial earns the credits of a paid period.
    case grant
    /// A free trial earns none. If a copy of the transaction says only later that it is a trial, they are taken back.
    case withhold
}

extension KeyedDecodingContainer {
    /// Decodes the setting of a product of the given type; ``TrialCredits/grant`` if it is absent.
    ///
    /// - Throws: `DecodingError` with the path to `key`, also for a type that has no trials.
    func decodeTrialCredits(of type: ProductType, forKey key: Key) throws -> TrialCredits {
        guard let word = try decodeIfPresent(String.self, forKey: key) else { return .grant }
        guard let setting = TrialCredits(rawValue: word) else {
            throw mistake(key, "one of \(TrialCredits.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard type != .consumable, type != .nonConsumable, type != .nonRenewing else {
            throw mistake(key, "only for auto-renewable subscriptions")
        }
        return setting
    }
}
