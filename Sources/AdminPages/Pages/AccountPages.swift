import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Finds accounts, and shows one with all that is recorded about it.
struct AccountPages: Sendable {
    /// The rows of the timeline on one page.
    static let timelineRows = 20
    /// The rows of the timeline on an account's first page, beneath all else.
    static let newestTimelineRows = 3
    /// The rows of the newest accounts on one page.
    static let newestRows = 50

    let ledger: any ReceiptLedger & SupportLedger & AuditLedger
    let decisions: ServingContext
    let store: any Store

    func add(to pages: PageRouter) {
        pages.page("/admin/accounts", .accounts, about: .narrowed) { try await find($0) }
        pages.page("/admin/accounts/{account}", .accounts, about: .narrowed) { .page(try await show($0)) }
    }

    private func find(_ visit: Visit) async throws -> PageAnswer {
        do { return try await found(visit) } catch let error as SearchError {
            let links = visit.administrator.reach == .everything ? [Link("The newest accounts", "/admin/accounts")] : []
            return .page(
                PageContent(
                    "Accounts", notice: Notice(error.text, .bad), status: .badRequest,
                    [Block(form: AccountSearch.form(visit), links: links)]))
        }
    }

    private func found(_ visit: Visit) async throws -> PageAnswer {
        let search = AccountSearch(
            search: PurchaseSearch(
                ledger: ledger, decisions: decisions, store: store, administrator: visit.administrator))
        guard let found = try await search.found(visit) else {
            // Accounts belong to no app.
            guard visit.administrator.reach == .everything else {
                return .page(
                    PageContent("Accounts", [Block(form: AccountSearch.form(visit), links: Self.acts(visit))]))
            }
            return .page(try await newest(visit, search.search))
        }
        let accounts = Set(found.accounts.map(\.account))
        if accounts.count == 1, found.unclaimed.isEmpty, let account = accounts.first {
            return .redirect("/admin/accounts/\(account)")
        }
        return .page(FoundView(found: found, visit: visit, catalog: decisions.context.catalog).content)
    }

    private static func acts(_ visit: Visit) -> [Link] {
        visit.mayChange ? [Link(GiftPages.title, GiftPages.path)] : []
    }

    /// The form, and the newest accounts.
    private func newest(_ visit: Visit, _ search: PurchaseSearch) async throws -> PageContent {
        let found = try await search.answer(to: .newest(after: visit.query("after"), limit: Self.newestRows))
        let table = FoundView.table(found.accounts, "Accounts, newest first", visit)
        return PageContent(
            "Accounts",
            [
                Block(form: AccountSearch.form(visit), links: Self.acts(visit)),
                Block(
                    "The newest", id: "newest", table: table,
                    links: [
                        visit.query("after").map { _ in Link("The newest accounts", "/admin/accounts#newest") },
                        found.next.map { Link("Older accounts", "/admin/accounts?after=\($0)#newest") },
                    ].compactMap { $0 }),
            ])
    }

    private func show(_ visit: Visit) async throws -> PageContent {
        let account = try visit.context.namedAccount
        let before = try visit.request.number("before", in: 1...Int.max)
        let position = try visit.query("purchases").map { try PurchasePosition(parameter: $0) }
        let (reach, isFirst) = (visit.administrator.reach, position == nil && before == nil)
        let report = try await ledger.accountReport(
            of: account, after: position, limit: AccountReport.maximumEntries, narrowedTo: reach, in: decisions.context)
        guard let report else { throw LedgerRefusal.unknownAccount }
        var filter = AuditFilter(account: account)
        filter.reach = reach
        let limit = before == nil ? Self.newestTimelineRows : Self.timelineRows
        let rows = try await ledger.newestAuditRows(matching: filter, before: before, limit: limit + 1).rows
        var content = PageContent("Account \(account.text.prefix(AccountView.shownCharacters))", [])
        content.notice = visit.query("done").flatMap(AccountAct.notice)
        let view = AccountView(
            report: report, changes: isFirst ? try await changes(report, visit) : [],
            catalog: decisions.context.catalog, visit: visit)
        if position != nil { content.blocks = [view.purchases, Block(links: [view.back])] }
        guard position == nil else { return content }
        content.blocks = (before == nil ? view.blocks : []) + [timeline(rows, limit, of: account, before, visit)]
        return content
    }

    /// The changes of the renewal of subscriptions that do not renew.
    private func changes(_ report: AccountReport, _ visit: Visit) async throws -> [RenewalChange] {
        guard report.renewals.values.contains(where: { $0.willAutoRenew == false }) else { return [] }
        return try await RenewalChange.newest(of: report.facts.account, in: visit.administrator.reach, ledger)
    }

    private func timeline(
        _ rows: [AuditRow], _ limit: Int, of account: AccountID, _ before: Int?, _ visit: Visit
    ) -> Block {
        let shown = rows.prefix(limit)
        let path = "/admin/accounts/\(account.text)"
        var links = before == nil ? [] : [Link("Back to the account", path)]
        if rows.count > shown.count, let last = shown.last {
            links.append(Link("Older events", "\(path)?before=\(last.sequence)#timeline"))
        }
        if visit.administrator.reach == .everything {
            links.append(Link("All of it in the audit trail", "/admin/audit?account=\(account.text)"))
        }
        return Block(
            "Timeline", id: "timeline",
            text: visit.administrator.reach == .everything
                ? "All that is recorded, newest first." : "What is recorded and names your apps, newest first.",
            timeline: shown.filter(visit.administrator.reach.includes).map { $0.entry(visit) }, links: links)
    }
}
