import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Receipts that wait for the store, or were refused.
struct ReceiptPages: Sendable {
    private static let rows = 50

    let ledger: any ReportLedger
    let acts: SupportActs

    func add(to pages: PageRouter) {
        pages.page("/admin/receipts", .receipts, about: .narrowed) { .page(try await content($0)) }
        let retryPath = "/admin/receipts/{receipt}/retry"
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
        let back = Link("Back without changes", "/admin/receipts?status=pending")
        guard change.before != change.after else {
            return PageContent(
                "Ask again now", notice: Notice("There is nothing to do: the receipt is not waiting.", .waiting),
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
                    text: "The App Store is asked within seconds, whatever it answered before.",
                    form: .act(
                        "/admin/receipts/\(id.pathEncoded)/retry", csrf: visit.csrf, [AccountActPages.reason],
                        button: "Ask again now"), links: [back]),
            ])
    }

    // MARK: The list

    private func content(_ visit: Visit) async throws -> PageContent {
        do { return try await list(visit) } catch let error as Problem {
            return try PageContent("Receipts", error, in: Self.form(visit, visit.query("status")))
        }
    }

    /// Those that wait begin with the one that has waited longest, those that were refused with the last one.
    private func list(_ visit: Visit) async throws -> PageContent {
        var query = try ReceiptListQuery(limit: Self.rows + 1) { name in
            switch name {
            case "status": visit.query(name) ?? ListedReceipt.Status.pending.rawValue
            case "order": visit.query("status") == ListedReceipt.Status.rejected.rawValue ? "newest" : "oldest"
            default: visit.query(name)
            }
        }
        query.reach = visit.administrator.reach
        guard let listed = try await ledger.receipts(query) else { throw Problem.noSuchReceipt }
        let (shown, pending) = (listed.prefix(Self.rows), query.status == .pending)
        let last = listed.count > shown.count ? shown.last : nil
        let table = Self.table(
            shown.map { ($0.facts, $0.account) },
            pending ? "Waiting, oldest first" : "Refused, newest first", visit)
        return PageContent(
            pending ? "Receipts that wait for the App Store" : "Receipts that were refused",
            notice: visit.query("done") == "retry" ? Notice("The App Store is asked within seconds.", .good) : nil,
            [
                Block(
                    text: pending
                        ? "The App Store is asked again by itself. Access that it gave before is not taken away "
                            + "meanwhile."
                        : "A refused receipt does not prove a purchase, and never will.",
                    form: Self.form(visit, query.status.rawValue)),
                Block(table: table, links: Self.links(query, last)),
            ])
    }

    private static func form(_ visit: Visit, _ status: String?) -> Form {
        let reasons = ReceiptRejection.Reason.allCases.map { (value: $0.rawValue, text: $0.words) }
        let reason = Field.choice("Reason", name: "reason", [("", "any")] + reasons, selected: visit.query("reason"))
        let fields: [Field] = [
            .choice("Which", name: "status", [("pending", "waiting"), ("rejected", "refused")], selected: status),
            .input(
                "App", name: "bundleID", value: visit.query("bundleID") ?? "", hint: "Its bundle ID; empty for all.",
                isRequired: false),
        ]
        return .filter(
            "/admin/receipts", fields + (status == "rejected" ? [reason] : []), button: "Show",
            isSet: ["bundleID", "reason"].contains { visit.query($0) != nil })
    }

    /// - Parameter last: the last receipt of the page; `nil` if there is no other page.
    private static func links(_ query: ReceiptListQuery, _ last: ListedReceipt?) -> [Link] {
        let pending = query.status == .pending
        let parameters = [
            ("status", query.status.rawValue), ("bundleID", query.app?.text), ("reason", query.reason?.rawValue),
        ]
        let filter = parameters.compactMap { name, value in value.map { "\(name)=\($0.pathEncoded)" } }
            .joined(separator: "&")
        let first = Link(pending ? "The oldest ones" : "The newest ones", "/admin/receipts?\(filter)")
        let further = last.map {
            Link(pending ? "Newer ones" : "Older ones", "/admin/receipts?\(filter)&after=\($0.facts.id.pathEncoded)")
        }
        let other =
            pending
            ? Link("Refused receipts", "/admin/receipts?status=rejected")
            : Link("Waiting receipts", "/admin/receipts?status=pending")
        return [query.after == nil ? nil : first, further, other].compactMap { $0 }
    }

    /// - Parameter receipts: each with the account that sent it; `nil` if the page names it already.
    static func table(
        _ receipts: [(facts: ReceiptFacts, account: AccountID?)], _ caption: String, _ visit: Visit
    ) -> Table {
        let withAccounts = receipts.contains { $0.account != nil }
        let rows = receipts.map { receipt, account -> [Cell] in
            let account = account.map { [Cell.link($0.text, "/admin/accounts/\($0.text)")] } ?? []
            let retry = Link("Ask again now", "/admin/receipts/\(receipt.id.pathEncoded)/retry")
            return [
                .time(visit.time(receipt.recordedAt).moment), standing(receipt, visit), .code(receipt.id),
                Cell(receipt.kind.words, note: receipt.bundleID?.text),
                .actions(visit.mayChange && receipt.status == .pending ? [retry] : []),
            ] + account
        }
        return Table(
            caption, columns: ["Received", "Status", "Receipt", "Kind", "Acts"] + (withAccounts ? ["Account"] : []),
            rows: rows)
    }

    private static func standing(_ receipt: ReceiptFacts, _ visit: Visit) -> Cell {
        switch receipt.status {
        case .pending:
            let next = receipt.retryAt.map { "asked again \(visit.time($0).distance)" }
            return .badge(
                "Waits", .waiting,
                note: [receipt.attempts.words, next].compactMap { $0 }.joined(separator: ", "))
        case .rejected: return .badge("Refused", .bad, note: receipt.rejection.map { "\($0.words) \($0.remedy)" })
        case .conflict: return .badge("Of another account", .bad, note: DenialReason.ownedByAnotherAccount.words)
        case .verified:
            guard receipt.isBelowMinimum, let version = receipt.appVersion else { return .badge("Genuine", .good) }
            return .badge(
                "Genuine", .waiting, note: "App version \(version), below the minimum of receiptVersions")
        }
    }
}
