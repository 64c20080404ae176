public import Foundation

/// An app of the catalog: its bundle ID and its products.
public struct App: Sendable {
    /// The app's bundle ID, compared exactly and with case.
    public var bundleID: BundleID
    /// The number in the app's App Store address. If it is given, app receipts must name it.
    public var appAppleID: Int?
    /// The accounts that get access by sandbox purchases; ``SandboxPolicy/nobody`` if the catalog does not say.
    package var sandbox: SandboxPolicy
    /// The currencies whose settings differ from the default.
    package var currencies: [Currency: CurrencySettings]
    /// The credits that an account starts with, once per environment; empty if there are none.
    public var startingCredits: Credits
    /// The proof that an account must show before it gets ``startingCredits``; `nil` if it needs none.
    package var startingCreditsOnce: StartingCreditsProof?
    /// Whether the server finishes delivered transactions with the store too.
    public var finishFromServer: Bool
    /// How many days a device may go without asking the server again, before it closes what has an end.
    package var offlineDays: Int
    /// The versions that receipts of the app are expected to name; `nil` if the catalog does not say.
    package var receiptVersions: ReceiptVersions?
    /// The bundles that every account may download, in the order of the file; empty if there are none.
    public var openBundles: [BundleName]
    /// The members of the product list besides the products.
    package var listing: AppListing
    /// The products in the order of the file, which is the order of the product list.
    public let products: [Product]

    /// The bounds of ``offlineDays``, and what it is if the catalog does not say.
    private static let (offlineDaysAllowed, usualOfflineDays) = (1...35, 7)

    private let index: [ProductID: Int]
    private let creditedCurrencies: Set<Currency>

    /// The product with this ID; `nil` if the app has none.
    public func product(_ id: ProductID) -> Product? { index[id].map { products[$0] } }

    /// The index of the product in ``products``; `nil` if the app has none with this ID.
    package func index(of id: ProductID) -> Int? { index[id] }

    /// The currencies that a product or the start gives, and those that the app's entry has settings for.
    public var namedCurrencies: Set<Currency> { creditedCurrencies.union(currencies.keys).union(startingCredits.keys) }

    /// The refund policy of a currency; ``RefundPolicy/debt`` if the app has no setting for it.
    public func refundPolicy(of currency: Currency) -> RefundPolicy { currencies[currency]?.refund ?? .debt }
}

extension App: DecodableWithConfiguration {
    private enum CodingKeys: String, CodingKey {
        case bundleID, appAppleID, sandbox, currencies, startingCredits, startingCreditsOnce, finishFromServer
        case offlineDays, receiptVersions, openBundles, products
    }

    public init(from decoder: any Decoder, configuration handlers: [any ProductHandler.Type]) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        for key in members.allKeys
        where CodingKeys(stringValue: key.stringValue) == nil && !AppListing.members.contains(key.stringValue) {
            throw members.invalid(key, "unknown member")
        }
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        bundleID = try entry.decode(BundleID.self, forKey: .bundleID)
        guard !bundleID.text.isEmpty else { throw entry.invalid(.bundleID, "empty") }
        try entry.requireName(bundleID.text, .bundleID, decoder)
        appAppleID = try entry.decodeWholeNumbersIfPresent(Int.self, forKey: .appAppleID)
        sandbox = try entry.decodeIfPresent(SandboxPolicy.self, forKey: .sandbox) ?? .nobody
        currencies = try entry.decodeIfPresent([Currency: CurrencySettings].self, forKey: .currencies) ?? [:]
        guard !currencies.keys.contains(where: \.text.isEmpty) else {
            throw entry.invalid(.currencies, "a currency without a name")
        }
        for currency in currencies.keys { try entry.requireName(currency.text, .currencies, decoder) }
        startingCredits = try entry.decodeCredits(forKey: .startingCredits, decoder)
        startingCreditsOnce = try entry.decodeStartingCreditsProof(of: startingCredits, forKey: .startingCreditsOnce)
        finishFromServer = try entry.decodeIfPresent(Bool.self, forKey: .finishFromServer) ?? false
        offlineDays =
            try entry.decodeWholeNumberIfPresent(in: Self.offlineDaysAllowed, forKey: .offlineDays)
            ?? Self.usualOfflineDays
        receiptVersions = try entry.decodeIfPresent(ReceiptVersions.self, forKey: .receiptVersions)
        openBundles = try entry.decodeIfPresent([BundleName].self, forKey: .openBundles) ?? []
        for bundle in openBundles { try entry.requireName(bundle.text, .openBundles, decoder) }
        listing = try AppListing(from: decoder)
        products = try entry.decode([Product].self, forKey: .products, configuration: handlers)
        var index: [ProductID: Int] = [:]
        for (position, product) in products.enumerated() {
            guard index.updateValue(position, forKey: product.id) == nil else {
                throw entry.invalid(.products, "\"\(product.id)\" occurs twice")
            }
        }
        self.index = index
        creditedCurrencies = products.reduce(into: []) { $0.formUnion($1.credits.keys) }
    }
}

/// The settings of one of an app's currencies.
package struct CurrencySettings: Hashable, Sendable {
    /// The refund policy. The one in force when a refund is recorded applies; a later change does not affect recorded
    /// refunds.
    package var refund: RefundPolicy
}

extension CurrencySettings: Decodable {
    private enum CodingKeys: CodingKey { case refund }

    /// - Throws: `DecodingError` with the path to the error.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        for key in members.allKeys where CodingKeys(stringValue: key.stringValue) == nil {
            throw members.invalid(key, "unknown member")
        }
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        let word = try entry.decodeIfPresent(String.self, forKey: .refund) ?? RefundPolicy.debt.rawValue
        guard let refund = RefundPolicy(rawValue: word) else {
            let known = RefundPolicy.allCases.map(\.rawValue).joined(separator: ", ")
            throw entry.invalid(.refund, "one of \(known)")
        }
        self.refund = refund
    }
}

/// The policy for credits that were spent before their purchase was refunded.
public enum RefundPolicy: String, Hashable, Sendable, CaseIterable {
    /// They are owed: the balance may become negative, and credits earned later pay the debt.
    case debt
    /// They are forgiven: a refund takes no balance below zero.
    case clamp
}

/// The proof that an account must show before it gets an app's starting credits.
package enum StartingCreditsProof: String, Hashable, Sendable, CaseIterable {
    /// A signed app transaction of the App Store; each gives them once, whichever accounts show it.
    case appTransaction
}

extension KeyedDecodingContainer {
    /// Decodes the setting of an app with the given starting credits; `nil` if it is absent.
    ///
    /// - Throws: `DecodingError` with the path to `key`, also if the app has no starting credits.
    func decodeStartingCreditsProof(of credits: Credits, forKey key: Key) throws -> StartingCreditsProof? {
        guard let word = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let proof = StartingCreditsProof(rawValue: word) else {
            throw invalid(key, "one of \(StartingCreditsProof.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard !credits.isEmpty else { throw invalid(key, "only with startingCredits") }
        return proof
    }
}
