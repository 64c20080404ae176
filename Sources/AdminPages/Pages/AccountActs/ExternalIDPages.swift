import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Records the ID that the studio's own systems have for an account: a form, a preview of the result, and the act.
struct ExternalIDPages: Sendable {
    static let title = "Record the external ID"
    /// The value of `done` in the query afterwards, and the last part of the path.
    static let done = "external-id"

    private static let field = "externalID"
    private static let wrong =
        "An external ID has at most \(ExternalID.maximumCharacters) characters, and none that is invisible here."

    let acts: SupportActs

    func add(to pages: PageRouter) {
        let path = "/admin/accounts/{account}/\(Self.done)"
        pages.formPage(path, .accounts) { .page(try await content($0)) }
        pages.act(path, .accounts, on: { .page(try await content($0)) }) { visit, form in
            let account = try visit.context.namedAccount
            guard let id = Self.id(form[Self.field]) else { throw Problem.wrongExternalID }
            _ = try await acts.answer(
                to: .setExternalID(account, id), by: visit.administrator, reason: form["reason"])
            return .redirect("/admin/accounts/\(account.text)?done=\(Self.done)")
        }
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let account = try visit.context.namedAccount
        guard let text = visit.query(Self.field) else { return form(account, nil, visit) }
        guard let id = Self.id(text) else { return form(account, Self.wrong, visit) }
        do {
            let change = try await acts.preview(.setExternalID(account, id), by: visit.administrator)
            return confirmation(account, id, change, visit)
        } catch LedgerRefusal.externalIDInUse {
            return form(account, "Another account has this ID. Remove it there first.", visit)
        }
    }

    /// The ID; `nil` also if a page would not show it as it is, so that its form would send another one.
    private static func id(_ text: String) -> ExternalID? {
        text.unicodeScalars.contains(where: \.isHiddenInPages) ? nil : ExternalID(text)
    }

    private func form(_ account: AccountID, _ error: String?, _ visit: Visit) -> PageContent {
        let path = "/admin/accounts/\(account.text)"
        let field = Field.input(
            "External ID", name: Self.field, value: visit.query(Self.field) ?? "",
            hint: "The player's number or name in your own systems, exactly as it is there.",
            maximum: ExternalID.maximumCharacters)
        return PageContent(
            Self.title, notice: error.map { Notice($0, .bad) },
            [
                Block(
                    form: .query("\(path)/\(Self.done)", [field], button: "Preview the result"),
                    links: [Link("Back to the account", path)])
            ])
    }

    private func confirmation(
        _ account: AccountID, _ id: ExternalID, _ change: SupportChange, _ visit: Visit
    ) -> PageContent {
        let path = "/admin/accounts/\(account.text)"
        let act = Form.act(
            "\(path)/\(Self.done)", csrf: visit.csrf, hidden: [(Self.field, id.text)], [AccountActPages.reason],
            button: Self.title)
        return PageContent(
            Self.title,
            [
                Block(facts: [
                    Fact("Account", .code(account.text)), Fact("Now", Cell(change.wordsBefore(visit))),
                    Fact("After it", Cell(change.wordsAfter(visit))),
                ]),
                Block(form: act, links: [Link("Back without changes", path)]),
            ])
    }
}
