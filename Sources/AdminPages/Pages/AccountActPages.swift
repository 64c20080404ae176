import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The acts on accounts: each has a page that shows the state before and after it, and asks for a reason.
struct AccountActPages: Sendable {
    let acts: SupportActs
    let random: RandomBytes

    /// The field that every act has.
    static let reason = Field.input(
        "Reason", name: "reason", hint: "A ticket number and a few words. Recorded in the audit trail.",
        maximum: SupportAct.maximumReasonCharacters)

    func add(to pages: PageRouter) {
        for act in AccountAct.all {
            let path = "/admin/accounts/{account}/\(act.path)"
            let subject = act.isByApp ? RouteSubject.narrowed : .everything
            pages.formPage(path, .accounts, about: subject) { .page(try await page(of: act, $0)) }
            pages.act(path, .accounts, about: subject, on: { .page(try await page(of: act, $0)) }) { visit, form in
                let account = try visit.context.namedAccount
                let app = try AppChoice.app(form[AppChoice.name]).map {
                    try acts.scope(bundleID: $0, environment: nil, member: AppChoice.name, by: visit.administrator).app
                }
                let request = act.request(account, act.isByApp ? app : nil)
                _ = try await acts.answer(to: request, by: visit.administrator, reason: form["reason"])
                return .redirect("/admin/accounts/\(account.text)?done=\(act.path)")
            }
        }
        CreditPages(acts: acts, random: random).add(to: pages)
        GrantPages(acts: acts, random: random).add(to: pages)
        GiftPages(gifts: Gifts(acts: acts, random: random), random: random).add(to: pages)
        TransferPages(acts: acts).add(to: pages)
        ExternalIDPages(acts: acts).add(to: pages)
        NotePages(acts: acts, random: random).add(to: pages)
        RecoveryCodePages(acts: acts, random: random).add(to: pages)
    }

    /// The page that asks for the app, if there is a choice; then the one with what would change.
    private func page(of act: AccountAct, _ visit: Visit) async throws -> PageContent {
        let account = try visit.context.namedAccount
        guard act.isByApp else { return try await confirmation(act, nil, visit) }
        let choice = try AppChoice(acts.decisions.context.catalog, for: visit.administrator)
        guard let chosen = choice.chosen(visit) else {
            let path = "/admin/accounts/\(account.text)"
            return PageContent(
                act.title,
                [
                    Block(facts: [Fact("Account", .code(account.text))]),
                    Block(form: choice.form("\(path)/\(act.path)"), links: [Link("Back without changes", path)]),
                ])
        }
        return try await confirmation(act, chosen, visit)
    }

    /// The page with what would change, as the act itself would change it.
    ///
    /// - Parameter choice: the app, or all of them; `nil` for an act that is not by app.
    private func confirmation(
        _ act: AccountAct, _ choice: (value: String, text: String)?, _ visit: Visit
    ) async throws -> PageContent {
        let account = try visit.context.namedAccount
        let change = try await acts.preview(
            act.request(account, choice.flatMap { AppChoice.app($0.value) }), by: visit.administrator)
        let path = "/admin/accounts/\(account.text)"
        guard change.after != change.before else {
            return PageContent(
                act.title, notice: Notice("There is nothing to do: this is already the case.", .waiting),
                [Block(links: [Link("Back to the account", path)])])
        }
        let form = Form.act(
            "\(path)/\(act.path)", csrf: visit.csrf, hidden: choice.map { [(AppChoice.name, $0.value)] } ?? [],
            [Self.reason], button: act.title, isDangerous: act.isDangerous)
        let apps = act.needsSandbox ? acts.decisions.context.catalog.apps : []
        return PageContent(
            act.title, notice: apps.allSatisfy { $0.sandbox == .nobody } && !apps.isEmpty ? Self.closed : nil,
            [
                Block(facts: Self.facts(of: act, account, choice?.text, change, visit)),
                apps.isEmpty ? nil : Block("Are testers let in?", table: SandboxPage.table(apps, visit)),
                Block(form: form, links: [Link("Back without changes", path)]),
            ].compactMap { $0 })
    }

    private static let closed = Notice("No app lets testers in: they are given nothing until one does.", .waiting)

    private static func facts(
        of act: AccountAct, _ account: AccountID, _ app: String?, _ change: SupportChange, _ visit: Visit
    ) -> [Fact] {
        [Fact("Account", .code(account.text))] + (app.map { [Fact("App", Cell($0))] } ?? []) + [
            Fact("Now", Cell(change.wordsBefore(visit))),
            Fact("After it", Cell(change.wordsAfter(visit), note: act.after)),
        ]
    }
}

/// The choice of the app that something is done for: one, or all of them together.
struct AppChoice {
    /// The name of the field and of the query parameter.
    static let name = "app"
    /// The value for all apps, which is the ID of none.
    private static let all = "*"

    private let options: [(value: String, text: String)]

    /// - Throws: 403 for a token that is for none of the catalog's apps.
    init(_ catalog: Catalog, for administrator: Administrator) throws {
        let isEverybody = administrator.reach == .everything
        let apps = catalog.apps.map(\.bundleID).filter(administrator.reach.includes)
        if apps.isEmpty { try administrator.requireEverything() }
        let each = isEverybody && apps.count == 1 ? [] : apps.map { (value: $0.text, text: $0.text) }
        let everything: [(value: String, text: String)] = isEverybody ? [(Self.all, "all apps")] : []
        options = everything + each
    }

    /// The app that a form's value means; `nil` for all of them.
    static func app(_ value: String) -> BundleID? { value.isEmpty || value == all ? nil : BundleID(stored: value) }

    /// The chosen option, or the only one; `nil` if one is still to be chosen.
    func chosen(_ visit: Visit) -> (value: String, text: String)? {
        guard options.count > 1 else { return options.first }
        return options.first { $0.value == visit.query(Self.name) }
    }

    /// The form that asks for the app.
    func form(_ path: String) -> Form {
        .query(path, [.choice("App", name: Self.name, options)], button: "Preview the result")
    }
}
