import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The subscriptions of an account: a card for each, with what happens next, and its periods folded.
struct SubscriptionCards {
    let report: AccountReport
    let changes: [RenewalChange]
    let catalog: Catalog
    let visit: Visit

    /// The cards; `nil` if the account has no subscription.
    var block: Block? {
        let panels = lines.map(panel) + unlisted
        return panels.isEmpty ? nil : Block("Subscriptions", id: "subscriptions", panels: panels)
    }

    /// The periods of each subscription, the subscription with the newest one first.
    private var lines: [[RecordedTransaction]] {
        report.transactions.entries.filter(\.transaction.mayRenew).grouped(by: \.transaction.originalTransactionKey)
    }

    private func panel(_ records: [RecordedTransaction]) -> Panel {
        let newest = records.purchases.max { $0.recency < $1.recency } ?? records[records.startIndex]
        let (period, scope) = (newest.transaction, newest.transaction.scope)
        let title = catalog.cell(period.productID, of: period.app, note: scope.text)
        let folded = Panel.Folded(records.count == 1 ? "1 period" : "\(records.count) periods", table(of: records))
        guard newest.owner == report.facts.account else {
            let owner = Link("The account that has it", "/admin/accounts/\(newest.owner.text)")
            return Panel(
                title, Badge("Transferred", .waiting), "It belongs to another account now.",
                links: [owner] + links(newest, canBeMoved: false), folded: folded)
        }
        let words = words(about: period, records)
        let links = links(newest, canBeMoved: words.isLive) + (words.canBeExtended ? extensionLinks(period) : [])
        return Panel(title, words.state.badge, words.state.text, notes: words.notes, links: links, folded: folded)
    }

    private func words(about period: Transaction, _ records: [RecordedTransaction]) -> SubscriptionWords {
        let renewal = report.renewals[period.originalTransactionKey]
        let entitlement = report.entitlements.first { $0.scope == period.scope && $0.product == period.productID }
        let keys = Set(records.map(\.transaction.key))
        let change = changes.first { !$0.transactions.isDisjoint(with: keys) }
        return SubscriptionWords(
            status: SubscriptionStatus(
                period: period, renewal: renewal, isIntroductoryOfferUsed: nil, at: visit.date),
            period: period, end: period.expirationDate, access: entitlement.map { $0.accessByPurchases ?? $0.access },
            turnedOff: change.flatMap { $0.isOff && $0.date >= period.purchaseDate ? $0.date : nil }, now: visit.date,
            name: name(in: period.app))
    }

    private func name(in app: BundleID) -> (ProductID) -> String {
        { catalog.product($0, of: app)?.displayName ?? $0.text }
    }

    // MARK: Acts

    private func links(_ newest: RecordedTransaction, canBeMoved: Bool) -> [Link] {
        guard visit.mayChange else { return [] }
        let outcome = PurchaseOutcome(record: newest, report: report, catalog: catalog, visit: visit)
        return [outcome.remedy].compactMap { $0 }
            + PurchaseLinks(record: newest, report: report).links(canBeMoved: canBeMoved)
    }

    private func extensionLinks(_ period: Transaction) -> [Link] {
        let path = RenewalDatePages.path(period.environment, period.originalID)
        return visit.mayChange
            ? [Link(RenewalDatePages.title, "\(path)?bundleID=\(period.app.text.pathEncoded)")] : []
    }

    // MARK: Periods

    private func table(of records: [RecordedTransaction]) -> Table {
        Table(
            "Periods, newest first", columns: ["Bought", "Product", "Given?", "Transaction"],
            rows: records.map { PurchaseCells(record: $0, report: report, catalog: catalog, visit: visit).all })
    }

    /// The cards of subscriptions that give access, and whose periods are on a page of older purchases.
    private var unlisted: [Panel] {
        guard report.next != nil else { return [] }
        let listed = lines.joined().map(\.transaction)
        let missing = report.entitlements.filter { entitlement in
            entitlement.subscription != nil
                && !listed.contains { $0.scope == entitlement.scope && $0.productID == entitlement.product }
        }
        return missing.compactMap { entitlement in
            guard let status = entitlement.subscription, case .granted(let end) = entitlement.access else { return nil }
            let words = SubscriptionWords(
                status: status, end: end, access: entitlement.accessByPurchases ?? entitlement.access, now: visit.date,
                name: name(in: entitlement.scope.app))
            return Panel(
                catalog.cell(entitlement.product, of: entitlement.scope.app, note: entitlement.scope.text),
                words.state.badge, words.state.text,
                notes: words.notes + ["Its periods are among the older purchases."])
        }
    }
}
