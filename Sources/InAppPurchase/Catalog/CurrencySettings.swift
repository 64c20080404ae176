/// How an app keeps one of its currencies.
public struct CurrencySettings: Hashable, Sendable {
    /// In force when the refund is recorded; a later change leaves what was settled alone.
    public var refund: RefundPolicy
}

extension CurrencySettings: Decodable {
    private enum CodingKeys: CodingKey { case refund }

    /// - Throws: `DecodingError` with the path to the mistake.
    public init(from decoder: any Decoder) throws {
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
