import InAppPurchase
import Ledger

/// Finds the accounts of an order: in the ledger, else by asking the store, whose answer is recorded.
struct OrderSearch: Sendable {
    /// The maximum length of an order ID; Apple's have 10 to 20 characters.
    static let maximumCharacters = 64

    let ledger: any Ledger
    let decisions: ServingContext
    let store: any Store

    /// - Parameter bundleID: the app whose order it is; `nil` asks for all apps.
    /// - Throws: 400 for what cannot be an order ID, 404 for an app that is not served.
    func accounts(ofOrder text: String, bundleID: String?) async throws -> FoundBody {
        guard (1...Self.maximumCharacters).contains(text.utf8.count), text.utf8.allSatisfy(\.isLetterOrDigit) else {
            throw Problem.invalidRequest("order: 1 to \(Self.maximumCharacters) letters and digits.")
        }
        let apps = try apps(named: bundleID)
        if let known = try await ledger.originalTransactions(ofOrder: text) {
            return FoundBody(known.filter { apps.contains($0.key.app) }, asked: false)
        }
        switch await store.transactions(ofOrder: text, of: apps, at: decisions.clock()) {
        case .found(let facts):
            _ = try await ledger.observe(facts, cause: "order \(text)", in: decisions.context)
            return FoundBody(try await ledger.originalTransactions(ofOrder: text) ?? [], asked: true)
        case .unknown: return FoundBody([], asked: true)
        case .withoutKey: return FoundBody([], asked: false, reason: .noKey)
        case .unavailable: return FoundBody([], asked: true, reason: .unavailable)
        }
    }

    private func apps(named bundleID: String?) throws -> [BundleID] {
        let apps = decisions.context.catalog.apps.map(\.bundleID)
        guard let bundleID else { return apps }
        guard let app = apps.first(where: { $0.text == bundleID }) else { throw Problem.unknownApp }
        return [app]
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
