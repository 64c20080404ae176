public import Foundation

/// A product: one entry of `products.json`, and the terms that are stored with a purchase.
public struct Product: Sendable {
    /// The product's ID in App Store Connect; not empty, and unique within the app.
    public var id: ProductID
    /// The product's type, which selects the handler.
    public var type: ProductType
    /// The names for people by language tag; empty if the catalog has none.
    package var names: [String: String]
    /// The credits earned per transaction and unit of quantity; empty if the product gives none.
    public var credits: Credits
    /// Whether a free trial earns the credits; ``TrialCredits/grant`` if the catalog does not say.
    package var trialCredits: TrialCredits
    /// Whether the credits of a period that the customer left stay; ``UpgradedCredits/share`` if the catalog does not
    /// say.
    package var upgradedCredits: UpgradedCredits
    /// The bundles that the product gives access to; empty if there are none.
    public var bundles: [BundleName]
    /// The group's name: products of one type and group share a purchase history. `nil` if the product has its own.
    public var group: String?
    /// The rank within the group, `1` the highest; `nil` if the product has none.
    public var level: Int?
    /// Whether a purchase may be transferred to another account; if the catalog does not say, consumables stay and
    /// others may be transferred.
    public var ownership: Ownership
    /// The setting for the product's bundles after a subscription ends; ``AfterExpiry/lock`` if the catalog does not
    /// say.
    public var afterExpiry: AfterExpiry
    /// Values for the app, passed through to the product list.
    public var metadata: [String: JSONValue]
    /// The promotional offers that the server may sign; empty if there are none.
    package var offers: [PromotionalOffer]
    /// When and to whom the product is offered.
    package var availability: Availability
    /// The settings of the type, decoded by its handler.
    public var handler: any ProductHandler

    /// The key of a purchase history: the group if there is one, otherwise the product itself.
    public struct HistoryKey: Hashable, Sendable {
        /// The type of all products in the history.
        public var type: ProductType
        /// The group; `nil` if the history is of a single product.
        public var group: String?
        /// The product; `nil` if the history is of a group.
        public var product: ProductID?
    }

    /// The credits that one unit of the transaction earns; none for a free trial if ``trialCredits`` withholds them.
    package func credits(for transaction: Transaction) -> Credits {
        trialCredits == .withhold && transaction.details?.isTrial == true ? [:] : credits
    }

    /// The credits of one unit that are taken back since the customer left the period before its end: the share of the
    /// time that was left, rounded down. None of a period that cost nothing.
    package func creditsLeft(of transaction: Transaction) -> Credits {
        guard upgradedCredits == .share, type == .autoRenewable, let left = transaction.leftDate,
            let end = transaction.paidUntil, transaction.details?.price != 0, transaction.details?.isTrial != true
        else { return [:] }
        let whole = end.milliseconds - transaction.purchaseDate.milliseconds
        let rest = end.milliseconds - left.milliseconds
        guard rest > 0, rest < whole else { return [:] }
        // An amount is at most 1,000,000,000, and a period at most 2⁴⁰ ms.
        return credits(for: transaction).mapValues { $0.saturatingMultiplied(by: rest) / whole }.filter { $0.value > 0 }
    }

    /// The key of the purchase history that the product belongs to.
    public var historyKey: HistoryKey { HistoryKey(type: type, group: group, product: group == nil ? id : nil) }
}

extension Product: DecodableWithConfiguration, Encodable {
    /// The amounts a product may give per currency; the limit guards against typing errors.
    package static let creditBounds = 1...1_000_000_000

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, type, credits, trialCredits, upgradedCredits, bundles, group, level, ownership, afterExpiry, metadata
        case offers
        case names = "name"
    }

    private static let members = Set(
        CodingKeys.allCases.map(\.rawValue) + Availability.CodingKeys.allCases.map(\.rawValue))

    /// - Throws: `DecodingError` with the path to the error: an unknown type or member, or an invalid setting.
    public init(from decoder: any Decoder, configuration handlers: [any ProductHandler.Type]) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        id = try entry.decode(ProductID.self, forKey: .id)
        guard !id.text.isEmpty else { throw entry.invalid(.id, "empty") }
        try entry.requireName(id.text, .id, decoder)
        let type = try entry.decode(ProductType.self, forKey: .type)
        guard let handler = handlers.first(where: { $0.productType == type }) else {
            let known = handlers.map { $0.productType.rawValue }.joined(separator: ", ")
            throw entry.invalid(.type, "no handler for \"\(type.rawValue)\"; there are \(known)")
        }
        let credits = try entry.decodeCredits(forKey: .credits, decoder)
        let level = try entry.decodeWholeNumbersIfPresent(Int.self, forKey: .level)
        if let level, level < 1 { throw entry.invalid(.level, "levels count from 1, the highest") }
        let ownership = try entry.decodeIfPresent(Ownership.self, forKey: .ownership)
        self.type = type
        names = try entry.decodeNames(forKey: .names, decoder)
        self.credits = credits
        trialCredits = try entry.decodeSetting(.trialCredits, or: .grant, type.mayHaveTrials)
        upgradedCredits = try entry.decodeSetting(.upgradedCredits, or: .share, type == .autoRenewable)
        self.level = level
        bundles = try entry.decodeIfPresent([BundleName].self, forKey: .bundles) ?? []
        for bundle in bundles { try entry.requireName(bundle.text, .bundles, decoder) }
        group = try entry.decodeIfPresent(String.self, forKey: .group)
        if let group { try entry.requireName(group, .group, decoder) }
        self.ownership = ownership ?? (type == .consumable ? .keep : .transfer)
        afterExpiry = try entry.decodeSetting(.afterExpiry, or: .lock, type.mayEnd, "subscriptions")
        metadata = try entry.decodeIfPresent([String: JSONValue].self, forKey: .metadata) ?? [:]
        offers = try entry.decodeOffers(of: type, forKey: .offers)
        availability = try Availability(from: decoder)
        self.handler = try StrictDecoder.decode(handler, from: decoder, common: Self.members)
    }

    /// Encodes the terms: all members but names, metadata, offers and availability, which concern the sale and not what
    /// was sold.
    public func encode(to encoder: any Encoder) throws {
        var entry = encoder.container(keyedBy: CodingKeys.self)
        try entry.encode(id, forKey: .id)
        try entry.encode(type, forKey: .type)
        try entry.encode(credits, forKey: .credits)
        // An absent member means `grant`, as in terms stored before the setting existed.
        if trialCredits != .grant { try entry.encode(trialCredits.rawValue, forKey: .trialCredits) }
        if upgradedCredits != .share { try entry.encode(upgradedCredits.rawValue, forKey: .upgradedCredits) }
        try entry.encode(bundles, forKey: .bundles)
        try entry.encodeIfPresent(group, forKey: .group)
        try entry.encodeIfPresent(level, forKey: .level)
        try entry.encode(ownership, forKey: .ownership)
        // An absent member means `lock`, as in terms stored before the setting existed.
        if afterExpiry != .lock { try entry.encode(afterExpiry.rawValue, forKey: .afterExpiry) }
        try handler.encode(to: encoder)
    }
}

