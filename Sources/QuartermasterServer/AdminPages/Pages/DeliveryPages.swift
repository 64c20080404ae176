import AdminPages
import Foundation
import Hummingbird
import InAppPurchase
import Ledger

/// Bundles that were paid for and did not arrive, as far as apps confirm what arrived.
struct DeliveryPages: Sendable {
    private static let rows = 100

    let ledger: any Ledger

    func add(to pages: PageRouter) {
        pages.page("/admin/deliveries", .deliveries) { .page(try await content($0)) }
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let hours = try visit.request.number("olderThan", in: DeliveryListBody.hourBounds) ?? 24
        let end = visit.date.addingTimeInterval(-3_600 * Double(hours))
        let unfetched = try await ledger.purchasesNeverFetched(until: end, limit: Self.rows)
        let unconfirmed = try await ledger.manifestDeliveries(unconfirmed: true, until: end, limit: Self.rows)
        return PageContent(
            "Deliveries",
            [
                Block(
                    text: "Bundles that were paid for more than \(hours) hours ago and are not known to have arrived. "
                        + "An app that never confirms leaves all its deliveries here.",
                    form: .query(
                        "/admin/deliveries",
                        [
                            .input(
                                "Older than, in hours", name: "olderThan", type: "number", value: "\(hours)")
                        ], button: "Show")),
                Block("Never asked for", table: table(unfetched, visit)),
                Block("Sent, and not confirmed", table: table(unconfirmed, visit)),
            ])
    }

    private func table(_ purchases: [UnfetchedPurchase], _ visit: Visit) -> Table {
        let rows = purchases.map { purchase -> [Cell] in
            [
                .time(visit.time(purchase.date).moment), Cell(purchase.bundle.text, note: purchase.product.text),
                .link(purchase.account.text, "/admin/accounts/\(purchase.account.text)"),
                .code(purchase.transaction.id.text).with(note: purchase.transaction.app.text),
            ]
        }
        return Table(
            "The oldest \(Self.rows) at most", columns: ["Bought", "Bundle", "Account", "Transaction"], rows: rows)
    }

    private func table(_ deliveries: [ManifestDelivery], _ visit: Visit) -> Table {
        let rows = deliveries.map { delivery -> [Cell] in
            [
                .time(visit.time(delivery.firstDate).moment),
                Cell("\(delivery.manifest.bundle) \(delivery.manifest.version)"),
                .link(delivery.account.text, "/admin/accounts/\(delivery.account.text)"),
                Cell("\(delivery.count)", note: "last \(visit.time(delivery.lastDate).distance)"),
            ]
        }
        return Table(
            "The oldest \(Self.rows) at most", columns: ["First sent", "Version", "Account", "Times sent"], rows: rows)
    }
}
