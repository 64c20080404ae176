/// The newest version of a bundle that a product includes, or that is open for everybody, as the product list states
/// it.
public struct ListedContent: Sendable, Hashable, Decodable {
    /// The name of the bundle.
    public var bundle: String
    /// A semantic version.
    public var version: String
    /// The size of its files together, in bytes.
    public var size: Int
    /// Whether the app needs it to begin with.
    public var isEssential: Bool
    /// The languages of its content, as BCP 47 tags. Empty if it is for all.
    public var languages: [String]

    private enum CodingKeys: String, CodingKey {
        case bundle
        case version
        case size
        case isEssential = "essential"
        case languages
    }

    public init(bundle: String, version: String, size: Int, isEssential: Bool = false, languages: [String] = []) {
        self.bundle = bundle
        self.version = version
        self.size = size
        self.isEssential = isEssential
        self.languages = languages
    }

    /// - Throws: if the bundle, its version or its size is missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        bundle = try container.decode(String.self, forKey: .bundle)
        version = try container.decode(String.self, forKey: .version)
        size = try container.decode(Int.self, forKey: .size)
        isEssential = container.lenient(Bool.self, .isEssential) ?? false
        languages = container.lenient(elements: String.self, .languages) ?? []
    }

    /// The bundles of a list that are for a player: those for all languages, and those in the first of the player's
    /// languages in which there is one, by look-up (RFC 4647 §3.4). If there is none in any, those of the first
    /// language that the list has.
    ///
    /// - Parameter languages: the player's, the best first.
    static func chosen(of contents: [ListedContent], for languages: [String]) -> Set<String> {
        let available = contents.flatMap(\.languages)
        let language = languages.lazy.compactMap { lookUp($0, in: available) }.first ?? available.first?.lowercased()
        let own = contents.filter { content in
            content.languages.isEmpty || content.languages.contains { $0.lowercased() == language }
        }
        return Set(own.map(\.bundle))
    }

    /// The tag, in lower case, that a language is, or that remains of it when one subtag after the other is taken away.
    private static func lookUp(_ language: String, in available: [String]) -> String? {
        let available = Set(available.map { $0.lowercased() })
        var parts = language.lowercased().split(separator: "-")
        while !parts.isEmpty {
            let tag = parts.joined(separator: "-")
            if available.contains(tag) { return tag }
            parts.removeLast()
            // A single letter begins an extension, which is nothing without what follows.
            if parts.last?.count == 1 { parts.removeLast() }
        }
        return nil
    }
}
