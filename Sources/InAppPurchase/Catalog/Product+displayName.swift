extension Product {
    /// App Store Connect allows 35 characters, and a product list has each name in each language.
    fileprivate static let maximumNameCharacters = 100
    fileprivate static let maximumNameLanguages = 100
    /// The members of ``metadata`` that are taken for a name where the catalog has none.
    private static let namesInMetadata = ["name", "displayName", "title"]

    /// The name by which administrators know the product, the English one if there is one; `nil` if the catalog has
    /// none.
    package var displayName: String? {
        names.english ?? Self.namesInMetadata.lazy.compactMap { metadata[$0]?.name }.first
    }
}

extension [String: String] {
    /// The text for readers of English; without one, that of the language whose tag comes first.
    fileprivate var english: String? {
        let byTag = sorted { $0.key < $1.key }
        return (byTag.first { $0.key.lowercased().split(separator: "-").first == "en" } ?? byTag.first)?.value
    }
}

extension JSONValue {
    /// The name that a member of metadata is: a text, or texts by language.
    fileprivate var name: String? {
        guard case .object(let members) = self else { return plainName }
        return members.compactMapValues(\.plainName).english
    }

    private var plainName: String? {
        guard case .string(let text) = self, text.isName else { return nil }
        return text
    }
}

extension String {
    fileprivate var isName: Bool {
        (1...Product.maximumNameCharacters).contains(unicodeScalars.count) && !allSatisfy(\.isWhitespace)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a product's names by language; none if the member is absent.
    ///
    /// - Throws: `DecodingError` with the path to `key`, for what is no language tag or no name.
    func decodeNames(forKey key: Key, _ decoder: any Decoder) throws -> [String: String] {
        guard let names = try decodeIfPresent([String: String].self, forKey: key) else { return [:] }
        guard (1...Product.maximumNameLanguages).contains(names.count) else {
            throw invalid(key, "names in 1 to \(Product.maximumNameLanguages) languages, such as {\"en\": \"Club\"}")
        }
        for (language, name) in names {
            guard language.isLanguageTag else { throw invalid(key, "\"\(language)\" is no language tag, such as en") }
            guard name.isName else { throw invalid(key, "names have 1 to \(Product.maximumNameCharacters) characters") }
            try requireName(name, key, decoder)
        }
        return names
    }
}
