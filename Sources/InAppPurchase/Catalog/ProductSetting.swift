/// A setting that products of one type have in the catalog, as forms for administrators show it.
public struct ProductSetting: Hashable, Sendable {
    /// The name of the member in `products.json`.
    public var name: String
    /// A sentence about its values, with an example.
    public var summary: String
    /// The words beside its field.
    public var label: String
    /// The allowed values; empty if they are not a few words.
    public var choices: [String]

    /// A setting.
    ///
    /// - Parameters:
    ///   - name: the member in `products.json`.
    ///   - summary: a sentence about its values, with an example.
    ///   - label: the words beside its field; `nil` for those of the name: `Redownload hours` of `redownloadHours`.
    ///   - choices: the allowed values; empty if they are not a few words.
    public init(_ name: String, _ summary: String, label: String? = nil, choices: [String] = []) {
        self.name = name
        self.summary = summary
        self.label = label ?? Self.words(of: name)
        self.choices = choices
    }

    private static func words(of name: String) -> String {
        let words = name.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The setting `partialRefund`, see ``PartialRefund``.
    public static let partialRefund = ProductSetting(
        "partialRefund", "Whether a refund of a part of the price ends access; as usual it stays.",
        label: "After a refund of a part of the price", choices: PartialRefund.allCases.map(\.rawValue))
}

/// The effect of a partial refund on access that does not end by itself (`partialRefund` in `products.json`).
public enum PartialRefund: String, Hashable, Codable, Sendable, CaseIterable {
    /// Access stays as long as a share of the price is not refunded.
    case keep
    /// Any refund ends access.
    case revoke

    /// - Throws: `DecodingError` with the known values if it is none of them.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let setting = Self(rawValue: try container.decode(String.self)) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "one of \(known)")
        }
        self = setting
    }

    /// Whether a refund has ended access by the purchase.
    public func revokes(_ transaction: Transaction) -> Bool {
        guard let revocation = transaction.revocation else { return false }
        return self == .revoke || revocation.share.isAll
    }
}
