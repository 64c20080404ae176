/// A promotional offer of a subscription that the server may sign: an element of `offers` in the product's entry.
package struct PromotionalOffer: Hashable, Sendable {
    /// The customers who may have an offer: of those who have or had a subscription of the group.
    package enum Audience: String, Hashable, Sendable, CaseIterable {
        /// Those whose subscription is over.
        case lapsed
        /// Those whose subscription is running.
        case active
        case any
    }

    /// The maximum length of an ID in bytes; those of App Store Connect are shorter.
    package static let maximumIDBytes = 255

    /// The offer's ID in App Store Connect.
    package var id: String
    /// The customers who may have it; ``Audience/any`` if the catalog does not say.
    package var audience: Audience
    /// Whether a customer may have it only once; `false` if the catalog does not say.
    package var once: Bool
}

extension PromotionalOffer: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, once
        case audience = "for"
    }

    /// - Throws: `DecodingError` with the path to the error.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        for key in members.allKeys where CodingKeys(stringValue: key.stringValue) == nil {
            throw members.invalid(key, "unknown member")
        }
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        id = try entry.decode(String.self, forKey: .id)
        guard (1...Self.maximumIDBytes).contains(id.utf8.count) else {
            throw entry.invalid(.id, "an offer's ID has 1 to \(Self.maximumIDBytes) bytes")
        }
        try entry.requireName(id, .id, decoder)
        let word = try entry.decodeIfPresent(String.self, forKey: .audience)
        guard let audience = word.map(Audience.init) ?? .any else {
            throw entry.invalid(.audience, "one of \(Audience.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self.audience = audience
        once = try entry.decodeIfPresent(Bool.self, forKey: .once) ?? false
    }
}

extension KeyedDecodingContainer {
    /// Decodes the offers of a product of the given type; none if the member is absent.
    ///
    /// - Throws: `DecodingError` with the path to the error, also for a type that has no offers.
    func decodeOffers(of type: ProductType, forKey key: Key) throws -> [PromotionalOffer] {
        guard let offers = try decodeIfPresent([PromotionalOffer].self, forKey: key) else { return [] }
        guard type == .autoRenewable else { throw invalid(key, "only for auto-renewable subscriptions") }
        var seen: Set<String> = []
        for offer in offers where !seen.insert(offer.id).inserted { throw invalid(key, "\"\(offer.id)\" occurs twice") }
        return offers
    }
}
