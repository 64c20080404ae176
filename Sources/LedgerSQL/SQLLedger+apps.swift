package import InAppPurchase
import Ledger

extension SQLLedger {
    /// The transactions that one query looks at.
    static let purchasesPerPage = 20_000

    package func hasPurchases(of app: BundleID) async throws -> Bool {
        try await hasPurchases(of: app, perPage: Self.purchasesPerPage)
    }

    /// - Parameter perPage: the transactions that one query looks at, at least one.
    func hasPurchases(of app: BundleID, perPage: Int) async throws -> Bool {
        let waits = try await read { rows in
            try rows.one("SELECT 1 FROM receipts WHERE app = ? AND retryAt IS NOT NULL LIMIT 1", [app]) != nil
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

    /// The last row of a page, and whether the page has one of the app. No index begins with the app: it would cost every
    /// purchase more than this act is worth.
    private static func page(of table: PurchaseTable, _ perPage: Int, _ dialect: SQLDialect) -> String {
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
