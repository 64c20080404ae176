import Foundation
import InAppPurchase
import Ledger

/// Deliveries, as `GET /admin/v1/deliveries` returns them and `deliveries list --json` prints them, the oldest first.
struct DeliveryListBody: Encodable {
    /// The maximum of entries in each list; further ones are found by asking for older ones.
    static let maximumEntries = 1_000
    /// The range of hours, up to ten years.
    static let hourBounds = 0...87_600

    struct Delivery: Encodable {
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
    }

    /// A bundle that was paid for, and whose manifest was never requested.
    struct Purchase: Encodable {
        var account: String
        var bundle: BundleName
        var app: BundleID
        var product: ProductID
        var transaction: TransactionID
        var delivered: Date
    }

    var deliveries: [Delivery]
    /// Omitted if all deliveries are requested.
    var neverFetched: [Purchase]?
    /// Whether there are more entries than those in the lists.
    var truncated: Bool

    /// - Parameter unconfirmed: lists only what was paid for and did not arrive.
    init(_ ledger: any Ledger, unconfirmed: Bool, until date: Date) async throws {
        let limit = Self.maximumEntries + 1
        let handedOut = try await ledger.manifestDeliveries(unconfirmed: unconfirmed, until: date, limit: limit)
        let unfetched = unconfirmed ? try await ledger.purchasesNeverFetched(until: date, limit: limit) : nil
        deliveries = handedOut.prefix(Self.maximumEntries).map(Delivery.init)
        neverFetched = unfetched?.prefix(Self.maximumEntries).map(Purchase.init)
        truncated = max(handedOut.count, unfetched?.count ?? 0) == limit
    }

    /// The date this many hours ago; `nil` for hours outside ``hourBounds``.
    static func date(hours: Int, before now: Date) -> Date? {
        hourBounds.contains(hours) ? now.addingTimeInterval(-3_600 * Double(hours)) : nil
    }

    /// Both lists; a bundle that nobody asked for has the purchase in the place of the delivery.
    func table(for output: TextOutput) -> TextTable {
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
            linkLifetime: delivery.manifest.linkLifetime)
    }
}

extension DeliveryListBody.Purchase {
    init(_ purchase: UnfetchedPurchase) {
        self.init(
            account: purchase.account.text, bundle: purchase.bundle, app: purchase.transaction.app,
            product: purchase.product, transaction: purchase.transaction.id, delivered: purchase.date)
    }
}
