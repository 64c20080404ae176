package import Foundation
package import InAppPurchase
package import Ledger
import ServerHTTP

/// Deliveries, as `GET /admin/v1/deliveries` returns them and `deliveries list --json` prints them, the oldest first.
package struct DeliveryListBody: Codable {
    /// The maximum number of entries in each list of a page.
    package static let maximumEntries = 1_000
    /// The range of hours, up to ten years.
    package static let hourBounds = 0...87_600

    package struct Delivery: Codable {
        var delivery: String
        var account: String
        var bundle: BundleName
        var version: String
        var sha256: String
        var firstHandedOut: Date
        var lastHandedOut: Date
        /// The number of times that the manifest was issued, without repeated requests within an hour.
        var count: Int
        /// Omitted if the client has not confirmed that it has the files.
        var confirmed: Date?
        /// The lifetime of its links in seconds; omitted if no app asked for one.
        var linkLifetime: Int?
        /// The app in which a purchase paid for it last; omitted if nobody paid.
        var app: BundleID?
        /// The purchase that paid for it last; omitted if nobody paid.
        var transaction: TransactionID?
    }

    /// A bundle that was paid for, and whose manifest was never requested.
    package struct Purchase: Codable {
        package var account: String
        package var bundle: BundleName
        package var app: BundleID
        package var product: ProductID
        package var transaction: TransactionID
        package var delivered: Date
    }

    package var deliveries: [Delivery]
    /// Omitted if all deliveries are requested.
    package var neverFetched: [Purchase]?
    /// Whether there are more entries than those in the lists.
    package var truncated: Bool

    /// The value of `after` for the next page; omitted on the last one.
    package var next: String?

    package init(_ ledger: any DeliveryLedger, _ query: DeliveryQuery) async throws {
        let (limit, after) = (query.limit + 1, query.after)
        let issued = try await ledger.manifestDeliveries(
            unconfirmed: query.unconfirmed, query.filter, after: after?.issued, limit: limit)
        let unfetched =
            query.unconfirmed
            ? try await ledger.purchasesNeverFetched(query.filter, after: after?.unfetched, limit: limit) : nil
        let (shown, missing) = (issued.prefix(query.limit), unfetched?.prefix(query.limit))
        deliveries = shown.map(Delivery.init)
        neverFetched = missing?.map(Purchase.init)
        truncated = max(issued.count, unfetched?.count ?? 0) == limit
        // A list that is at its end stays there while the other one goes on.
        let cursor = DeliveryCursor(
            issued: shown.last.map(DeliveryPosition.init) ?? after?.issued,
            unfetched: missing?.last.map(UnfetchedPosition.init) ?? after?.unfetched)
        next = truncated ? cursor.text : nil
    }

    /// Both lists; a bundle that was never requested has the purchase in place of the delivery.
    package func table(for output: TextOutput) -> TextTable {
        let issued = deliveries.map { delivery in
            [
                delivery.delivery, delivery.account, "\(delivery.bundle) \(delivery.version)",
                output.time(delivery.lastHandedOut),
                delivery.confirmed.map { "confirmed \(output.time($0))" } ?? "not confirmed",
            ]
        }
        let missing = (neverFetched ?? []).map { purchase in
            [
                "transaction \(purchase.transaction)", purchase.account, purchase.bundle.text,
                output.time(purchase.delivered), "never asked for",
            ]
        }
        return TextTable(["Delivery", "Account", "Bundle", "When", "State"], issued + missing)
    }
}

extension DeliveryListBody.Delivery {
    init(_ delivery: ManifestDelivery) {
        self.init(
            delivery: delivery.id, account: delivery.account.text, bundle: delivery.manifest.bundle,
            version: delivery.manifest.version, sha256: delivery.manifest.sha256, firstHandedOut: delivery.firstDate,
            lastHandedOut: delivery.lastDate, count: delivery.count, confirmed: delivery.confirmedAt,
            linkLifetime: delivery.manifest.linkLifetime, app: delivery.paidBy?.app, transaction: delivery.paidBy?.id)
    }
}

extension DeliveryListBody.Purchase {
    package init(_ purchase: UnfetchedPurchase) {
        self.init(
            account: purchase.account.text, bundle: purchase.bundle, app: purchase.transaction.app,
            product: purchase.product, transaction: purchase.transaction.id, delivered: purchase.date)
    }
}
