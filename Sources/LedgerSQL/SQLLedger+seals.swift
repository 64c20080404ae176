package import Foundation
import InAppPurchase
package import Ledger

extension SQLLedger {
    package func sealRows(
        atMost limit: Int, at date: Date, _ seal: @escaping @Sendable (AuditRow, Seal?) throws -> Seal
    ) async throws -> Int {
        // Avoids the exclusive lock if there is nothing to seal.
        guard try await read({ try $0.unsealed(atMost: 1).isEmpty }) == false else { return 0 }
        // Serializable isolation is not enough: an entry may have its number and not be committed yet, and sealing
        // continues after the last number.
        return try await writeAlone { rows in
            var last = try rows.lastSeal()
            if let highest = try rows.highestSealed(), last?.sequence ?? 0 < highest {
                try rows.append(
                    AuditEntry(
                        .trailCut,
                        content: ["highest": .integer(highest), "found": .integer(last?.sequence ?? 0)], at: date))
            }
            let unsealed = try rows.unsealed(atMost: limit)
            for row in unsealed {
                let next = try seal(AuditRow(exactly: row), last)
                try rows.send(
                    "INSERT INTO auditSeals (position, sequence, hash) VALUES (?, ?, ?)",
                    [next.position, next.sequence, next.hash])
                last = next
            }
            if let last { try rows.setHighestSealed(last.sequence) }
            return unsealed.count
        }
    }

    package func addCheckpoint(
        _ sign: @escaping @Sendable (Seal, Checkpoint?) throws -> Checkpoint?
    ) async throws -> Checkpoint? {
        try await write { rows in
            let earlier = try rows.lastCheckpoint()
            guard let last = try rows.lastSeal(), last.position > earlier?.position ?? 0,
                let checkpoint = try sign(last, earlier)
            else { return nil }
            try rows.send(
                "INSERT INTO auditCheckpoints (position, hash, at, key, signature) VALUES (?, ?, ?, ?, ?)",
                [
                    checkpoint.position, checkpoint.hash, checkpoint.date.milliseconds, checkpoint.key,
                    checkpoint.signature,
                ])
            return checkpoint
        }
    }
}

extension LedgerRows {
    fileprivate func unsealed(atMost limit: Int) throws -> [SQLRow] {
        try all(
            """
            SELECT \(AuditRow.exactColumns(db.dialect)) FROM audit
            WHERE sequence > coalesce((SELECT max(sequence) FROM auditSeals), 0) ORDER BY sequence LIMIT ?
            """, [limit])
    }

    /// The highest sequence number that was sealed; `nil` if no version that stores it has sealed yet.
    ///
    /// PostgreSQL's own sequence cannot tell: it also counts what was rolled back.
    func highestSealed() throws -> Int? {
        try one("SELECT value FROM keyValues WHERE key = ?", [highestSealedKey])
            .flatMap { Int(String(decoding: try $0["value"] as Data, as: UTF8.self)) }
    }

    fileprivate func setHighestSealed(_ sequence: Int) throws {
        try send(
            """
            INSERT INTO keyValues (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value
            """, [highestSealedKey, Data(String(sequence).utf8)])
    }

    private var highestSealedKey: String { "audit/highestSealed" }

    // An aggregate of the key, since the planner uses a scan for "ORDER BY … LIMIT 1".
    fileprivate func lastSeal() throws -> Seal? {
        try one("SELECT * FROM auditSeals WHERE position = (SELECT max(position) FROM auditSeals)", [])
            .map(Seal.init)
    }

    fileprivate func lastCheckpoint() throws -> Checkpoint? {
        try one("SELECT * FROM auditCheckpoints WHERE position = (SELECT max(position) FROM auditCheckpoints)", [])
            .map(Checkpoint.init)
    }
}

extension Seal {
    init(_ row: SQLRow) throws {
        try self.init(
            position: row["position"], sequence: row["sequence"], hash: row["hash"])
    }
}

extension Checkpoint {
    init(_ row: SQLRow) throws {
        try self.init(
            position: row["position"], hash: row["hash"], date: row.date("at"), key: row["key"],
            signature: row["signature"])
    }
}
