/// The setting for the credits of a period that the customer left for another product of the subscription.
package enum UpgradedCredits: String, Hashable, Sendable, CaseIterable {
    /// The share of the credits for the time that was left, whose price the App Store pays back, is taken back.
    case share
    /// All credits stay.
    case keep
}

extension KeyedDecodingContainer {
    /// Decodes the setting of a product of the given type; ``UpgradedCredits/share`` if it is absent.
    ///
    /// - Throws: `DecodingError` with the path to `key`, also for a type that cannot be left.
    func decodeUpgradedCredits(of type: ProductType, forKey key: Key) throws -> UpgradedCredits {
        guard let word = try decodeIfPresent(String.self, forKey: key) else { return .share }
        guard let setting = UpgradedCredits(rawValue: word) else {
            throw mistake(key, "one of \(UpgradedCredits.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard type == .autoRenewable else { throw mistake(key, "only for auto-renewable subscriptions") }
        return setting
    }
}
