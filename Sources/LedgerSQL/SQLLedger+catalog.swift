package import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func newestCatalogRevision(after number: Int) async throws -> CatalogRevision? {
        try await read { rows in
            try rows.one(
                "SELECT number, text FROM catalogRevisions WHERE number > ? ORDER BY number DESC LIMIT 1", [number]
            ).map(CatalogRevision.init)
        }
    }

    package func catalogRevision(_ number: Int) async throws -> CatalogRevision? {
        try await read { rows in
            try rows.one("SELECT number, text FROM catalogRevisions WHERE number = ?", [number])
                .map(CatalogRevision.init)
        }
    }

    package func catalogHistory(before number: Int?, limit: Int) async throws -> [CatalogRevision.Summary] {
        try await read { rows in
            try rows.all(
                """
                SELECT number, actor, addedAt, length(text) AS bytes FROM catalogRevisions
                WHERE number < ? ORDER BY number DESC LIMIT ?
                """, [number ?? Int.max, limit]
            ).map { row in
                CatalogRevision.Summary(
                    number: try row["number"], actor: try row["actor"], date: try row.date("addedAt"),
                    bytes: try row["bytes"])
            }
        }
    }

    package func addCatalogRevision(
        _ text: Data, after number: Int, _ entry: AuditEntry
    ) async throws -> CatalogRevision? {
        try await write { rows in
            // Nobody has billions of revisions, but the number comes from a request.
            let (next, isTooLarge) = number.addingReportingOverflow(1)
            let newest: Int =
                try rows.one("SELECT coalesce(max(number), 0) AS newest FROM catalogRevisions", [])?["newest"] ?? 0
            guard !isTooLarge, newest == number else { return nil }
            let added = try rows.run(
                """
                INSERT INTO catalogRevisions (number, text, actor, addedAt) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
                """, [next, text, entry.actor?.name, entry.date.milliseconds])
            guard added == 1 else { return nil }
            try rows.append(entry)
            return CatalogRevision(number: next, text: text)
        }
    }

    /// The number of transactions that one query looks at.
    static let purchasesPerPage = 20_000

    package func hasPurchases(of app: BundleID) async throws -> Bool {
        try await hasPurchases(of: app, perPage: Self.purchasesPerPage)
    }

    /// - Parameter perPage: the number of transactions that one query looks at, at least one.
    func hasPurchases(of app: BundleID, perPage: Int) async throws -> Bool {
        let waits = try await read { rows in
            try rows.one(
                """
                SELECT 1 FROM receipts WHERE app = ?1 AND status = 'pending' UNION ALL
                SELECT 1 FROM receipts q WHERE \(RetryQueue.receipts.condition) AND app = ?1 LIMIT 1
                """, [app]) != nil
        }
        if waits { return true }
        for environment in Environment.known {
            for table in PurchaseTable.allCases {
                if try await has(app, environment, in: table, perPage) { return true }
            }
        }
        return false
    }

    /// The tables of purchases, each with its index by date.
    private enum PurchaseTable: String, CaseIterable {
        case transactions
        case unclaimedTransactions

        var index: String { self == .transactions ? "transactionsPurchased" : "unclaimedPurchased" }
    }

    private func has(
        _ app: BundleID, _ environment: Environment, in table: PurchaseTable, _ perPage: Int
    ) async throws -> Bool {
        // No app has an empty ID, so nothing comes before this position.
        var start = (date: Int.min, app: "", id: "")
        while true {
            let last = try await read { [start] rows in
                let row = try rows.one(
                    Self.page(of: table, perPage, rows.db.dialect),
                    [environment.rawValue, start.date, start.app, start.id, app])
                return try row.map { row in
                    let found: Int? = try row["found"]
                    return (
                        found: found != nil, date: try row.decode("purchasedAt", as: Int.self),
                        app: try row.decode("app", as: String.self), id: try row.decode("id", as: String.self)
                    )
                }
            }
            guard let last else { return false }
            if last.found { return true }
            start = (last.date, last.app, last.id)
        }
    }

    /// The last row of a page, and whether the page has one of the app. No index begins with the app: it would cost
    /// every purchase more than this act is worth.
    private static func page(of table: PurchaseTable, _ perPage: Int, _ dialect: SQLDialect) -> SQLStatement {
        """
        WITH looked AS (
            SELECT t.purchasedAt, t.app, t.id FROM \(table.rawValue) t \(dialect.using(index: table.index))
            WHERE t.environment = ? AND (t.purchasedAt, t.app, t.id) > (?, ?, ?)
            ORDER BY t.purchasedAt, t.app, t.id LIMIT \(perPage))
        SELECT (SELECT 1 FROM looked WHERE app = ? LIMIT 1) AS found, purchasedAt, app, id FROM looked
        ORDER BY purchasedAt DESC, app DESC, id DESC LIMIT 1
        """
    }
}

extension CatalogRevision {
    fileprivate init(_ row: SQLRow) throws { self.init(number: try row["number"], text: try row["text"]) }
}

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
