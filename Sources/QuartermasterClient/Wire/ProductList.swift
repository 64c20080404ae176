/// The products that the server has on sale (`GET /v1/apps/{bundleID}/products`).
struct ProductList: Sendable, Decodable {
    var products: [ListedProduct]
    /// The credits that an account starts with, by currency.
    var startingCredits: [String: Int]
    /// The bundles that every account may download.
    var openBundles: [String]
    /// The newest version of each of them, of those that this app can read.
    var contents: [ListedContent]
    /// The pages that a subscription screen links to.
    var legal: LegalLinks?
    /// A message for players.
    var notice: String?
    /// An app below it should ask for an update.
    var minimumAppVersion: String?

    private enum CodingKeys: String, CodingKey {
        case products
        case startingCredits
        case openBundles
        case contents
        case legal
        case notice
        case minimumAppVersion
    }

    /// - Throws: if there is no list of products; one that cannot be read is left out.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let products = container.lenient(elements: ListedProduct.self, .products) else {
            throw DecodingError.dataCorruptedError(
                forKey: .products, in: container, debugDescription: "The list of products is missing.")
        }
        self.products = products
        startingCredits = container.lenient([String: Int].self, .startingCredits) ?? [:]
        openBundles = container.lenient(elements: String.self, .openBundles) ?? []
        contents = container.lenient(elements: ListedContent.self, .contents) ?? []
        legal = container.lenient(LegalLinks.self, .legal)
        notice = container.lenient(String.self, .notice)
        minimumAppVersion = container.lenient(String.self, .minimumAppVersion)
    }
}
