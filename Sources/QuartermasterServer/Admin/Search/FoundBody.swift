import Foundation
import InAppPurchase
import Ledger

/// The accounts that a transaction, an order or a receipt belongs to, and the purchases that nobody presented.
struct FoundBody: Encodable {
    struct Account: Encodable {
        var account: String
        /// The app of the original transaction that it owns; omitted in a search for a receipt.
        var app: BundleID?
        var environment: Environment?
        var originalID: TransactionID?

        init(_ account: AccountID) { self.account = account.text }

        init(_ original: OriginalTransaction) {
            account = original.owner.text
            app = original.key.app
            environment = original.key.environment
            originalID = original.key.originalID
        }
    }

    /// The reason why the store did not say whose order it is.
    enum Silence: String, Encodable {
        /// No app that may have the order has a key for the store's API.
        case noKey
        /// The store did not answer for every app.
        case unavailable
    }

    var accounts: [Account]
    var unclaimed: [UnclaimedPurchaseBody]
    /// Whether the store was asked; omitted unless the search is for an order.
    var asked: Bool?
    var reason: Silence?

    init(accounts: [Account]) {
        self.accounts = accounts
        unclaimed = []
    }

    init(_ found: FoundPurchases?, asked: Bool? = nil, reason: Silence? = nil) {
        accounts = found?.originals.map(Account.init) ?? []
        unclaimed = found?.unclaimed.map(UnclaimedPurchaseBody.init) ?? []
        self.asked = asked
        self.reason = reason
    }
}
