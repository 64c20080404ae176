import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Transfers a purchase to another account.
struct TransferPages: Sendable {
    let acts: SupportActs

    func add(to pages: PageRouter) {
        pages.formPage("/admin/purchases/{environment}/{originalID}/transfer", .accounts, about: .narrowed) {
            .page(try await content($0))
        }
        pages.act(
            "/admin/purchases/{environment}/{originalID}/transfer", .accounts, about: .narrowed,
            on: { .page(try await content($0)) }
        ) { visit, form in
            let subject = try await subject(visit, app: form["bundleID"])
            guard let account = AccountID(text: form["to"]) else { throw Problem.invalidRequest("to: an account's ID") }
            _ = try await acts.answer(
                to: .transfer(subject.key, to: account), by: visit.administrator, reason: form["reason"])
            return .redirect("/admin/accounts/\(account.text)?done=transfer")
        }
        addUndo(to: pages)
    }

    private func addUndo(to pages: PageRouter) {
        pages.formPage("/admin/purchases/{environment}/{originalID}/transfer/undo", .accounts, about: .narrowed) {
            .page(try await undoing($0))
        }
        pages.act(
            "/admin/purchases/{environment}/{originalID}/transfer/undo", .accounts, about: .narrowed,
            on: { .page(try await undoing($0)) }
        ) { visit, form in
            let subject = try await subject(visit, app: form["bundleID"])
            _ = try await acts.answer(to: .undoTransfer(subject.key), by: visit.administrator, reason: form["reason"])
            let owner = try await self.subject(visit, app: form["bundleID"]).owner?.text ?? ""
            return .redirect("/admin/accounts/\(owner)?done=undo")
        }
    }

    private func undoing(_ visit: Visit) async throws -> PageContent {
        let subject = try await subject(visit, app: visit.query("bundleID") ?? "")
        let change = try await acts.preview(.undoTransfer(subject.key), by: visit.administrator)
        let (before, after) = (change.before["owner"]?.words ?? "", change.after["owner"]?.words ?? "")
        let facts =
            subject.facts(acts.decisions.context.catalog, visit) + [
                Fact("Owner now", .link(before, "/admin/accounts/\(before)")),
                Fact("Owner after it", .link(after, "/admin/accounts/\(after)")),
            ]
        guard change.before != change.after else {
            return PageContent(
                "Undo a transfer", notice: Notice("There is nothing to do: this is already the case.", .waiting),
                [Block(facts: facts, links: [subject.back])])
        }
        return PageContent(
            "Undo a transfer",
            [
                Block(facts: facts),
                Block(
                    text: "Access moves at once; credits stay where they are. No player's receipt moves it afterwards.",
                    form: .act(
                        Self.path(subject.key.environment, subject.key.originalID) + "/undo", csrf: visit.csrf,
                        hidden: [("bundleID", subject.key.app.text)], [AccountActPages.reason],
                        button: "Undo the transfer", isDangerous: true), links: [subject.back]),
            ])
    }

    /// The purchase in a path, and its owner.
    private struct Subject {
        var key: OriginalTransaction.Key
        /// The owner; `nil` if nobody presented the purchase.
        var owner: AccountID?
        /// The newest transaction; `nil` if none is recorded.
        var newest: Transaction?

        /// The purchase that is moved: the product, when it was bought, and for how much.
        func facts(_ catalog: Catalog, _ visit: Visit) -> [Fact] {
            let bought = newest.map { transaction in
                [
                    Fact(
                        "Product",
                        catalog.cell(transaction.productID, of: key.app, note: transaction.priceWords)),
                    Fact(
                        transaction.expirationDate == nil ? "Bought" : "Bought or renewed",
                        .time(visit.time(transaction.purchaseDate).moment)),
                ]
            }
            return (bought ?? []) + [
                Fact("Original transaction", Cell.code(key.originalID.text)),
                Fact("App", Cell(key.app.text, note: key.environment.rawValue)),
            ]
        }

        /// The consequences of moving it, with what cannot be taken back.
        var warning: String {
            owner == nil
                ? "It is given at once, with its credits. It can be transferred on to another account afterwards, but not "
                    + "be nobody's again, and its credits stay with this account."
                : "Access moves at once. No player's receipt can move it back afterwards."
        }

