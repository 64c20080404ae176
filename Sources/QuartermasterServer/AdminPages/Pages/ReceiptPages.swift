import AdminPages
import Foundation
import Hummingbird
import InAppPurchase
import Ledger

/// Receipts that wait for the store, or were refused.
struct ReceiptPages: Sendable {
    private static let rows = 50

    let acts: SupportActs

    func add(to pages: PageRouter) {
        pages.page("/admin/receipts", .receipts, about: .narrowed) { .page(try await content($0)) }
        let retryPath: RouterPath = "/admin/receipts/{receipt}/retry"
        pages.formPage(retryPath, .receipts, about: .narrowed) { .page(try await retry($0)) }
        pages.act(retryPath, .receipts, about: .narrowed, on: { .page(try await retry($0)) }) { visit, form in
            let id = try visit.context.pathPart("receipt")
            _ = try await acts.answer(to: .retryReceipt(id), by: visit.administrator, reason: form["reason"])
            return .redirect("/admin/receipts?status=pending&done=retry")
        }
    }

    private func retry(_ visit: Visit) async throws -> PageContent {
        let id = try visit.context.pathPart("receipt")
        let change = try await acts.preview(.retryReceipt(id), by: visit.administrator)
        let back = Link("Back, and change nothing", "/admin/receipts?status=pending")
        guard change.before != change.after else {
            return PageContent(
                "Ask again now", notice: Notice("There is nothing to do: the receipt does not wait.", .waiting),
                [Block(facts: [Fact("Receipt", .code(id))], links: [back])])
        }
        return PageContent(
            "Ask again now",
            [
                Block(facts: [
                    Fact("Receipt", .code(id)), Fact("Now", Cell(change.wordsBefore(visit))),
                    Fact("After it", Cell(change.wordsAfter(visit))),
                ]),
                Block(
                    text: "The store is asked within seconds, whatever it answered before.",
                    form: .act(
                        "/admin/receipts/\(id.pathEncoded)/retry", csrf: visit.csrf, [AccountActPages.reason],
                        button: "Ask again now"), links: [back]),
            ])
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let status = visit.query("status").flatMap(ListedReceipt.Status.init) ?? .pending
        let listed = try await acts.ledger.receipts(status, after: visit.query("after"), limit: Self.rows + 1)
        guard let listed else { throw Problem.invalidRequest("after: the ID of a receipt") }
        let shown = listed.prefix(Self.rows)
        var links = [
            status == .pending
                ? Link("Refused receipts", "/admin/receipts?status=rejected")
                : Link("Waiting receipts", "/admin/receipts?status=pending")
        ]
        if listed.count > shown.count, let last = shown.last {
            links.append(
                Link("Newer ones", "/admin/receipts?status=\(status.rawValue)&after=\(last.facts.id.pathEncoded)"))
        }
        let pending = status == .pending
        let table = Self.table(
            shown.filter { $0.facts.isWithin(visit.administrator.reach) }.map { ($0.facts, $0.account) },
            pending ? "Waiting, oldest first" : "Refused, oldest first", visit)
        return PageContent(
            pending ? "Receipts that wait for the store" : "Receipts that were refused",
            notice: visit.query("done") == "retry" ? Notice("The store is asked within seconds.", .good) : nil,
            [
                Block(
                    text: pending
                        ? "The store is asked again by itself. Access that it gave before is not taken away meanwhile."
                        : "A refused receipt is no proof of a purchase, and will not become one.",
                    table: table, links: links)
            ])
    }

    /// - Parameter receipts: each with the account that sent it, unless that is known.
    static func table(
        _ receipts: [(facts: ReceiptFacts, account: AccountID?)], _ caption: String, _ visit: Visit
    ) -> Table {
        let withAccounts = receipts.contains { $0.account != nil }
        let rows = receipts.map { receipt, account -> [Cell] in
            let account = account.map { [Cell.link($0.text, "/admin/accounts/\($0.text)")] } ?? []
            let retry = Link("Ask again now", "/admin/receipts/\(receipt.id.pathEncoded)/retry")
            return [
                .time(visit.time(receipt.recordedAt).moment), standing(receipt, visit), .code(receipt.id),
                Cell(receipt.kind.rawValue, note: receipt.bundleID?.text),
                .actions(visit.mayChange && receipt.status == .pending ? [retry] : []),
            ] + account
        }
        return Table(
            caption,
            columns: ["Received", "How it stands", "Receipt", "Kind", "Acts"] + (withAccounts ? ["Account"] : []),
            rows: rows)
    }

    private static func standing(_ receipt: ReceiptFacts, _ visit: Visit) -> Cell {
        switch receipt.status {
        case .pending:
            let next = receipt.retryAt.map { "asked again \(visit.time($0).distance)" }
            return .badge(
                "Waits", .waiting,
                note: ["the store gave no answer \(receipt.attempts.count) times", next].compactMap { $0 }
                    .joined(separator: ", "))
        case .rejected: return .badge("Refused", .bad, note: receipt.rejection?.words)
        case .conflict: return .badge("Of another account", .bad, note: DenialReason.ownedByAnotherAccount.words)
        case .verified: return .badge("Genuine", .good)
        }
    }
}
