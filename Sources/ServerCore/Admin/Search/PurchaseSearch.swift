import InAppPurchase
package import Ledger
import ServerHTTP

/// Finds who has a purchase, or lists the newest accounts, for the admin API, the pages and the command line. The store
/// is asked about an order that is not recorded, and its answer is recorded. Whatever concerns apps that the
/// administrator's token is not for is not found.
package struct PurchaseSearch: Sendable {
    /// The maximum length of an order ID; those of the App Store have 10 to 20 characters.
    static let maximumOrderCharacters = 64
    /// The minimum length of an order ID that nobody called so.
    private static let minimumLikelyOrder = 5
    /// The length of nearly all order IDs of the App Store, which begin with M; most have digits, too.
    private static let commonOrder = 10

    /// A search.
    package enum Question: Sendable {
        /// A transaction ID or an original ID.
        case transaction(String)
        case originalTransaction(String)
        case receipt(String)
        /// The first eight characters of an account's ID, or more.
        case account(String)
        /// The ID that the studio's own systems have for the player.
        case externalID(String)
        /// The ID in the customer's e-mail, and the app if it is known.
        case order(String, bundleID: String?)
        /// The accounts that were created last, after one of them.
        case newest(after: String?, limit: Int)

        /// - Parameter name: the name of the query parameter.
        package init(_ name: String, _ text: String, bundleID: String?) {
            self =
                switch name {
                case "order": .order(text, bundleID: bundleID)
                case "receipt": .receipt(text)
                case "account": .account(text)
                case "externalID": .externalID(text)
                case "originalTransaction": .originalTransaction(text)
                default: .transaction(text)
                }
        }
    }

    package let ledger: any ReceiptLedger & SupportLedger
    package let decisions: ServingContext
    package let store: any Store
    package let administrator: Administrator

    package init(
        ledger: any ReceiptLedger & SupportLedger, decisions: ServingContext, store: any Store,
        administrator: Administrator
    ) {
        self.ledger = ledger
        self.decisions = decisions
        self.store = store
        self.administrator = administrator
    }

    /// Whether a string can be an order ID.
    package static func isOrder(_ text: String) -> Bool {
        (1...maximumOrderCharacters).contains(text.utf8.count) && text.utf8.allSatisfy(\.isLetterOrDigit)
    }

    /// Whether a string that nobody called an order looks like one, so that the store is worth asking: words and parts
    /// of a UUID do not.
    package static func looksLikeOrder(_ text: String) -> Bool {
        guard isOrder(text), text.count >= minimumLikelyOrder, !text.allSatisfy(\.isHexDigit) else { return false }
        return text.contains(where: \.isNumber) || text.count >= commonOrder && text.uppercased().hasPrefix("M")
    }

    /// - Throws: 400 for what cannot be an order ID or is no account, 403 for an app that the token is not for, and for
    ///   accounts by their IDs, external IDs or dates with a token for some apps; 404 for an app that is not served and
    ///   has no such purchase.
    package func answer(to question: Question) async throws -> FoundBody {
        switch question {
        case .transaction(let id): FoundBody(try await purchases(.transaction(TransactionID(stored: id))))
        case .originalTransaction(let id):
            FoundBody(try await purchases(.originalTransaction(TransactionID(stored: id))))
        case .receipt(let id):
            FoundBody(accounts: try await account(ofReceipt: id).map { [FoundBody.Account($0)] } ?? [])
        case .account(let beginning): try await accounts(beginning: beginning)
        case .externalID(let text):
            FoundBody(accounts: try await account(withExternalID: text).map { [FoundBody.Account($0)] } ?? [])
        case .order(let id, let bundleID): try await answer(toOrder: id, bundleID: bundleID)
        case .newest(let last, let limit): try await newest(after: last, limit: limit)
        }
    }

    /// The purchases; `nil` where none is recorded, or those of other apps alone, for a token that is not for them.
    private func purchases(_ name: PurchaseName) async throws -> FoundPurchases? {
        let found = try await ledger.purchases(named: name)
        guard administrator.reach != .everything else { return found }
        let reached = found?.filter { administrator.reach.includes($0.app) }
        return reached?.isEmpty == true ? nil : reached
    }

    private func account(ofReceipt id: String) async throws -> AccountID? {
        if administrator.reach != .everything {
            guard let app = try await ledger.app(of: .retryReceipt(id)), administrator.reach.includes(app) else {
                return nil
            }
        }
        return try await ledger.account(ofReceipt: id)
    }

    private func accounts(beginning text: String) async throws -> FoundBody {
        try administrator.requireEverything()
        guard let prefix = AccountPrefix(text) else {
            throw Problem.invalidRequest("account: at least \(AccountPrefix.minimumDigits) digits of an account's ID")
        }
        let limit = AccountPrefix.maximumListed
        return FoundBody(beginning: try await ledger.accounts(beginning: prefix, limit: limit + 1), limit: limit)
    }

    /// - Throws: 403 for a token for some apps, since an external ID belongs to no app.
    private func account(withExternalID text: String) async throws -> AccountFacts? {
        try administrator.requireEverything()
        guard let id = ExternalID(text) else { return nil }
        return try await ledger.account(withExternalID: id)
    }

    private func newest(after last: String?, limit: Int) async throws -> FoundBody {
        try administrator.requireEverything()
        let account = last.map { AccountID(text: $0) }
        if case .some(nil) = account { throw Problem.noSuchLast }
        let listed = try await ledger.newestAccounts(after: account ?? nil, limit: limit + 1)
        guard let listed else { throw Problem.noSuchLast }
        return FoundBody(newest: listed, limit: limit)
    }

    private func answer(toOrder text: String, bundleID: String?) async throws -> FoundBody {
        guard Self.isOrder(text) else {
            throw Problem.invalidRequest("order: 1 to \(Self.maximumOrderCharacters) letters and digits.")
        }
        if let bundleID { try administrator.require(BundleID(stored: bundleID)) }
        let canonical = store.canonicalOrder(text)
        for spelling in text == canonical ? [text] : [text, canonical] {
            guard let known = try await purchases(.order(spelling)) else { continue }
            let found = known.filter { bundleID == nil || $0.app.text == bundleID }
            // Recorded purchases are found even if their app is no longer in the catalog.
            if found.isEmpty { _ = try apps(named: bundleID) }
            return FoundBody(found, asked: false)
        }
        return try await ask(for: canonical, of: try apps(named: bundleID))
    }

    private func ask(for text: String, of apps: [BundleID]) async throws -> FoundBody {
        switch await store.transactions(ofOrder: text, of: apps, at: decisions.clock()) {
        case .found(let facts):
            _ = try await ledger.observe(facts, cause: "order \(text)", in: decisions.context)
            return FoundBody(try await purchases(.order(text)), asked: true)
        case .unknown: return FoundBody(nil, asked: true)
        case .withoutKey: return FoundBody(nil, asked: false, reason: .noKey)
        case .unavailable: return FoundBody(nil, asked: true, reason: .unavailable)
        }
    }

    /// The apps that the store can be asked about.
    private func apps(named bundleID: String?) throws -> [BundleID] {
        let apps = decisions.context.catalog.apps.map(\.bundleID)
        guard let bundleID else { return apps.filter(administrator.reach.includes) }
        guard let app = apps.first(where: { $0.text == bundleID }) else { throw Problem.unknownApp }
        return [app]
    }
}

extension Problem {
    fileprivate static let noSuchLast = Problem.invalidRequest("after: the ID of an account")
}

extension FoundPurchases {
    fileprivate var isEmpty: Bool { originals.isEmpty && unclaimed.isEmpty }

    fileprivate func filter(_ isIncluded: (OriginalTransaction.Key) -> Bool) -> FoundPurchases {
        FoundPurchases(
            originals: originals.filter { isIncluded($0.key) }, unclaimed: unclaimed.filter { isIncluded($0.key) })
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
