/// The versions of an app that its receipts are expected to name, as the app's entry has them.
package struct ReceiptVersions: Hashable, Sendable {
    /// The lowest version that is expected; `nil` if all are.
    package var minimum: SemanticVersion?

    /// Whether a version is below the minimum; `false` if it is not in numbers, so that it cannot be compared.
    package func isBelowMinimum(_ text: String) -> Bool {
        guard let minimum, let version = AppVersion.numbers(of: text) else { return false }
        return version < minimum
    }
}

extension ReceiptVersions: Decodable {
    private enum CodingKeys: CodingKey { case minimum }

    /// - Throws: `DecodingError` with the path to the error.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        for key in members.allKeys where CodingKeys(stringValue: key.stringValue) == nil {
            throw members.invalid(key, "unknown member")
        }
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        minimum = try entry.decodeIfPresent(String.self, forKey: .minimum).map { text in
            guard let version = AppVersion.numbers(of: text) else {
                throw entry.invalid(.minimum, "not up to three integers with periods between them, such as 1.10")
            }
            return version
        }
    }
}

extension Catalog {
    /// Whether an app's entry has a minimum that the version is below.
    package func isBelowMinimum(_ version: AppVersion) -> Bool {
        app(version.app)?.receiptVersions?.isBelowMinimum(version.text) == true
    }
}
