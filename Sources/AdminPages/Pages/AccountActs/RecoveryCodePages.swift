import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Gives a player who lost the recovery code a new one. It is shown on the page that answers the form, and on no other.
struct RecoveryCodePages: Sendable {
    static let title = "Give a new recovery code"

    let acts: SupportActs
    let random: RandomBytes

    func add(to pages: PageRouter) {
        pages.formPage("/admin/accounts/{account}/recovery-code", .accounts) { .page(try await confirmation($0)) }
        pages.act(
            "/admin/accounts/{account}/recovery-code", .accounts, on: { .page(try await confirmation($0)) }
        ) { visit, form in
            .page(try await done(visit, form))
        }
    }

    private func confirmation(_ visit: Visit) async throws -> PageContent {
        let account = try visit.context.namedAccount
        let digest = RecoveryCode.digest(of: RecoveryCode(random).text)
        let change = try await acts.preview(.setRecoveryCode(account, digest: digest), by: visit.administrator)
        let path = "/admin/accounts/\(account.text)"
        return PageContent(
            Self.title,
            [
                Block(facts: [
                    Fact("Account", .code(account.text)), Fact("Now", Cell(change.wordsBefore(visit))),
                    Fact(
                        "After it",
                        Cell(
                            change.wordsAfter(visit),
                            note: "The previous code stops working at once. Open sessions stay open.")),
                ]),
                Block(
                    text:
                        "Only if you are sure that the player owns the account: whoever has the code has the account.",
                    form: .act(
                        "\(path)/recovery-code", csrf: visit.csrf, [AccountActPages.reason], button: Self.title,
                        isDangerous: true), links: [Link("Back without changes", path)]),
            ])
    }

    private func done(_ visit: Visit, _ form: FormBody) async throws -> PageContent {
        let account = try visit.context.namedAccount
        let answer = try await acts.newRecoveryCode(
            of: account, by: visit.administrator, reason: form["reason"], random: random)
        let code = (answer as? RecoveryCodeBody)?.recoveryCode ?? ""
        return PageContent(
            Self.title, notice: Notice("The account has a new recovery code. It is shown this once.", .good),
            [
                Block(
                    facts: [Fact("Account", .code(account.text)), Fact("Recovery code", .code(code))],
                    links: [Link("Back to the account", "/admin/accounts/\(account.text)")])
            ])
    }
}
