import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Finds the accounts of an order, a transaction, a receipt or an ID, by the query of a page.
struct AccountSearch: Sendable {
    /// The parameters that say what kind of ID the value is.
    private static let names = ["order", "transaction", "originalTransaction", "receipt"]

    let search: PurchaseSearch

    /// The form on the overview and above the accounts, with what was searched for.
    static func form(_ visit: Visit) -> Form {
        .query(
            "/admin/accounts",
            [
                .input(
                    "Find a player", name: "q", type: "search",
                    value: (["q"] + names).lazy.compactMap { visit.query($0) }.first ?? "",
                    hint: "Order from the customer's e-mail, transaction, receipt (r_…), or account ID")
            ], button: "Find")
    }

    /// - Returns: `nil` if the request searches for nothing.
    /// - Throws: ``SearchError`` for what cannot be found.
    func found(_ visit: Visit) async throws -> FoundBody? {
        for name in Self.names {
            guard let text = visit.query(name) else { continue }
            guard name != "order" || PurchaseSearch.isOrder(text) else { throw SearchError(about: text) }
            return try await search.answer(to: PurchaseSearch.Question(name, text, bundleID: visit.query("bundleID")))
        }
        guard let text = visit.query("q") else { return nil }
        if let account = AccountID(text: text) { return FoundBody(accounts: [FoundBody.Account(account)]) }
        return try await search.answer(to: question(text))
    }

    private func question(_ text: String) throws -> PurchaseSearch.Question {
        if text.hasPrefix("r_") { return .receipt(text) }
        if search.store.isTransactionID(text) { return .transaction(text) }
        guard PurchaseSearch.isOrder(text) else { throw SearchError(about: text) }
        return .order(text, bundleID: nil)
    }
}
