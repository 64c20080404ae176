import AdminPages
import Foundation
import InAppPurchase
import Ledger

/// Finds the accounts of an order, a transaction, a receipt or an ID, by the query of a page.
struct AccountSearch: Sendable {
    let search: PurchaseSearch

    /// The form on the overview and above the accounts.
    static let form = Form.query(
        "/admin/accounts",
        [
            .input(
                "Find a player", name: "q", type: "search",
                hint: "Order from the customer's e-mail, transaction, receipt (r_…), or account ID")
        ], button: "Find")

    /// - Returns: `nil` if the request looks for nothing.
    /// - Throws: 400 for what cannot be an order ID.
    func found(_ visit: Visit) async throws -> FoundBody? {
        for name in ["order", "transaction", "originalTransaction", "receipt"] {
            guard let text = visit.query(name) else { continue }
            return try await search.answer(
                to: PurchaseSearch.Question(name, text, bundleID: visit.query("bundleID")))
        }
        guard let text = visit.query("q") else { return nil }
        if let account = AccountID(text: text) { return FoundBody(accounts: [FoundBody.Account(account)]) }
        return try await search.answer(to: Self.question(text))
    }

    private static func question(_ text: String) -> PurchaseSearch.Question {
        if text.hasPrefix("r_") { return .receipt(text) }
        return text.allSatisfy(\.isWholeNumber) ? .transaction(text) : .order(text, bundleID: nil)
    }
}
