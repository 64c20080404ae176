/// A setting that products of one type have in the catalog, as forms for administrators show it.
public struct ProductSetting: Hashable, Sendable {
    /// The name of the member in `products.json`.
    public var name: String
    /// A sentence about its values, with an example.
    public var summary: String
    /// The allowed values; empty if they are not a few words.
    public var choices: [String]

    /// A setting.
    ///
    /// - Parameters:
    ///   - name: the member in `products.json`.
    ///   - summary: a sentence about its values, with an example.
    ///   - choices: the allowed values; empty if they are not a few words.
    public init(_ name: String, _ summary: String, choices: [String] = []) {
        self.name = name
        self.summary = summary
        self.choices = choices
    }

    /// The setting `partialRefund`, see ``PartialRefund``.
    public static let partialRefund = ProductSetting(
        "partialRefund", "Whether a refund of a part of the price ends access; keep if it is not said.",
        choices: PartialRefund.allCases.map(\.rawValue))
}
