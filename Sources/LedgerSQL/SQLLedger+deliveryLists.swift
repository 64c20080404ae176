import Foundation
import InAppPurchase
package import Ledger

// Each filter has an index of its own that begins with it and continues with the date: however long the list is, a page
// reads what it shows.
extension SQLLedger {
    package func manifestDeliveries(
        unconfirmed: Bool, _ filter: DeliveryFilter, after position: DeliveryPosition?, limit: Int
    ) async throws -> [ManifestDelivery] {
        try await read { rows in
            let dialect = rows.db.dialect
            var arguments: [(any SQLConvertible)?] = [filter.until.milliseconds]
            let condition = filter.condition("d", &arguments)
            var next = ""
            if let position {
                next = "AND (d.firstAt, d.id) > (?, ?)"
                arguments += [position.date.milliseconds, position.id]
            }
            let index = dialect.using(index: filter.deliveryIndex(unconfirmed: unconfirmed))
            return try rows.all(
                """
                SELECT d.* FROM manifestDeliveries d \(index) \(unconfirmed ? Self.payment(dialect) : "")
                WHERE d.firstAt <= ? \(condition) \(next) \(unconfirmed ? Self.isOpen(dialect) : "")
                ORDER BY d.firstAt, d.id LIMIT ?
                """, arguments + [limit]
            ).map(ManifestDelivery.init)
        }
    }

    /// Joins what pays for a delivery; see ``LedgerRows/write(_:)-(UnfetchedPurchase)``.
    private static func payment(_ dialect: SQLDialect) -> String {
        """
        \(dialect.orderedJoin) transactions t
            ON t.app = d.app AND t.environment = 'Production' AND t.id = d.paidBy
        \(dialect.orderedJoin) lines l
            ON l.app = t.app AND l.environment = t.environment AND l.originalID = t.originalID
        """
    }

    private static func isOpen(_ dialect: SQLDialect) -> String {
        """
        AND d.confirmedAt IS NULL AND d.paidBy IS NOT NULL AND \(stands("d", dialect)) AND NOT EXISTS (
            SELECT 1 FROM manifestDeliveries c
            WHERE c.account = d.account AND c.bundle = d.bundle AND c.confirmedAt >= d.firstAt)
        """
    }

    /// Whether the account still has what it paid for.
    private static func stands(_ list: String, _ dialect: SQLDialect) -> String {
        """
        l.owner = \(list).account AND t.forgottenAt IS NULL AND t.revokedAt IS NULL
        """
    }

    package func purchasesNeverFetched(
        _ filter: DeliveryFilter, after position: UnfetchedPosition?, limit: Int
    ) async throws -> [UnfetchedPurchase] {
        try await read { rows in
            let dialect = rows.db.dialect
            var arguments: [(any SQLConvertible)?] = [filter.until.milliseconds]
            let condition = filter.condition("u", &arguments)
            var next = ""
            if let position {
                next = "AND (u.deliveredAt, u.account, u.bundle) > (?, ?, ?)"
                arguments += [position.date.milliseconds, position.account.text, position.bundle]
            }
            return try rows.all(
                """
                SELECT u.account, u.bundle, t.product, t.app, t.environment, t.id, u.deliveredAt
                FROM unfetchedBundles u \(filter.unfetchedIndex.map(dialect.using) ?? "")
                \(dialect.orderedJoin) transactions t
                    ON t.app = u.app AND t.environment = 'Production' AND t.id = u.id
                \(dialect.orderedJoin) lines l
                    ON l.app = t.app AND l.environment = t.environment AND l.originalID = t.originalID
                WHERE u.deliveredAt <= ? \(condition) \(next) AND \(Self.stands("u", dialect))
                ORDER BY u.deliveredAt, u.account, u.bundle LIMIT ?
                """, arguments + [limit]
            ).map(UnfetchedPurchase.init)
        }
    }
}

extension DeliveryFilter {
    /// The conditions besides the date, and their arguments.
    fileprivate func condition(_ table: String, _ arguments: inout [(any SQLConvertible)?]) -> String {
        var conditions = ""
        for (column, value) in [("account", account?.text), ("bundle", bundle?.text), ("app", app?.text)] {
            guard let value else { continue }
            conditions += " AND \(table).\(column) = ?"
            arguments.append(value)
        }
        return conditions
    }

    /// The index that has the rows of the list next to each other; an account has few deliveries.
    fileprivate func deliveryIndex(unconfirmed: Bool) -> String {
        if account != nil { return "manifestDeliveriesAccount" }
        guard unconfirmed else { return bundle == nil ? "manifestDeliveriesFirst" : "manifestDeliveriesBundle" }
        if bundle != nil { return "manifestDeliveriesPaidBundle" }
        return app == nil ? "manifestDeliveriesPaid" : "manifestDeliveriesPaidApp"
    }

    /// `nil` for the key, which begins with the account.
    fileprivate var unfetchedIndex: String? {
        if account != nil { return nil }
        if bundle != nil { return "unfetchedBundlesBundle" }
        return app == nil ? "unfetchedBundlesFirst" : "unfetchedBundlesApp"
    }
}
