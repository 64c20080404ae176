import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Gives and takes back credits: a form, a preview of the result, and the act.
struct CreditPages: Sendable {
    let acts: SupportActs
    let random: RandomBytes

    func add(to pages: PageRouter) {
        let path = "/admin/accounts/{account}/credits"
        pages.formPage(path, .accounts, about: .narrowed) { .page(try await content($0)) }
        pages.act(path, .accounts, about: .narrowed, on: { .page(try await content($0)) }) { try await post($0, $1) }
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let account = try visit.context.namedAccount
        let choices = try await choices(account, visit)
        let path = "/admin/accounts/\(account.text)"
        guard let chosen = visit.query("balance").flatMap({ value in choices.first { $0.value == value } }),
            let amount = visit.query("amount").flatMap({ Int($0) }),
            let adjustment = Self.adjustment(chosen, amount, account, key: "preview-\(FormKey.new(random))")
        else {
            let asked = visit.query("amount") != nil
            return PageContent(
                "Give or take back credits",
                notice: asked ? Notice("Choose a balance, and enter a number other than 0.", .bad) : nil,
                [
                    Block(
                        form: .query("\(path)/credits", Self.fields(choices, visit), button: "Preview the result"),
                        links: [Link("Back to the account", path)])
                ])
        }
        let change = try await acts.preview(.adjust(adjustment), by: visit.administrator)
        return confirmation(adjustment, chosen, change, path, visit)
    }

    private func confirmation(
        _ adjustment: Adjustment, _ chosen: BalanceChoice, _ change: SupportChange, _ path: String, _ visit: Visit
    ) -> PageContent {
        let (before, after) = (change.before["balance"]?.words ?? "", change.after["balance"]?.words ?? "")
        let gives = adjustment.amount > 0
        let hidden = [
            ("balance", chosen.value), ("amount", "\(adjustment.amount)"), ("key", FormKey.new(random)),
        ]
        return PageContent(
            gives ? "Give credits" : "Take back credits",
            [
                Block(facts: [
                    Fact("Account", .code(adjustment.account.text)),
                    Fact("Balance", Cell(chosen.scope.text)),
                    Fact("Before", Cell("\(before) \(chosen.currency)")),
                    Fact("After", Cell("\(after) \(chosen.currency)")),
                ]),
                Block(
                    form: .act(
                        "\(path)/credits", csrf: visit.csrf, hidden: hidden, [AccountActPages.reason],
                        button: gives
                            ? "Give \(adjustment.amount) \(chosen.currency)"
                            : "Take back \(adjustment.amount.magnitude) \(chosen.currency)", isDangerous: !gives),
                    links: [Link("Back without changes", path)]),
            ])
    }

    private func post(_ visit: Visit, _ form: FormBody) async throws -> PageAnswer {
        let account = try visit.context.namedAccount
        let choices = try await choices(account, visit)
        guard let chosen = choices.first(where: { $0.value == form["balance"] }), let amount = Int(form["amount"]),
            FormKey.isPossible(form["key"]),
            let adjustment = Self.adjustment(chosen, amount, account, key: "page-\(form["key"])")
        else { throw Problem.invalidRequest("The form is incomplete. Start again on the account's page.") }
        _ = try await acts.answer(to: .adjust(adjustment), by: visit.administrator, reason: form["reason"])
        return .redirect("/admin/accounts/\(account.text)?done=credits")
    }

    private func choices(_ account: AccountID, _ visit: Visit) async throws -> [BalanceChoice] {
        let context = acts.decisions.context
        let report = try await acts.ledger.accountReport(of: account, after: nil, limit: 1, in: context)
        guard let report else { throw LedgerRefusal.unknownAccount }
        return BalanceChoice.all(report, context.catalog, of: visit.administrator.reach)
    }

    private static func adjustment(
        _ choice: BalanceChoice, _ amount: Int, _ account: AccountID, key: String
    ) -> Adjustment? {
        Adjustment(
            account: account, scope: choice.scope, currency: choice.currency, amount: amount, idempotencyKey: key)
    }

    private static func fields(_ choices: [BalanceChoice], _ visit: Visit) -> [Field] {
        [
            .choice("Balance", name: "balance", choices.map { ($0.value, $0.text) }, selected: visit.query("balance")),
            .input(
                "How many", name: "amount", type: "number", value: visit.query("amount") ?? "",
                hint: "A minus sign takes credits back; the balance may become negative."),
        ]
    }
}
