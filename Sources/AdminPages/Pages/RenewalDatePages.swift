import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Has the store extend the renewal date of a subscription: a form, the resulting date, and the act.
struct RenewalDatePages: Sendable {
    static let title = "Extend the renewal date"
    private static let limits =
        "The customer is charged that many days later. Apple extends a customer's subscriptions twice a year, by "
        + "\(RenewalDates.maximumDays) days each at most."

    let acts: SupportActs
    let dates: RenewalDates
    let random: RandomBytes

    func add(to pages: PageRouter) {
        let path = "/admin/purchases/{environment}/{originalID}/extend"
        pages.formPage(path, .accounts, about: .narrowed) { .page(try await content($0)) }
        pages.act(path, .accounts, about: .narrowed, on: { .page(try await content($0)) }) { visit, form in
            guard let days = Int(form["days"]), FormKey.isPossible(form["key"]) else {
                throw Problem.invalidRequest("The form is incomplete. Start again on the account's page.")
            }
            let question = try question(visit, app: form["bundleID"], days: days, key: form["key"])
            _ = try await dates.answer(to: question, by: visit.administrator, reason: form["reason"])
            let owner = try await acts.ledger.newestTransaction(of: question.subscription)?.owner
            return .redirect("/admin/accounts/\(owner?.text ?? "")?done=extend")
        }
    }

    static func path(_ environment: InAppPurchase.Environment, _ originalID: TransactionID) -> String {
        let parts = [environment.rawValue, originalID.text].map(\.pathEncoded)
        return "/admin/purchases/\(parts.joined(separator: "/"))/extend"
    }

    private func question(_ visit: Visit, app: String, days: Int, key: String? = nil) throws -> RenewalDates.Question {
        RenewalDates.Question(
            subscription: try acts.originalTransaction(
                in: visit.context, bundleID: BundleID(stored: app), by: visit.administrator), days: days, key: key)
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let app = visit.query("bundleID") ?? ""
        let days = visit.query("days").flatMap { Int($0) }
        let isPossible = days.map((1...RenewalDates.maximumDays).contains) ?? false
        let question = try question(visit, app: app, days: isPossible ? days ?? 1 : 1)
        let change = try await dates.preview(question, by: visit.administrator)
        let now = Fact("Renews, or ends", Cell(change.before["expirationDate"]?.words(visit) ?? ""))
        let facts = [Fact("Subscription", .code(question.subscription.originalID.text)), Fact("App", Cell(app)), now]
        let path = Self.path(question.subscription.environment, question.subscription.originalID)
        let back = Link(
            "Back without changes",
            "/admin/accounts?originalTransaction=\(question.subscription.originalID.text.pathEncoded)")
        guard isPossible else {
            let error = Notice("A number of days from 1 to \(RenewalDates.maximumDays).", .bad)
            return PageContent(
                Self.title, notice: visit.query("days") == nil ? nil : error,
                [Block(text: Self.limits, facts: facts), Block(form: Self.form(path, app), links: [back])])
        }
        let after = Fact("After it", Cell(change.after["expirationDate"]?.words(visit) ?? ""))
        return PageContent(
            Self.title, [Block(text: Self.limits, facts: facts + [after]), confirmation(question, path, back, visit)])
    }

    private static func form(_ path: String, _ app: String) -> Form {
        .query(
            path,
            [
                .choice("App", name: "bundleID", [(app, app)]), .input("Number of days", name: "days", type: "number"),
            ], button: "Preview the result")
    }

    private func confirmation(
        _ question: RenewalDates.Question, _ path: String, _ back: Link, _ visit: Visit
    ) -> Block {
        let hidden = [
            ("bundleID", question.subscription.app.text), ("days", "\(question.days)"),
            ("key", FormKey.new(random)),
        ]
        return Block(
            form: .act(
                path, csrf: visit.csrf, hidden: hidden, [AccountActPages.reason],
                button: "Extend by \(question.days) days"), links: [back])
    }
}
