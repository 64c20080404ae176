import Foundation
import InAppPurchase
package import Ledger

extension SQLLedger {
    package func append(_ entry: AuditEntry) async throws {
        try await write { try $0.append(entry) }
    }

    package func auditRows(after sequence: Int, limit: Int) async throws -> [AuditRow] {
        try await read { rows in
            try rows.all("SELECT * FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?", [sequence, limit])
                .map { try AuditRow($0) }
        }
    }
}

extension AuditRow {
    init(_ row: SQLRow) throws {
        let account: String? = try row["account"]
        try self.init(
            sequence: row["sequence"], date: row.date("at"), kind: row["kind"], actor: row["actor"],
            account: account.flatMap(AccountID.init(text:)), subject: row["subject"], content: row["content"],
            contentHash: row["contentHash"])
    }
}
