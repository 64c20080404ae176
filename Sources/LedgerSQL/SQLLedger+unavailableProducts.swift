package import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func recordUnavailable(
        _ products: [ProductID], of app: BundleID, from address: Data, at date: Date
    ) async throws {
        let day = ReceiptByteBudgets.day(of: date)
        // Most reports say what is known already; they write nothing.
        let new = try await read { rows in
            try products.filter { try !rows.isUnavailable($0, of: app, from: address, on: day) }
        }
        guard !new.isEmpty else { return }
        try await write { rows in
            let room = UnavailableProduct.maximumRowsPerDay - (try rows.countUnavailable(on: day))
            for product in new.prefix(max(0, room)) {
                try rows.addUnavailable(product, of: app, from: address, on: day)
            }
            try rows.deleteUnavailable(before: day - UnavailableProduct.storedDays + 1)
        }
    }

    package func unavailableProducts(of app: BundleID?) async throws -> [UnavailableProduct] {
        try await read { rows in
            try rows.all(
                """
                SELECT app, product, day, count(*) AS addresses FROM unavailableProducts
                \(app == nil ? "" : "WHERE app = ?") GROUP BY day, app, product
                HAVING count(*) >= \(UnavailableProduct.shownAddresses)
                ORDER BY day DESC, app, product LIMIT \(UnavailableProduct.maximumListed)
                """, app.map { [$0] } ?? []
            ).map { row in
                UnavailableProduct(
                    app: try row["app"], product: try row["product"], day: try row["day"],
                    addresses: try row["addresses"])
            }
        }
    }
}

extension LedgerRows {
    /// The maximum number of outdated rows that are deleted with each report: more than one report adds on average.
    private static let maximumDeletions = 200

    fileprivate func isUnavailable(
        _ product: ProductID, of app: BundleID, from address: Data, on day: Int
    ) throws -> Bool {
        try one(
            "SELECT 1 AS found FROM unavailableProducts WHERE day = ? AND app = ? AND product = ? AND address = ?",
            [day, app, product, address]) != nil
    }

    /// The number of the day's rows, up to their maximum.
    fileprivate func countUnavailable(on day: Int) throws -> Int {
        let sql: SQLStatement = """
            SELECT count(*) AS n FROM (
                SELECT 1 AS found FROM unavailableProducts WHERE day = ?
                LIMIT \(UnavailableProduct.maximumRowsPerDay)) AS found
            """
        return try one(sql, [day])?["n"] ?? 0
    }

    /// Adds a row if the product has room for another address.
    fileprivate func addUnavailable(_ product: ProductID, of app: BundleID, from address: Data, on day: Int) throws {
        let addresses: Int? = try one(
            "SELECT count(*) AS n FROM unavailableProducts WHERE day = ? AND app = ? AND product = ?",
            [day, app, product])?["n"]
        guard addresses ?? 0 < UnavailableProduct.maximumAddresses else { return }
        try send(
            """
            INSERT INTO unavailableProducts (day, app, product, address) VALUES (?, ?, ?, ?)
            ON CONFLICT (day, app, product, address) DO NOTHING
            """, [day, app, product, address])
    }

    fileprivate func deleteUnavailable(before day: Int) throws {
        let old = try all(
            """
            SELECT day, app, product, address FROM unavailableProducts WHERE day < ?
            ORDER BY day, app, product, address LIMIT \(Self.maximumDeletions)
            """, [day])
        for row in old {
            try send(
                "DELETE FROM unavailableProducts WHERE day = ? AND app = ? AND product = ? AND address = ?",
                [
                    row["day"] as Int, row["app"] as String, row["product"] as String, row["address"] as Data,
                ])
        }
    }
}
