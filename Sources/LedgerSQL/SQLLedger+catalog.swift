package import Foundation
import InAppPurchase
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
}

extension CatalogRevision {
    fileprivate init(_ row: SQLRow) throws { self.init(number: try row["number"], text: try row["text"]) }
}
