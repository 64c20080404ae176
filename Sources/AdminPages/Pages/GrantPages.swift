import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Gives an account a product without a purchase, and takes it back: a form, a preview of the result, and the act.
struct GrantPages: Sendable {
    static let title = "Give a product"

    let acts: SupportActs
    let random: RandomBytes

    func add(to pages: PageRouter) {
        let path = "/admin/accounts/{account}/grant"
        pages.formPage(path, .accounts, about: .narrowed) { .page(try await content($0)) }
        pages.act(path, .accounts, about: .narrowed, on: { .page(try await content($0)) }) { try await give($0, $1) }
        let takingBackPath = "/admin/accounts/{account}/grants/{grant}/revoke"
        pages.formPage(takingBackPath, .accounts, about: .narrowed) { .page(try await takingBack($0)) }
        pages.act(takingBackPath, .accounts, about: .narrowed, on: { .page(try await takingBack($0)) }) { visit, form in
            let account = try visit.context.namedAccount
            _ = try await acts.answer(
                to: .revokeGrant(try visit.context.pathPart("grant"), of: account), by: visit.administrator,
                reason: form["reason"])
            return .redirect("/admin/accounts/\(account.text)?done=take-back")
        }
    }

    // MARK: Giving

    private func content(_ visit: Visit) async throws -> PageContent {
        let account = try visit.context.namedAccount
        let (path, catalog) = ("/admin/accounts/\(account.text)", acts.decisions.context.catalog)
        guard let product = visit.query("product") else { return form(path, nil, visit) }
        guard let chosen = GrantChoice(product, in: catalog, of: visit.administrator.reach) else {
            return form(path, Self.noProduct, visit)
        }
        guard let end = GrantEnd(lastDay: visit.query("lastDay")) else {
            return form(path, "Enter a day such as 2026-12-31, or leave it empty.", visit)
        }
        let grant = grant(chosen, to: account, until: end.date, key: FormKey.new(random))
        do {
            let change = try await acts.preview(.grant(grant), by: visit.administrator)
            return confirmation(grant, chosen, change, path, visit)
        } catch LedgerRefusal.grantEnded {
            return form(path, "That day is in the past: the access would already have ended.", visit)
        }
    }

    private static let noProduct =
        "There is no such product that gives access, or several apps have it. Give its ID, or the app, Production or "
        + "Sandbox, and its ID, with / between them."

    private func form(_ path: String, _ error: String?, _ visit: Visit) -> PageContent {
        let suggestions = GrantChoice.suggestions(acts.decisions.context.catalog, of: visit.administrator.reach)
        let product = Field.input(
            "Product", name: "product", value: visit.query("product") ?? "",
            hint: "Its ID. For one of several apps, or in the sandbox: com.example.app/Sandbox/product. Of a long "
                + "catalog the first \(GrantChoice.maximumSuggestions) are suggested.")
        let fields: [Field] = [
            product.suggesting(suggestions.map { ($0.value, $0.text(acts.decisions.context.catalog)) }),
            .input(
                "The last day", name: "lastDay", type: "date", value: visit.query("lastDay") ?? "",
                hint: "In UTC. Leave empty for access that does not end.", isRequired: false),
        ]
        return PageContent(
            Self.title, notice: error.map { Notice($0, .bad) },
            [
                Block(
                    text: "The player can use it as if it had been bought. It is no purchase: it gives no credits and "
                        + "counts in no report.", form: .query("\(path)/grant", fields, button: "Preview the result"),
                    links: [Link("Back to the account", path)])
            ])
    }

    private func confirmation(
        _ grant: ProductGrant, _ chosen: GrantChoice, _ change: SupportChange, _ path: String, _ visit: Visit
    ) -> PageContent {
        let end = grant.end
        let hidden = [
            ("product", chosen.value), ("lastDay", visit.query("lastDay") ?? ""), ("key", grant.idempotencyKey),
        ]
        return PageContent(
            Self.title,
            [
                Block(facts: [
                    Fact("Account", .code(grant.account.text)),
                    Fact(
                        "Product",
                        acts.decisions.context.catalog.cell(
                            grant.product, of: grant.scope.app, note: grant.scope.text)),
                    Fact("It ends", Cell(end.map { visit.time($0).text } ?? "never")),
                    Fact("Now", Cell(change.wordsBefore(visit))), Fact("After it", Cell(change.wordsAfter(visit))),
                ]),
                Block(
                    form: .act(
                        "\(path)/grant", csrf: visit.csrf, hidden: hidden, [AccountActPages.reason],
                        button: Self.title), links: [Link("Back without changes", path)]),
            ])
    }

    private func give(_ visit: Visit, _ form: FormBody) async throws -> PageAnswer {
        let account = try visit.context.namedAccount
        let (lastDay, key) = (form["lastDay"], form["key"])
        guard
            let chosen = GrantChoice(
                form["product"], in: acts.decisions.context.catalog, of: visit.administrator.reach),
            let end = GrantEnd(lastDay: lastDay.isEmpty ? nil : lastDay), FormKey.isPossible(key)
        else { throw Problem.invalidRequest("The form is incomplete. Start again on the account's page.") }
        let grant = grant(chosen, to: account, until: end.date, key: "page-\(key)")
        _ = try await acts.answer(to: .grant(grant), by: visit.administrator, reason: form["reason"])
        return .redirect("/admin/accounts/\(account.text)?done=grant")
    }

    private func grant(_ choice: GrantChoice, to account: AccountID, until end: Date?, key: String) -> ProductGrant {
        ProductGrant(
            id: Names.grant(random), account: account, scope: choice.scope, product: choice.product, until: end,
            idempotencyKey: key)
    }

    // MARK: Taking back

    private func takingBack(_ visit: Visit) async throws -> PageContent {
        let (account, id) = (try visit.context.namedAccount, try visit.context.pathPart("grant"))
        let change = try await acts.preview(.revokeGrant(id, of: account), by: visit.administrator)
        let path = "/admin/accounts/\(account.text)"
        guard change.before != change.after else {
            return PageContent(
                "Take a product back", notice: Notice("There is nothing to do: this is already the case.", .waiting),
                [Block(links: [Link("Back to the account", path)])])
        }
        return PageContent(
            "Take a product back",
            [
                Block(facts: [
                    Fact("Account", .code(account.text)), Fact("Given as", .code(id)),
                    Fact("Now", Cell(change.wordsBefore(visit))), Fact("After it", Cell(change.wordsAfter(visit))),
                ]),
                Block(
                    text: "Purchases are not affected.",
                    form: .act(
                        "\(path)/grants/\(id.pathEncoded)/revoke", csrf: visit.csrf, [AccountActPages.reason],
                        button: "Take it back", isDangerous: true), links: [Link("Back without changes", path)]),
            ])
    }
}

/// The end of the access to a given product, from the last day that a form has.
struct GrantEnd: Hashable, Sendable {
    /// The beginning of the day after the last one, in UTC; `nil` if there is no end.
    let date: Date?

    /// - Parameter lastDay: such as `2026-12-31`; `nil` for no end.
    /// - Returns: `nil` if it is no day.
    init?(lastDay: String?) {
        guard let lastDay else {
            date = nil
            return
        }
        guard let day = Date(rfc3339: "\(lastDay)T00:00:00Z") else { return nil }
        date = day.addingTimeInterval(86_400)
    }
}