        var title: String { owner == nil ? "Give a purchase to an account" : "Transfer a purchase" }

        var back: Link {
            owner.map { Link("Back without changes", "/admin/accounts/\($0.text)") }
                ?? Link(
                    "Back without changes",
                    "/admin/accounts?originalTransaction=\(key.originalID.text.pathEncoded)")
        }
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let subject = try await subject(visit, app: visit.query("bundleID") ?? "")
        let owner = subject.owner.map { Cell.link($0.text, "/admin/accounts/\($0.text)") }
        let facts =
            subject.facts(acts.decisions.context.catalog, visit) + [
                Fact("Owner now", owner ?? Cell("nobody: no account presented it"))
            ]
        let text = visit.query("to")
        guard let to = text.flatMap({ AccountID(text: $0) }),
            let change = try await preview(.transfer(subject.key, to: to), visit)
        else {
            return PageContent(
                subject.title, notice: text == nil ? nil : Notice("There is no account with this ID.", .bad),
                [Block(facts: facts), Block(form: form(subject, visit), links: [subject.back])])
        }
        return PageContent(subject.title, confirmation(of: subject, change, facts, to, visit))
    }

    /// - Returns: `nil` if there is no such account.
    private func preview(_ request: SupportRequest, _ visit: Visit) async throws -> SupportChange? {
        do { return try await acts.preview(request, by: visit.administrator) } catch LedgerRefusal.unknownAccount {
            return nil
        }
    }

    private func confirmation(
        of subject: Subject, _ change: SupportChange, _ facts: [Fact], _ to: AccountID, _ visit: Visit
    ) -> [Block] {
        let (before, after) = (change.before["balances"], change.after["balances"])
        let credits =
            before == after
            ? subject.owner == nil ? "none" : "stay with the account that got them first"
            : "\(before?.words ?? "none") before, \(after?.words ?? "none") after it"
        let results = [
            Fact("Owner after it", .link(to.text, "/admin/accounts/\(to.text)")), Fact("Credits", Cell(credits)),
        ]
        let hidden = [("bundleID", subject.key.app.text), ("to", to.text)]
        return [
            Block(facts: facts + results),
            Block(
                text: subject.warning,
                form: .act(
                    Self.path(subject.key.environment, subject.key.originalID), csrf: visit.csrf, hidden: hidden,
                    [AccountActPages.reason], button: subject.owner == nil ? "Give" : "Transfer",
                    isDangerous: subject.owner != nil), links: [subject.back]),
        ]
    }

    private func form(_ subject: Subject, _ visit: Visit) -> Form {
        .query(
            Self.path(subject.key.environment, subject.key.originalID),
            [
                .choice("App", name: "bundleID", [(subject.key.app.text, subject.key.app.text)]),
                .input("New owner's account", name: "to", value: visit.query("to") ?? ""),
            ], button: "Preview the result")
    }

    static func path(_ environment: InAppPurchase.Environment, _ originalID: TransactionID) -> String {
        let parts = [environment.rawValue, originalID.text].map(\.pathEncoded)
        return "/admin/purchases/\(parts.joined(separator: "/"))/transfer"
    }

    private func subject(_ visit: Visit, app: String) async throws -> Subject {
        try visit.administrator.require(BundleID(stored: app))
        let id = try visit.context.pathPart("originalID", as: TransactionID.self)
        let environment = try visit.context.pathPart("environment")
        let found = try await acts.ledger.purchases(named: .originalTransaction(id))
        let subjects =
            (found?.originals ?? []).map { Subject(key: $0.key, owner: $0.owner) }
            + (found?.unclaimed ?? []).map { Subject(key: $0.key, newest: $0.transactions.entries.first) }
        var subject = subjects.first { $0.key.environment.rawValue == environment && $0.key.app.text == app }
        if let key = subject?.key, let record = try await acts.ledger.newestTransaction(of: key) {
            subject?.newest = record.transaction
        }
        guard let subject else { throw LedgerRefusal.unknownOriginalTransaction }
        return subject
    }
}