extension KeyedDecodingContainer {
    /// Decodes amounts by currency; none if the member is absent.
    ///
    /// - Throws: `DecodingError` with the path to `key`, for a currency without a name, or an amount outside of
    ///   ``Product/creditBounds``.
    func decodeCredits(forKey key: Key, _ decoder: any Decoder) throws -> Credits {
        let credits = try decodeWholeNumbersIfPresent(Credits.self, forKey: key) ?? [:]
        for (currency, amount) in credits where currency.text.isEmpty || !Product.creditBounds.contains(amount) {
            throw invalid(key, "amounts are whole numbers in \(Product.creditBounds)")
        }
        for currency in credits.keys { try requireName(currency.text, key, decoder) }
        return credits
    }
}

extension CodingUserInfoKey {
    /// Set to `true` when terms are read from a ledger: stored names are accepted even if a catalog may no longer use
    /// them.
    package static let isStoredTerms = CodingUserInfoKey(rawValue: "Quartermaster.isStoredTerms")
}

extension KeyedDecodingContainer {
    /// - Throws: `DecodingError` if the name has a control character, unless it is read from a ledger.
    func requireName(_ name: String, _ key: Key, _ decoder: any Decoder) throws {
        let isStored = CodingUserInfoKey.isStoredTerms.map { decoder.userInfo[$0] as? Bool == true } ?? false
        guard isStored || !name.hasControlCharacters else { throw invalid(key, "a name has a control character") }
    }

    /// Decodes a setting that only some types of products have.
    ///
    /// - Parameter isOfType: whether the product is of such a type.
    /// - Throws: `DecodingError` with the path to `key`, also for a product of another type.
    fileprivate func decodeSetting<Setting: RawRepresentable<String> & CaseIterable>(
        _ key: Key, or absent: Setting, _ isOfType: Bool, _ types: String = "auto-renewable subscriptions"
    ) throws -> Setting {
        guard let word = try decodeIfPresent(String.self, forKey: key) else { return absent }
        guard let setting = Setting(rawValue: word) else {
            throw invalid(key, "one of \(Setting.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard isOfType else { throw invalid(key, "only for \(types)") }
        return setting
    }

    func invalid(_ key: Key, _ description: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: description)
    }
}

extension ProductType {
    fileprivate var mayEnd: Bool { self != .consumable && self != .nonConsumable }
    fileprivate var mayHaveTrials: Bool { mayEnd && self != .nonRenewing }
}

/// The setting for a subscription's bundles after the subscription has ended.
public enum AfterExpiry: String, Hashable, Sendable, CaseIterable {
    /// Access to the bundles ends.
    case lock
    /// Versions that were published during the subscription stay accessible for ever, like the issues of a magazine.
    case keep
}

/// Whether an original transaction may be transferred to another account of the player (`ownership` in
/// `products.json`).
public enum Ownership: String, Codable, Sendable {
    /// It may be transferred.
    case transfer
    /// It stays with its owner; only an administrator transfers it.
    case keep
}

/// The setting for the credits of a subscription's free trial.
package enum TrialCredits: String, Hashable, Sendable, CaseIterable {
    /// A free trial earns the credits of a paid period.
    case grant
    /// A free trial earns none. If a copy of the transaction says only later that it is a trial, they are taken back.
    case withhold
}

/// The setting for the credits of a period that the customer left for another product of the subscription.
package enum UpgradedCredits: String, Hashable, Sendable, CaseIterable {
    /// The share of the credits for the time that was left, whose price the App Store pays back, is taken back.
    case share
    /// All credits stay.
    case keep
}

extension Product {
    /// Whether both are stored as the same terms; `false` too if the handler is not `Equatable`, since its settings
    /// cannot be compared then.
    package func hasTerms(of other: Product) -> Bool {
        guard id == other.id, type == other.type, credits == other.credits, trialCredits == other.trialCredits,
            upgradedCredits == other.upgradedCredits,
            bundles == other.bundles, group == other.group, level == other.level, ownership == other.ownership,
            afterExpiry == other.afterExpiry, let settings = handler as? any Equatable
        else { return false }
        return settings.isEqual(to: other.handler)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
