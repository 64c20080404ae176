public import Foundation

/// All products of all apps, as `products.json` has them. A value: replaced whole or not at all.
public struct Catalog: Sendable {
    public var apps: [App]

    public init(apps: [App] = []) { self.apps = apps }

    public func app(_ bundleID: BundleID) -> App? { apps.first { $0.bundleID == bundleID } }

    public func product(_ id: ProductID, of app: BundleID) -> Product? { self.app(app)?.product(id) }
}

/// One bundle ID and what it sells.
public struct App: Sendable {
    public var bundleID: BundleID
    /// The number in the app's App Store address. Where given, app receipts must name it.
    public var appAppleID: Int?
    public var sandbox: SandboxPolicy
    /// Those that are kept otherwise than usual.
    public var currencies: [Currency: CurrencySettings]
    /// In the order of the file, which is the order of the product list.
    public let products: [Product]

    private let index: [ProductID: Int]
    private let creditedCurrencies: Set<Currency>

    public func product(_ id: ProductID) -> Product? { index[id].map { products[$0] } }

    /// Those that a product gives, and those that the app's entry has settings for.
    public var namedCurrencies: Set<Currency> { creditedCurrencies.union(currencies.keys) }

    public func refundPolicy(of currency: Currency) -> RefundPolicy { currencies[currency]?.refund ?? .debt }
}

/// Who is entitled by sandbox purchases, which cost nothing. They are recorded either way.
public enum SandboxPolicy: Hashable, Sendable {
    case nobody
    /// Accounts that the operator names.
    case testers
    case everyone
    /// For App Review, which buys in the sandbox with the app that is about to be sold.
    case everyoneUntil(Date)

    public func admits(tester: Bool, at date: Date) -> Bool {
        switch self {
        case .nobody: false
        case .testers: tester
        case .everyone: true
        case .everyoneUntil(let end): tester || date < end
        }
    }
}

extension Catalog: DecodableWithConfiguration {
    private enum CodingKeys: CodingKey { case apps }

    /// - Throws: `DecodingError` with the path to the mistake.
    public init(from decoder: any Decoder, configuration handlers: [any ProductHandler.Type]) throws {
        let root = try decoder.container(keyedBy: CodingKeys.self)
        apps = try root.decode([App].self, forKey: .apps, configuration: handlers)
        var seen: Set<BundleID> = []
        for app in apps where !seen.insert(app.bundleID).inserted {
            throw root.mistake(.apps, "\"\(app.bundleID)\" stands twice")
        }
    }
}

extension App: DecodableWithConfiguration {
    private enum CodingKeys: String, CodingKey { case bundleID, appAppleID, sandbox, currencies, products }

    public init(from decoder: any Decoder, configuration handlers: [any ProductHandler.Type]) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        for key in members.allKeys where CodingKeys(stringValue: key.stringValue) == nil {
            throw members.mistake(key, "unknown member")
        }
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        bundleID = try entry.decode(BundleID.self, forKey: .bundleID)
        guard !bundleID.isEmpty else { throw entry.mistake(.bundleID, "empty") }
        try entry.requireName(bundleID, .bundleID, decoder)
        appAppleID = try entry.decodeWholeNumbersIfPresent(Int.self, forKey: .appAppleID)
        sandbox = try entry.decodeIfPresent(SandboxPolicy.self, forKey: .sandbox) ?? .nobody
        currencies = try entry.decodeIfPresent([Currency: CurrencySettings].self, forKey: .currencies) ?? [:]
        guard currencies[""] == nil else { throw entry.mistake(.currencies, "a currency without a name") }
        for currency in currencies.keys { try entry.requireName(currency, .currencies, decoder) }
        products = try entry.decode([Product].self, forKey: .products, configuration: handlers)
        var index: [ProductID: Int] = [:]
        for (position, product) in products.enumerated() {
            guard index.updateValue(position, forKey: product.id) == nil else {
                throw entry.mistake(.products, "\"\(product.id)\" stands twice")
            }
        }
        self.index = index
        creditedCurrencies = products.reduce(into: []) { $0.formUnion($1.credits.keys) }
    }
}

extension SandboxPolicy: Decodable {
    private enum CodingKeys: CodingKey { case everyoneUntil }

    public init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            switch word {
            case "nobody": self = .nobody
            case "testers": self = .testers
            case "everyone": self = .everyone
            default:
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath,
                        debugDescription: "one of nobody, testers, everyone, {\"everyoneUntil\": time}"))
            }
            return
        }
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        guard let end = try entry.decodeTimeIfPresent(forKey: .everyoneUntil) else {
            throw entry.mistake(.everyoneUntil, "missing")
        }
        self = .everyoneUntil(end)
    }
}
