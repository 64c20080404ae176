import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Gives each account of a list a product or credits: a form with a file, a preview of who would be given it, and the
/// act.
struct GiftPages: Sendable {
    static let title = "Give to a list of accounts"
    static let path = "/admin/gifts"

    private static let actPath = "/admin/gifts/give"

    let gifts: Gifts
    let random: RandomBytes

    private var catalog: Catalog { gifts.acts.decisions.context.catalog }

    func add(to pages: PageRouter) {
        pages.formPage("/admin/gifts", .accounts, about: .narrowed) { .page(form($0)) }
        pages.upload("/admin/gifts", .accounts, about: .narrowed) { visit, secret in
            let typed = try await GiftForm(visit, secret)
            do { return .page(try await preview(visit.filling(typed.withList()))) } catch {
                guard let refused = RefusedForm(error, typed.fields, visit),
                    let content = await refused.content(on: { .page(form($0)) })
                else { throw error }
                return .page(content)
            }
        }
        pages.act("/admin/gifts/give", .accounts, about: .narrowed, on: { .page(try await preview($0)) }) {
            visit, form in .page(try await give(visit, form))
        }
    }

    // MARK: The form

    private func form(_ visit: Visit) -> PageContent {
        PageContent(
            Self.title,
            [
                Block(
                    text: "Each account is given it as if you had given it to that account alone: with an entry in the "
                        + "audit trail, and once, however often the form is sent.",
                    form: .upload(Self.path, csrf: visit.csrf, fields(visit), button: "Preview the result"),
                    links: [Link("Back to the accounts", "/admin/accounts")])
            ])
    }

    private func fields(_ visit: Visit) -> [Field] {
        let suggestions = GrantChoice.suggestions(catalog, of: visit.administrator.reach)
        let balances = BalanceChoice.named(catalog, of: visit.administrator.reach)
        let product = Field.input(
            "Product", name: "product", value: visit.query("product") ?? "",
            hint: "Its ID. For one of several apps, or in the sandbox: com.example.app/Sandbox/product.",
            isRequired: false)
        let names = visit.administrator.reach == .everything ? "account IDs or external IDs" : "account IDs"
        return [
            .choice(
                "What each account is given", name: "balance",
                [("", "the product below")] + balances.map { ($0.value, "\($0.currency) in \($0.scope.text)") },
                selected: visit.query("balance")),
            product.suggesting(suggestions.map { ($0.value, $0.text(catalog)) }),
            .input(
                "The last day of the product", name: "lastDay", type: "date", value: visit.query("lastDay") ?? "",
                hint: "In UTC. Leave empty for access that does not end.", isRequired: false),
            .input(
                "How many credits", name: "amount", type: "number", value: visit.query("amount") ?? "",
                hint: "A minus sign takes credits back.", isRequired: false),
            .files(
                "File of the accounts", name: "file",
                hint: "Text with one of \(names) a line, or CSV with them in the first column; at most "
                    + "\(AccountList.maximumLines) lines."),
            .area(
                "Or the accounts themselves", name: "accounts", value: visit.query("accounts") ?? "",
                hint: "One a line."),
        ]
    }

    // MARK: The preview

    /// The product or the credits that the form means.
    ///
    /// - Throws: 422 for what nobody can be given.
    private func gift(_ visit: Visit, key: String) throws -> Gift {
        guard FormKey.isPossible(key) else { throw Problem.invalidRequest("The form is incomplete. Start again.") }
        if let value = visit.query("balance") {
            let choices = BalanceChoice.named(catalog, of: visit.administrator.reach)
            guard let choice = choices.first(where: { $0.value == value }) else { throw Problem.noBalance }
            guard let amount = visit.query("amount").flatMap({ Int($0) }), amount != 0 else { throw Problem.noAmount }
            return Gift(.credits(choice.currency, amount: amount), in: choice.scope, key: "page-\(key)")
        }
        let choice = GrantChoice(visit.query("product") ?? "", in: catalog, of: visit.administrator.reach)
        guard let choice else { throw Problem.noProduct }
        guard let end = GrantEnd(lastDay: visit.query("lastDay")) else { throw Problem.noDay }
        return Gift(.product(choice.product, until: end.date), in: choice.scope, key: "page-\(key)")
    }

