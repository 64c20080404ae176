/// A product that the server has on sale.
public struct ListedProduct: Sendable, Hashable, Decodable, Identifiable {
    public var id: String
    /// The type, as the server's catalog has it.
    public var type: ProductType
    /// The names in the server's catalog, by language tag.
    public var names: [String: String] = [:]
    /// The group in the server's catalog.
    public var group: String?
    /// The rank in the group, 1 being the highest.
    public var level: Int?
    /// The bundles that it gives access to.
    public var bundles: [String]
    /// The newest version of each bundle, of those that this app can read.
    public var contents: [ListedContent]
    /// The catalog entry's `metadata`, which the operator wrote for the app.
    public var metadata: [String: JSONValue]

    public init(
        id: String, type: ProductType, group: String? = nil, level: Int? = nil, bundles: [String] = [],
        contents: [ListedContent] = [], metadata: [String: JSONValue] = [:]
    ) {
        self.id = id
        self.type = type
        self.group = group
        self.level = level
        self.bundles = bundles
        self.contents = contents
        self.metadata = metadata
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case type
        case names = "name"
        case group
        case level
        case bundles
        case contents
        case metadata
    }

    /// - Throws: if the ID or the type is missing; anything else may be.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        type = try container.decode(ProductType.self, forKey: .type)
        names = container.lenient([String: String].self, .names) ?? [:]
        group = container.lenient(String.self, .group)
        level = container.lenient(Int.self, .level)
        bundles = container.lenient(elements: String.self, .bundles) ?? []
        contents = container.lenient(elements: ListedContent.self, .contents) ?? []
        metadata = container.lenient([String: JSONValue].self, .metadata) ?? [:]
    }
}
