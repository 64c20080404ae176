import Foundation

/// The pages that a screen which sells subscriptions links to (App Review Guidelines 3.1.2).
package struct LegalLinks: Hashable, Sendable, Codable {
    /// The longest link, in characters: it is sent with each product list.
    private static let maximumCharacters = 500

    package var privacyPolicy: String?
    package var terms: String?

    private enum CodingKeys: String, CodingKey { case privacyPolicy, terms }

    /// - Throws: `DecodingError` with the path to what is no link that begins with `https:`.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        for key in members.allKeys where CodingKeys(stringValue: key.stringValue) == nil {
            throw members.invalid(key, "unknown member")
        }
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        func link(_ key: CodingKeys) throws -> String? {
            guard let text = try entry.decodeIfPresent(String.self, forKey: key) else { return nil }
            guard text.utf8.count <= Self.maximumCharacters, let url = URL(string: text), url.scheme == "https",
                url.host?.isEmpty == false
            else { throw entry.invalid(key, "a URL with https, up to \(Self.maximumCharacters) characters") }
            return text
        }
        privacyPolicy = try link(.privacyPolicy)
        terms = try link(.terms)
    }
}
