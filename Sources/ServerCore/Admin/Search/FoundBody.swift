package import Foundation
package import InAppPurchase
package import Ledger
import ServerHTTP

/// The accounts that a transaction, an order or a receipt belongs to, and the purchases that nobody presented; or the
/// newest accounts.
package struct FoundBody: Codable {
    /// The maximum number of accounts on a page of the newest.
    package static let maximumEntries = 1_000
    package static let defaultEntries = 100

    package struct Account: Codable {
        package var account: String
        /// The app of the original transaction that it owns; omitted in a search for a receipt.
        package var app: BundleID?
        package var environment: Environment?
        package var originalID: TransactionID?
        /// Only in a list of the newest accounts, of those whose IDs begin alike, and in a search for an external ID.
        package var createdAt: Date?
        /// Only where ``createdAt`` is; omitted if the account is not blocked.
        package var blockedAt: Date?
        /// Only where ``createdAt`` is; omitted if none is known.
        package var externalID: String?

        package init(_ facts: AccountFacts) {
            account = facts.account.text
            createdAt = facts.createdAt
            blockedAt = facts.blockedAt
            externalID = facts.externalID?.text
        }

        package init(_ account: AccountID) { self.account = account.text }

        package init(_ original: OriginalTransaction) {
            account = original.owner.text
            app = original.key.app
            environment = original.key.environment
            originalID = original.key.originalID
        }
    }

    /// The reason why the store did not say whose order it is.
    package enum Silence: String, Codable {
        /// No app that may have the order has a key for the store's API.
        case noKey
        /// The store did not answer for every app.
        case unavailable
    }

    package var accounts: [Account]
    package var unclaimed: [UnclaimedPurchaseBody]
    /// Whether the store was asked; omitted unless the search is for an order.
    package var asked: Bool?
    package var reason: Silence?
    /// Whether more accounts were found than are listed; omitted if not.
    package var truncated: Bool?
    /// The value of `after` for the next page of the newest accounts; omitted on the last page.
    package var next: String?

    /// A page of the newest accounts.
    ///
    /// - Parameter listed: one more than `limit` if there is another page.
    package init(newest listed: [AccountFacts], limit: Int) {
        accounts = listed.prefix(limit).map(Account.init)
        unclaimed = []
        next = listed.count > limit ? accounts.last?.account : nil
    }

    /// The accounts whose IDs begin alike.
    ///
    /// - Parameter listed: one more than `limit` if there are more.
    init(beginning listed: [AccountFacts], limit: Int) {
        accounts = listed.prefix(limit).map(Account.init)
        unclaimed = []
        truncated = listed.count > limit ? true : nil
    }

    package init(accounts: [Account]) {
        self.accounts = accounts
        unclaimed = []
    }

    package init(_ found: FoundPurchases?, asked: Bool? = nil, reason: Silence? = nil) {
        accounts = found?.originals.map(Account.init) ?? []
        unclaimed = found?.unclaimed.map(UnclaimedPurchaseBody.init) ?? []
        self.asked = asked
        self.reason = reason
    }
}
