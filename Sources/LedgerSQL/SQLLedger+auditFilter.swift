import Foundation
import InAppPurchase
package import Ledger

extension SQLLedger {
    package func auditRows(matching filter: AuditFilter, after sequence: Int, limit: Int) async throws -> AuditRowPage {
        try await page(filter, .oldestFirst, from: sequence, limit: limit)
    }

    package func newestAuditRows(
        matching filter: AuditFilter, before sequence: Int?, limit: Int
    ) async throws -> AuditRowPage {
        try await page(filter, .newestFirst, from: sequence ?? .max, limit: limit)
    }

    private enum Direction {
        case oldestFirst, newestFirst
    }

    private func page(
        _ filter: AuditFilter, _ direction: Direction, from position: Int, limit: Int
    ) async throws -> AuditRowPage {
        let order = direction == .oldestFirst ? Self.forward : Self.backward
        let statements = filter.account == nil ? order.ofAll : order.ofAccount
        let looksAt = filter.choosesAll ? min(limit, filter.looksAt) : filter.looksAt
        let bounds: SQLArguments = [position, looksAt]
        let window = filter.account.map { [$0.text] + bounds } ?? bounds
        let (kind, actor) = (filter.kind ?? "", filter.actor ?? "")
        let (since, until) = (filter.since?.milliseconds ?? .min, filter.until?.milliseconds ?? .max)
        let apps = try (filter.reach.apps ?? []).map { #""app":\#(try JSON.encode($0.text))"# }
        return try await read { rows in
            let condition = filter.reach == .everything ? "" : Self.naming(oneOf: apps.count, rows.db.dialect)
            let found = try rows.all(
                statements.rows(condition), window + [kind, kind, actor, actor, since, until] + apps + [limit]
            ).map { try AuditRow($0) }
            if found.count == limit, let last = found.last { return AuditRowPage(rows: found, next: last.sequence) }
            guard let extent = try rows.one(statements.extent, window) else {
                return AuditRowPage(rows: found, next: nil)
            }
            let looked: Int = try extent["looked"]
            let last: Int? = try extent["last"]
            return AuditRowPage(rows: found, next: looked == looksAt ? last : nil)
        }
    }

    /// The condition that a row's content names one of some apps, whose members are arguments. Receipts name the apps
    /// of their transactions, and no single one.
    private static func naming(oneOf count: Int, _ dialect: SQLDialect) -> String {
        let names = repeatElement(dialect.contains("content"), count: count).joined(separator: " OR ")
        return count == 0 ? "AND 1 = 0" : "AND (\(names))"
    }

    /// The statements of one direction, of all accounts and of one.
    private typealias Order = (ofAll: Statements, ofAccount: Statements)
    /// The rows that match among those that are looked at, and the extent of the latter.
    private typealias Statements = (rows: @Sendable (_ condition: String) -> SQLStatement, extent: SQLStatement)

    private static let forward: Order = (
        statements("sequence > ? ORDER BY sequence", last: "max(sequence)", order: "sequence"),
        statements("account = ? AND sequence > ? ORDER BY sequence", last: "max(sequence)", order: "sequence")
    )
    private static let backward: Order = (
        statements("sequence < ? ORDER BY sequence DESC", last: "min(sequence)", order: "sequence DESC"),
        statements("account = ? AND sequence < ? ORDER BY sequence DESC", last: "min(sequence)", order: "sequence DESC")
    )

    private static func statements(_ window: String, last: String, order: String) -> Statements {
        (
            { condition in
                """
                SELECT * FROM (SELECT * FROM audit WHERE \(window) LIMIT ?) AS looked
                WHERE (? = '' OR kind = ?) AND (? = '' OR actor = ?) AND at >= ? AND at < ? \(condition)
                ORDER BY \(order) LIMIT ?
                """
            },
            """
            SELECT count(*) AS looked, \(last) AS last
            FROM (SELECT sequence FROM audit WHERE \(window) LIMIT ?) AS looked
            """
        )
    }
}
