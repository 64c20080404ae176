import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Finds the accounts of an order, a transaction, a receipt or an ID, by the query of a page.
struct AccountSearch: Sendable {
    /// The parameters that say what kind of ID the value is.
    private static let names = ["order", "transaction", "originalTransaction", "receipt", "externalID"]

    let search: PurchaseSearch

    /// The form on the overview and above the accounts, with what was searched for.
    static func form(_ visit: Visit) -> Form {
        .query(
            "/admin/accounts",
            [
                .input(
                    "Find a player", name: "q", type: "search",
                    value: (["q"] + names).lazy.compactMap { visit.query($0) }.first ?? "",
                    hint: "Order from the customer's e-mail, transaction, receipt (r_…), external ID, or account ID: "
                        + "its first \(AccountPrefix.minimumDigits) characters are enough")
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
        if search.administrator.reach == .everything {
            let found = try await search.answer(to: .externalID(text))
            if !found.accounts.isEmpty { return found }
        }
        return try await found(text, visit)
    }

    /// Searches for a string that is neither an external ID nor the whole ID of an account.
    private func found(_ text: String, _ visit: Visit) async throws -> FoundBody {
        if text.hasPrefix("r_") { return try await search.answer(to: .receipt(text)) }
        guard search.store.isTransactionID(text) else {
            if let found = try await accounts(beginning: text, visit) { return found }
            guard PurchaseSearch.looksLikeOrder(text) else { throw SearchError(about: text) }
            return try await search.answer(to: .order(text, bundleID: nil))
        }
        let found = try await search.answer(to: .transaction(text))
        guard found.accounts.isEmpty, found.unclaimed.isEmpty else { return found }
        return try await accounts(beginning: text, visit) ?? found
    }

    /// - Returns: `nil` for what is no beginning of an account's ID, and with a token for some apps: accounts belong to
    ///   none.
    private func accounts(beginning text: String, _ visit: Visit) async throws -> FoundBody? {
        guard visit.administrator.reach == .everything, AccountPrefix(text) != nil else { return nil }
        return try await search.answer(to: .account(text))
    }
}
