import AdminPages
import Foundation
import Hummingbird
import InAppPurchase
import Ledger

/// The acts on accounts: each has a page that says what is, what will be, and asks for a reason.
struct AccountActPages: Sendable {
    let acts: SupportActs
    let random: RandomBytes

    /// The field that every act has.
    static let reason = Field.input(
        "Reason", name: "reason", hint: "The number of a ticket, and a few words. It stays in the audit trail.",
        maximum: SupportAct.maximumReasonCharacters)

    func add(to pages: PageRouter) {
        for act in AccountAct.all {
            let path = RouterPath("/admin/accounts/{account}/\(act.path)")
            pages.formPage(path, .accounts) { visit in
                return .page(try await confirmation(act, visit))
            }
            pages.act(path, .accounts, on: { .page(try await confirmation(act, $0)) }) { visit, form in
                let account = try visit.context.namedAccount
                _ = try await acts.answer(to: act.request(account), by: visit.administrator, reason: form["reason"])
                return .redirect("/admin/accounts/\(account.text)?done=\(act.path)")
            }
        }
        CreditPages(acts: acts, random: random).add(to: pages)
        GrantPages(acts: acts, random: random).add(to: pages)
        TransferPages(acts: acts).add(to: pages)
        RecoveryCodePages(acts: acts, random: random).add(to: pages)
    }

    /// The page with what would change, as the act itself would change it.
    private func confirmation(_ act: AccountAct, _ visit: Visit) async throws -> PageContent {
        let account = try visit.context.namedAccount
        let change = try await acts.preview(act.request(account), by: visit.administrator)
        let path = "/admin/accounts/\(account.text)"
        guard change.after != change.before else {
            return PageContent(
                act.title, notice: Notice("There is nothing to do: it is so already.", .waiting),
                [Block(links: [Link("Back to the account", path)])])
        }
        return PageContent(
            act.title,
            [
                Block(facts: [
                    Fact("Account", .code(account.text)), Fact("Now", Cell(change.wordsBefore(visit))),
                    Fact("After it", Cell(change.wordsAfter(visit), note: act.after)),
                ]),
                Block(
                    form: .act(
                        "\(path)/\(act.path)", csrf: visit.csrf, [Self.reason], button: act.title,
                        isDangerous: act.isDangerous), links: [Link("Back, and change nothing", path)]),
            ])
    }
}
