/// The settings of one of an app's currencies.
package struct CurrencySettings: Hashable, Sendable {
    /// The refund policy. The one in force when a refund is recorded applies; a later change does not affect recorded
    /// refunds.
    package var refund: RefundPolicy
}

extension CurrencySettings: Decodable {
    private enum CodingKeys: CodingKey { case refund }

    /// - Throws: `DecodingError` with the path to the mistake.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        for key in members.allKeys where CodingKeys(stringValue: key.stringValue) == nil {
            throw members.mistake(key, "unknown member")
        }
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        let word = try entry.decodeIfPresent(String.self, forKey: .refund) ?? RefundPolicy.debt.rawValue
        guard let refund = RefundPolicy(rawValue: word) else {
            let known = RefundPolicy.allCases.map(\.rawValue).joined(separator: ", ")
            throw entry.mistake(.refund, "one of \(known)")
        }
        self.refund = refund
    }
}
