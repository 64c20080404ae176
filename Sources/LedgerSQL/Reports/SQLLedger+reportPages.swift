package import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func reportPage(
        _ scan: ReportScan, after position: ReportPage.Position?, limit: Int
    ) async throws -> ReportPage {
        try await read { try $0.reportPage(scan, after: position, limit: limit) }
    }

    package func accounts(
        createdBefore date: Date, _ account: AccountID?, limit: Int
    ) async throws -> [AccountFacts] {
        try await read { try $0.newestAccounts(before: date.milliseconds, account?.text ?? "", limit) }
    }
}

extension LedgerRows {
    func reportPage(_ scan: ReportScan, after position: ReportPage.Position?, limit: Int) throws -> ReportPage {
        let found = try all(scan.page(db.dialect, limit: limit), scan.arguments(after: position))
        return ReportPage(
            transactions: try found.map(ReportedTransaction.init),
            next: found.count < limit ? nil : try found.last.map(ReportPage.Position.init))
    }
}

extension ReportScan {
    /// A page of the scan by its index, which is named, since SQLite has no statistics to choose it by.
    fileprivate func page(_ dialect: SQLDialect, limit: Int) -> SQLStatement {
        """
        SELECT t.app, t.environment, t.id, t.originalID, \(isClaimed ? "t.product" : "''") AS product, t.purchasedAt,
            t.expiresAt, t.\(column) AS at, \(isClaimed ? "t.creditedTo" : "NULL") AS creditedTo,
            \(isClaimed ? "coalesce(t.purchaseFacts, t.facts)" : "t.facts") AS facts,
            \(dialect.member("type", of: "m.product")) AS termsType,
            \(readsEarlier ? neighbour("<", "DESC", dialect) : "NULL") AS earlier,
            \(readsLater ? neighbour(">", "ASC", dialect) : "NULL") AS later,
            \(selection == .expiring ? Self.renewal : "NULL") AS renewal
        FROM \(table) t \(dialect.using(index: index)) LEFT JOIN terms m ON m.hash = t.terms
        WHERE t.environment = ? AND t.\(column) < ? AND (t.\(column), t.app, t.id) > (?, ?, ?)
            \(app == nil ? "" : "AND t.app = ?") \(selection == .running ? "AND t.purchasedAt < ?" : "")
            AND \(condition)
        ORDER BY t.\(column), t.app, t.id LIMIT \(limit)
        """
    }

    fileprivate func arguments(after position: ReportPage.Position?) -> SQLArguments {
        // No app has an empty ID, so nothing comes before this position.
        let start = (position?.milliseconds ?? from.milliseconds, position?.app.text ?? "", position?.id.text ?? "")
        let range: SQLArguments = [environment.rawValue, to.milliseconds, start.0, start.1, start.2]
        return range + (app.map { [$0] } ?? []) + (selection == .running ? [from.milliseconds] : [])
    }

    private var table: String { isClaimed ? "transactions" : "unclaimedTransactions" }

    private var readsEarlier: Bool { selection == .purchased || selection == .revoked }

    private var readsLater: Bool { selection != .purchased }

    private var column: String {
        switch selection {
        case .purchased: "purchasedAt"
        case .revoked: "revokedAt"
        case .expiring, .running: "expiresAt"
        }
    }

    private var index: String {
        switch selection {
        case .purchased: prefix + "Purchased"
        case .revoked: prefix + "Revoked"
        case .expiring, .running: prefix + "Expiring"
        }
    }

    private var prefix: String { isClaimed ? "transactions" : "unclaimed" }

    /// A purchase counts once, by the copy that gave it its name.
    private static func isNoCopy(_ table: String) -> String {
        "(\(table).purchase IS NULL OR \(table).purchase = \(table).id)"
    }

    /// Transactions that waited for an owner stay in their table when they get one.
    private var condition: String {
        // What only added seats begins and ends no period, but was paid for.
        let seats = readsEarlier ? " OR t.purchase = '\(RecordedTransaction.seatsSign)'" : ""
        return isClaimed
            ? "t.forgottenAt IS NULL AND (\(Self.isNoCopy("t"))\(seats))"
            : """
            NOT EXISTS (
                SELECT 1 FROM lines l
                WHERE l.app = t.app AND l.environment = t.environment AND l.originalID = t.originalID)
            """
    }

    /// The period of the same original transaction before (`<`, `DESC`) or after it.
    private func neighbour(_ comparison: String, _ order: String, _ dialect: SQLDialect) -> String {
        """
        CASE WHEN t.expiresAt IS NOT NULL THEN (
            SELECT \(NeighbourRow.selection("n", isClaimed: isClaimed)) FROM \(table) n \(dialect.using(index: prefix + "Line"))
            WHERE n.app = t.app AND n.environment = t.environment AND n.originalID = t.originalID
                AND (n.purchasedAt, n.id) \(comparison) (t.purchasedAt, t.id)
                \(isClaimed ? "AND n.forgottenAt IS NULL AND \(Self.isNoCopy("n"))" : "")
            ORDER BY n.purchasedAt \(order), n.id \(order) LIMIT 1) END
        """
    }

    private static let renewal = """
        (
            SELECT r.facts FROM renewals r
            WHERE r.app = t.app AND r.environment = t.environment AND r.originalID = t.originalID)
        """
}

extension ReportPage.Position {
    fileprivate init(_ row: SQLRow) throws { try self.init(milliseconds: row["at"], app: row["app"], id: row["id"]) }
}

extension ReportedTransaction {
    // Not by the cache of facts: a report would fill it with transactions that no player asks for.
    fileprivate init(_ row: SQLRow) throws {
        let columns = try row.transactionColumns()
        func neighbour(_ column: String) throws -> Transaction? {
            try (row[column] as String?).map { try NeighbourRow($0, of: columns).transaction() }
        }
        try self.init(
            transaction: FactsCodec.decodeUncached(row["facts"], columns),
            creditedTo: (row["creditedTo"] as String?).flatMap(AccountID.init(text:)),
            termsType: (row["termsType"] as String?).map(ProductType.init(rawValue:)), earlier: neighbour("earlier"),
            later: neighbour("later"),
            renewal: (row["renewal"] as String?).map { try JSON.decode(RenewalFacts.self, from: $0) })
    }
}