    private func preview(_ visit: Visit) async throws -> PageContent {
        let key = visit.query("key") ?? FormKey.new(random)
        let (gift, list) = (try gift(visit, key: key), try GiftForm.list(visit.query("list")))
        let plan = try await gifts.plan(gift, for: list, by: visit.administrator)
        let back = Link("Back without changes", Self.path)
        guard !plan.accounts.isEmpty else {
            return PageContent(
                Self.title, notice: Notice("Nobody on the list would be given anything.", .waiting),
                [Block(facts: facts(gift, visit)), plan.block, Block(links: [back])].compactMap { $0 })
        }
        let hidden = ["balance", "product", "lastDay", "amount", "list"].map { ($0, visit.query($0) ?? "") }
        let count = plan.accounts.count.counted("account")
        return PageContent(
            Self.title,
            [
                Block(facts: facts(gift, visit) + [Fact("Who would be given it", Cell(count))]), plan.block,
                Block(
                    form: .act(
                        Self.actPath, csrf: visit.csrf, hidden: hidden + [("key", key)], [AccountActPages.reason],
                        button: "Give it to \(count)"), links: [back]),
            ].compactMap { $0 })
    }

    private func facts(_ gift: Gift, _ visit: Visit) -> [Fact] {
        switch gift.content {
        case .product(let product, let end):
            [
                Fact("Product", catalog.cell(product, of: gift.scope.app, note: gift.scope.text)),
                Fact("It ends", Cell(end.map { visit.time($0).text } ?? "never")),
            ]
        case .credits(let currency, let amount):
            [Fact("Credits of each account", Cell("\(amount) \(currency)", note: gift.scope.text))]
        }
    }

    // MARK: The act

    private func give(_ visit: Visit, _ form: FormBody) async throws -> PageContent {
        let visit = visit.filling(form)
        let (gift, list) = (try gift(visit, key: form["key"]), try GiftForm.list(form["list"]))
        let plan = try await gifts.give(gift, to: list, by: visit.administrator, reason: form["reason"])
        let count = plan.accounts.count.counted("account")
        return PageContent(
            Self.title, notice: Notice("It was given to \(count).", .good),
            [
                Block(facts: facts(gift, visit)), plan.block,
                Block(links: [Link("Back to the accounts", "/admin/accounts")]),
            ].compactMap { $0 })
    }
}

extension GiftPlan {
    /// The maximum number of lines that a row names.
    private static let maximumNamed = 100

    /// The lines that give nobody anything; `nil` if there are none.
    fileprivate var block: Block? {
        let rows = Obstacle.allCases.compactMap { obstacle -> [Cell]? in
            let lines = lines(obstacle)
            guard !lines.isEmpty else { return nil }
            let more = lines.count > Self.maximumNamed ? " and \(lines.count - Self.maximumNamed) more" : ""
            let named = lines.prefix(Self.maximumNamed).map(String.init).joined(separator: ", ")
            return [Cell(obstacle.words), Cell("\(lines.count)"), Cell(named + more)]
        }
        guard !rows.isEmpty else { return nil }
        return Block(
            "Lines that give nobody anything",
            table: Table("Lines that give nobody anything", columns: ["Why", "How many", "Lines"], rows: rows))
    }
}

extension GiftPlan.Obstacle {
    fileprivate var words: String {
        switch self {
        case .unknown: "There is no such account."
        case .blocked: "The account is blocked."
        case .alreadyHad: "The account has it already."
        case .repeated: "An earlier line names the same account."
        case .full: "The account was given \(ProductGrant.maximumStanding) products, and that is the most."
        }
    }
}

extension Problem {
    private static func mistake(_ detail: String) -> Problem {
        Problem(.unprocessableContent, "invalid_request", "Something cannot be given", detail: detail)
    }

    fileprivate static let noAmount = mistake("amount: a number other than 0")
    fileprivate static let noBalance = mistake("balance: choose one")
    fileprivate static let noDay = mistake("lastDay: a day such as 2026-12-31, or nothing")
    fileprivate static let noProduct = mistake(
        "product: a product that gives access; if several apps have it, the app, Production or Sandbox, and its ID, "
            + "with / between them")
}
