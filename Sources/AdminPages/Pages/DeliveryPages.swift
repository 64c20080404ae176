import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Bundles that were paid for and not delivered, as far as apps confirm deliveries.
struct DeliveryPages: Sendable {
    private static let path = "/admin/deliveries"
    private static let title = "Deliveries"
    private static let filters = ["olderThan", "bundleID", "bundle", "account"]
    private static let rows = 50
    /// A day: a bundle that was just bought is still on its way.
    private static let hours = 24

    let ledger: any DeliveryLedger
    let decisions: ServingContext

    func add(to pages: PageRouter) { pages.page("/admin/deliveries", .deliveries) { .page(try await content($0)) } }

    private func content(_ visit: Visit) async throws -> PageContent {
        do { return try await list(visit) } catch let error as Problem {
            return try PageContent(Self.title, error, in: Self.form(visit))
        }
    }

    private static func form(_ visit: Visit) -> Form {
        func input(_ label: String, _ name: String, _ hint: String) -> Field {
            .input(label, name: name, value: visit.query(name) ?? "", hint: hint, isRequired: false)
        }
        return .filter(
            path,
            [
                .input(
                    "Older than, in hours", name: "olderThan", type: "number",
                    value: visit.query("olderThan") ?? "\(hours)"),
                input("App", "bundleID", "Its bundle ID; empty for all."), input("Bundle", "bundle", "Empty for all."),
                input("Account", "account", "Its ID; empty for all."),
            ], button: "Show", isSet: filters.contains { visit.query($0) != nil })
    }

    private func list(_ visit: Visit) async throws -> PageContent {
        let text = visit.query("olderThan") ?? "\(Self.hours)"
        guard let hours = Int(text), DeliveryListBody.hourBounds.contains(hours) else {
            throw Problem.invalidRequest("olderThan: a whole number in \(DeliveryListBody.hourBounds)")
        }
        let filter = try DeliveryFilter(olderThan: hours, at: visit.date) { visit.query($0) }
        let cursor = try visit.query("after").map(DeliveryCursor.init(parameter:)) ?? DeliveryCursor()
        let unfetched = try await ledger.purchasesNeverFetched(filter, after: cursor.unfetched, limit: Self.rows + 1)
        let issued = try await ledger.manifestDeliveries(
            unconfirmed: true, filter, after: cursor.issued, limit: Self.rows + 1)
        return PageContent(
            Self.title,
            [
                Block(text: Self.explanation(hours), form: Self.form(visit)),
                Block(
                    "Never asked for", id: "unfetched", table: table(unfetched.prefix(Self.rows), visit),
                    links: Self.links(visit, "unfetched", cursor.unfetched != nil, Self.last(unfetched)) {
                        DeliveryCursor(issued: cursor.issued, unfetched: $0.map(UnfetchedPosition.init))
                    }),
                Block(
                    "Sent, and not confirmed", id: "issued", table: table(issued.prefix(Self.rows), visit),
                    links: Self.links(visit, "issued", cursor.issued != nil, Self.last(issued)) {
                        DeliveryCursor(issued: $0.map(DeliveryPosition.init), unfetched: cursor.unfetched)
                    }),
            ])
    }

    private static func explanation(_ hours: Int) -> String {
        "Bundles that were paid for more than \(hours) hours ago and are not known to have arrived. Only purchases count "
            + "that were not refunded: nobody paid for open bundles, for what support gave, or in the sandbox. An app that "
            + "never confirms leaves all its deliveries here."
    }

    /// The last entry of a page; `nil` if there is no other page.
    private static func last<Entry>(_ listed: [Entry]) -> Entry? {
        listed.count > rows ? listed.prefix(rows).last : nil
    }

    /// The links to the first and the next page of one list, which leave the other list where it is.
    ///
    /// - Parameter cursor: makes the cursor of the page after an entry, or without one of the first page.
    private static func links<Entry>(
        _ visit: Visit, _ id: String, _ isLater: Bool, _ last: Entry?, _ cursor: (Entry?) -> DeliveryCursor
    ) -> [Link] {
        let filter = filters.compactMap { name in
            visit.query(name).map { "\(name)=\($0.pathEncoded)" }
        }
        func path(_ cursor: DeliveryCursor) -> String {
            let after = cursor == DeliveryCursor() ? [] : ["after=\(cursor.text.pathEncoded)"]
            let query = (filter + after).joined(separator: "&")
            return "\(Self.path)\(query.isEmpty ? "" : "?\(query)")#\(id)"
        }
        return (isLater ? [Link("The oldest ones", path(cursor(nil)))] : [])
            + (last.map { [Link("Newer ones", path(cursor($0)))] } ?? [])
    }

    private func table(_ purchases: ArraySlice<UnfetchedPurchase>, _ visit: Visit) -> Table {
        let catalog = decisions.context.catalog
        let rows = purchases.map { purchase -> [Cell] in
            [
                .time(visit.time(purchase.date).moment),
                Cell(purchase.bundle.text, note: catalog.words(purchase.product, of: purchase.transaction.app)),
                .link(purchase.account.text, "/admin/accounts/\(purchase.account.text)"),
                .code(purchase.transaction.id.text).with(note: purchase.transaction.app.text),
            ]
        }
        return Table("Oldest first", columns: ["Bought", "Bundle", "Account", "Transaction"], rows: rows)
    }

    private func table(_ deliveries: ArraySlice<ManifestDelivery>, _ visit: Visit) -> Table {
        let rows = deliveries.map { delivery -> [Cell] in
            [
                .time(visit.time(delivery.firstDate).moment),
                Cell("\(delivery.manifest.bundle) \(delivery.manifest.version)"),
                .link(delivery.account.text, "/admin/accounts/\(delivery.account.text)"),
                Cell("\(delivery.count)", note: "last \(visit.time(delivery.lastDate).distance)"),
                delivery.paidBy.map { .code($0.id.text).with(note: $0.app.text) } ?? Cell(),
            ]
        }
        return Table(
            "Oldest first", columns: ["First sent", "Version", "Account", "Times sent", "Transaction"], rows: rows)
    }
}
