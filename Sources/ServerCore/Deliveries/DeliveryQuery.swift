package import Foundation
import InAppPurchase
package import Ledger
import ServerHTTP

/// The deliveries that a page shows.
package struct DeliveryQuery: Sendable {
    /// Whether only bundles that were paid for and not delivered are listed.
    package var unconfirmed: Bool
    package var filter: DeliveryFilter
    package var after: DeliveryCursor?
    /// At most ``DeliveryListBody/maximumEntries``.
    package var limit: Int

    /// - Throws: 400 for an app unless only bundles that were paid for are listed: the app of others is not known.
    package init(unconfirmed: Bool, _ filter: DeliveryFilter, after: DeliveryCursor? = nil, limit: Int) throws {
        guard unconfirmed || filter.app == nil else {
            throw Problem.invalidRequest("bundleID: only with unconfirmed, since only a purchase has an app")
        }
        self.unconfirmed = unconfirmed
        self.filter = filter
        self.after = after
        self.limit = limit
    }
}

extension DeliveryFilter {
    /// - Parameters:
    ///   - hours: the minimum age of a delivery, in ``DeliveryListBody/hourBounds``.
    ///   - parameter: the value of a parameter; `nil` if the request does not have it.
    /// - Throws: 400 for an invalid app, bundle or account.
    package init(olderThan hours: Int, at now: Date, _ parameter: (String) -> String?) throws {
        func name<ID: Identifier>(_ parameter: String?, _ name: String) throws -> ID? {
            guard let parameter else { return nil }
            guard let id = try? ID(checking: parameter) else { throw Problem.invalidRequest("\(name): no such name") }
            return id
        }
        let account = try parameter("account").map { text in
            guard let account = AccountID(text: text) else { throw Problem.invalidRequest("account: a UUID") }
            return account
        }
        self.init(
            until: now.addingTimeInterval(-3_600 * Double(hours)), app: try name(parameter("bundleID"), "bundleID"),
            bundle: try name(parameter("bundle"), "bundle"), account: account)
    }
}
