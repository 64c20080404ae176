public import Foundation

/// One entry of `products.json`; also the terms kept with a purchase.
public struct Product: Sendable {
    public var id: ProductID
    public var type: ProductType
    /// Earned per transaction and unit of quantity.
    public var credits: Credits
    public var bundles: [BundleName]
    /// Products of one type and group share a history.
    public var group: String?
    /// The rank within the group, 1 the highest.
    public var level: Int?
    public var ownership: Ownership
    public var afterExpiry: AfterExpiry
    public var metadata: [String: JSONValue]
    public var availability: Availability
    /// The settings of the type.
    public var handler: any ProductHandler

    /// What a history is kept by: the group where there is one, else the product itself.
    public struct HistoryKey: Hashable, Sendable {
        public var type: ProductType
        public var group: String?
        public var product: ProductID?
    }

    public var historyKey: HistoryKey {
        HistoryKey(type: type, group: group, product: group == nil ? id : nil)
    }
}

extension Product: DecodableWithConfiguration, Encodable {
    /// No product gives more than this at once: a slip of the keyboard must not mint billions.
    static let creditBounds = 1...1_000_000_000

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, type, credits, bundles, group, level, ownership, afterExpiry, metadata
    }

    private static let members = Set(
        CodingKeys.allCases.map(\.rawValue) + Availability.CodingKeys.allCases.map(\.rawValue))

    /// - Throws: `DecodingError` with the path to the mistake: an unknown type or member, a wrong setting.
    public init(from decoder: any Decoder, configuration handlers: [any ProductHandler.Type]) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        id = try entry.decode(ProductID.self, forKey: .id)
        guard !id.isEmpty else { throw entry.mistake(.id, "empty") }
        try entry.requireName(id, .id, decoder)
        let type = try entry.decode(ProductType.self, forKey: .type)
        guard let handler = handlers.first(where: { $0.productType == type }) else {
            let known = handlers.map { $0.productType.rawValue }.joined(separator: ", ")
            throw entry.mistake(.type, "no handler for \"\(type.rawValue)\"; there are \(known)")
        }
        let credits = try entry.decodeWholeNumbersIfPresent(Credits.self, forKey: .credits) ?? [:]
        for (currency, amount) in credits where currency.isEmpty || !Self.creditBounds.contains(amount) {
            throw entry.mistake(.credits, "amounts are whole numbers in \(Self.creditBounds)")
        }
        for currency in credits.keys { try entry.requireName(currency, .credits, decoder) }
        let level = try entry.decodeWholeNumbersIfPresent(Int.self, forKey: .level)
        if let level, level < 1 { throw entry.mistake(.level, "levels count from 1, the highest") }
        let ownership = try entry.decodeIfPresent(Ownership.self, forKey: .ownership)
        self.type = type
        self.credits = credits
        self.level = level
        bundles = try entry.decodeIfPresent([BundleName].self, forKey: .bundles) ?? []
        for bundle in bundles { try entry.requireName(bundle, .bundles, decoder) }
        group = try entry.decodeIfPresent(String.self, forKey: .group)
        if let group { try entry.requireName(group, .group, decoder) }
        self.ownership = ownership ?? (type == .consumable ? .keep : .transfer)
        afterExpiry = try entry.decodeAfterExpiry(of: type, forKey: .afterExpiry)
        metadata = try entry.decodeIfPresent([String: JSONValue].self, forKey: .metadata) ?? [:]
        availability = try Availability(from: decoder)
        self.handler = try StrictDecoder.decode(handler, from: decoder, common: Self.members)
    }

    /// Writes the terms: all but metadata and availability, which are about selling and not about what was sold.
    public func encode(to encoder: any Encoder) throws {
        var entry = encoder.container(keyedBy: CodingKeys.self)
        try entry.encode(id, forKey: .id)
        try entry.encode(type, forKey: .type)
        try entry.encode(credits, forKey: .credits)
        try entry.encode(bundles, forKey: .bundles)
        try entry.encodeIfPresent(group, forKey: .group)
        try entry.encodeIfPresent(level, forKey: .level)
        try entry.encode(ownership, forKey: .ownership)
        // Left out, it is what terms say that were kept before there was the setting.
        if afterExpiry != .lock { try entry.encode(afterExpiry.rawValue, forKey: .afterExpiry) }
        try handler.encode(to: encoder)
    }
}

extension CodingUserInfoKey {
    /// Set to `true` for terms that a ledger kept: what is recorded is read, whatever a catalog may name today.
    package static let isStoredTerms = CodingUserInfoKey(rawValue: "Quartermaster.isStoredTerms")
}

extension KeyedDecodingContainer {
    /// - Throws: `DecodingError` where the name has a control character and comes from outside.
    func requireName(_ name: String, _ key: Key, _ decoder: any Decoder) throws {
        let isStored = CodingUserInfoKey.isStoredTerms.map { decoder.userInfo[$0] as? Bool == true } ?? false
        guard isStored || !name.hasControlCharacters else { throw mistake(key, "a name has a control character") }
    }

    func mistake(_ key: Key, _ description: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: description)
    }
}
