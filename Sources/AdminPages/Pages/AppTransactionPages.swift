import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Fetches the app transaction of a player's customer from the store: what is known, and the act.
struct AppTransactionPages: Sendable {
    static let title = "Fetch the app transaction"
    private static let text =
        "The App Store says when this customer first got the app, in which version, and the customer's ID in it. It "
        + "counts as if the player's app had sent it: credits to start with that wait for it are given."

    let acts: SupportActs
    let fetch: AppTransactionFetch

    func add(to pages: PageRouter) {
        let path = "/admin/purchases/{environment}/{originalID}/app-transaction"
        pages.formPage(path, .accounts, about: .narrowed) { .page(try await content($0)) }
        pages.act(path, .accounts, about: .narrowed, on: { .page(try await content($0)) }) { visit, form in
            let purchase = try purchase(visit, app: form["bundleID"])
            _ = try await fetch.answer(about: purchase, by: visit.administrator, reason: form["reason"])
            let path = Self.path(purchase.environment, purchase.originalID)
            return .redirect("\(path)?bundleID=\(purchase.app.text.pathEncoded)&done=fetched")
        }
    }

    static func path(_ environment: InAppPurchase.Environment, _ originalID: TransactionID) -> String {
        let parts = [environment.rawValue, originalID.text].map(\.pathEncoded)
        return "/admin/purchases/\(parts.joined(separator: "/"))/app-transaction"
    }

    private func purchase(_ visit: Visit, app: String) throws -> OriginalTransaction.Key {
        try acts.originalTransaction(in: visit.context, bundleID: BundleID(stored: app), by: visit.administrator)
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let purchase = try purchase(visit, app: visit.query("bundleID") ?? "")
        let account = try await fetch.owner(of: purchase)
        let known = try await fetch.known(
            by: account, in: Scope(app: purchase.app, environment: purchase.environment))
        let facts =
            [
                Fact("Purchase", .code(purchase.originalID.text)),
                Fact("App", Cell(purchase.app.text, note: purchase.environment.rawValue)),
            ] + Self.facts(about: known, visit)
        let form = Form.act(
            Self.path(purchase.environment, purchase.originalID), csrf: visit.csrf,
            hidden: [("bundleID", purchase.app.text)], [AccountActPages.reason], button: Self.title)
        let notice = visit.query("done").map { _ in Notice("The app transaction was fetched.", .good) }
        return PageContent(
            Self.title, notice: notice,
            [
                Block(text: Self.text, facts: facts),
                Block(form: form, links: [Link("Back without changes", "/admin/accounts/\(account.text)")]),
            ])
    }

    private static func facts(about known: AppTransaction?, _ visit: Visit) -> [Fact] {
        guard let known else { return [Fact("App transaction", Cell("none was sent"))] }
        return [
            Fact("Customer's ID", .code(known.id ?? "none")),
            Fact("First version", Cell(known.originalAppVersion)),
            Fact("Got the app on", .time(visit.time(known.originalPurchaseDate).moment)),
        ]
    }
}
