import Foundation
import GRDB
public import InAppPurchase

extension SQLiteLedger {
    public func readTrail<Result: Sendable>(
        after sequence: Int, into initial: Result, _ take: @escaping @Sendable (inout Result, TrailItem) throws -> Void
    ) async throws -> Result {
        try await read { rows in
            var result = initial
            try rows.readTrail(after: sequence) { try take(&result, $0) }
            return result
        }
    }
}

extension SQLiteRows {
    /// All of it in the snapshot of one transaction; cursors, so that one row is in memory at a time.
    fileprivate func readTrail(after sequence: Int, _ take: (TrailItem) throws -> Void) throws {
        let beginning = try beginning(after: sequence)
        try take(.beginning(after: beginning))
        let first = (beginning?.position ?? .min)
        let checkpoints = try Row.fetchCursor(
            db, sql: "SELECT * FROM auditCheckpoints WHERE position > ? ORDER BY position", arguments: [first])
        var checkpoint = try checkpoints.next().map(Checkpoint.init)
        let sealed = try Row.fetchCursor(
            db,
            sql: """
                SELECT s.position AS sealPosition, s.sequence AS sealSequence, s.hash AS sealHash, a.*
                FROM auditSeals s LEFT JOIN (SELECT \(AuditRow.exactColumns) FROM audit) a USING (sequence)
                WHERE s.position > ? ORDER BY s.position
                """, arguments: [first])
        while let row = try sealed.next() {
            let item = try TrailItem(sealed: row)
            while let due = checkpoint, due.position < item.position {
                try take(.checkpoint(due))
                checkpoint = try checkpoints.next().map(Checkpoint.init)
            }
            try take(item)
        }
        while let due = checkpoint {
            try take(.checkpoint(due))
            checkpoint = try checkpoints.next().map(Checkpoint.init)
        }
        try readUnsealed(after: sequence > 0 ? sequence : .min, take)
    }

    private func readUnsealed(after sequence: Int, _ take: (TrailItem) throws -> Void) throws {
        let unsealed = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(AuditRow.exactColumns) FROM audit
                WHERE sequence > ? AND sequence NOT IN (SELECT sequence FROM auditSeals) ORDER BY sequence
                """, arguments: [sequence])
        while let row = try unsealed.next() { try take(.row(try AuditRow(exactly: row), nil)) }
    }

    /// The place in the chain before the first row with a greater sequence number.
    private func beginning(after sequence: Int) throws -> ChainPlace? {
        guard sequence > 0 else { return nil }
        let row = try one(
            """
            SELECT position, hash FROM auditSeals WHERE position = coalesce(
                (SELECT min(position) - 1 FROM auditSeals WHERE sequence > ?),
                (SELECT max(position) FROM auditSeals))
            """, [sequence])
        return try row.map {
            ChainPlace(position: try $0.decode(forColumn: "position"), hash: try $0.decode(forColumn: "hash"))
        }
    }
}

extension TrailItem {
    fileprivate init(sealed row: Row) throws {
        let seal = Seal(
            position: try row.decode(forColumn: "sealPosition"), sequence: try row.decode(forColumn: "sealSequence"),
            hash: try row.decode(forColumn: "sealHash"))
        let isGone = row.hasNull(atIndex: 3)
        self = isGone ? .rowless(seal) : .row(try AuditRow(exactly: row), seal)
    }

    /// Of its seal.
    fileprivate var position: Int {
        switch self {
        case .row(_, let seal?), .rowless(let seal): seal.position
        case .row, .beginning, .checkpoint: .max
        }
    }
}

extension AuditRow {
    /// Texts as their bytes: SQLite keeps what is no UTF-8, and what follows a zero, and reading either as text hides it.
    static let exactColumns = """
        sequence, at, CAST(kind AS BLOB) AS kind, CAST(actor AS BLOB) AS actor, CAST(account AS BLOB) AS account,
        CAST(subject AS BLOB) AS subject, CAST(content AS BLOB) AS content, contentHash
        """

    /// The row, where every column is as a writer writes it.
    ///
    /// - Throws: ``TrailFault`` where one is not.
    init(exactly row: Row) throws {
        let sequence: Int = try row.decode(forColumn: "sequence")
        func text(_ column: String) throws -> String? {
            guard let bytes: Data = try row.decode(forColumn: column) else { return nil }
            guard let text = String(data: bytes, encoding: .utf8) else {
                throw TrailFault(.row(sequence: sequence), "its \(column) is no UTF-8")
            }
            return text
        }
        let accountText = try text("account")
        let account = accountText.flatMap { AccountID(uuidString: $0) }
        let (milliseconds, hash): (Int, Data) = try (row.decode(forColumn: "at"), row.decode(forColumn: "contentHash"))
        let date = Date(milliseconds: milliseconds)
        guard account?.text == accountText, date.milliseconds == milliseconds, let kind = try text("kind") else {
            throw TrailFault(.row(sequence: sequence), "no account, time or kind is written so")
        }
        self.init(
            sequence: sequence, date: date, kind: kind, actor: try text("actor"), account: account,
            subject: try text("subject"), content: try text("content"), contentHash: hash)
    }
}
