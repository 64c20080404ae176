public import Foundation

/// The pages that a screen which sells subscriptions must link to (App Review 3.1.2), as the operator stated them.
public struct LegalLinks: Sendable, Equatable, Decodable {
    /// The privacy policy.
    public var privacyPolicy: URL?
    /// The terms of use.
    public var terms: URL?

    private enum CodingKeys: String, CodingKey {
        case privacyPolicy
        case terms
    }

    public init(privacyPolicy: URL? = nil, terms: URL? = nil) {
        self.privacyPolicy = privacyPolicy
        self.terms = terms
    }

    /// - Throws: never; a link that cannot be read is left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        privacyPolicy = container.lenient(String.self, .privacyPolicy).flatMap { URL(string: $0) }
        terms = container.lenient(String.self, .terms).flatMap { URL(string: $0) }
    }
}
