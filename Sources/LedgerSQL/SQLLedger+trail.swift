import Foundation
import InAppPurchase
package import Ledger

extension SQLLedger {
    package func readTrail<Result: Sendable>(
        after sequence: Int, into initial: Result, _ take: @escaping @Sendable (inout Result, TrailItem) throws -> Void
    ) async throws -> Result {
        try await read { rows in
            var result = initial
            try rows.readTrail(after: sequence) { try take(&result, $0) }
            return result
        }
    }
}

extension LedgerRows {
    /// Reads all of it in the snapshot of one transaction; one row is in memory at a time.
    fileprivate func readTrail(after sequence: Int, _ take: (TrailItem) throws -> Void) throws {
        let beginning = try beginning(after: sequence)
        try take(.beginning(after: beginning))
        try db.each(Self.sealed(db.dialect), [beginning?.position ?? .min]) { try take(TrailItem(sealed: $0)) }
        try db.each(
            """
            SELECT \(AuditRow.exactColumns(db.dialect)) FROM audit
            WHERE sequence > ? AND sequence NOT IN (SELECT sequence FROM auditSeals) ORDER BY sequence
            """, [sequence > 0 ? sequence : .min]
        ) { try take(.row(AuditRow(exactly: $0), nil)) }
        try take(.end(highest: highestGiven()))
    }

    /// SQLite's counter is rolled back with its transaction; on every database the highest sealed number is stored.
    private func highestGiven() throws -> Int? {
        let counted: Int? = try db.dialect.highestNumber(inTable: "audit").flatMap { try one($0, [])?["highest"] }
        return try [counted, highestSealed()].compactMap { $0 }.max()
    }

    /// Each seal with its row, and after the seal of a checkpoint's position the checkpoint.
    private static func sealed(_ dialect: SQLDialect) -> String {
        """
        SELECT s.position AS place, 0 AS isCheckpoint, s.sequence AS sealSequence, s.hash AS sealHash,
            NULL AS signedAt, NULL AS signingKey, NULL AS signature,
            a.sequence, a.at, a.kind, a.actor, a.account, a.subject, a.content, a.contentHash
        FROM auditSeals s LEFT JOIN (SELECT \(AuditRow.exactColumns(dialect)) FROM audit) a ON a.sequence = s.sequence
        WHERE s.position > ?1
        UNION ALL
        SELECT position, 1, NULL, hash, at, key, signature, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM auditCheckpoints WHERE position > ?1
        ORDER BY place, isCheckpoint
        """
    }

    /// The position in the chain before the first row with a greater sequence number.
    private func beginning(after sequence: Int) throws -> ChainPosition? {
        guard sequence > 0 else { return nil }
        let row = try one(
            """
            SELECT position, hash FROM auditSeals WHERE position = coalesce(
                (SELECT min(position) - 1 FROM auditSeals WHERE sequence > ?),
                (SELECT max(position) FROM auditSeals))
            """, [sequence])
        return try row.map {
            try ChainPosition(position: $0["position"], hash: $0["hash"])
        }
    }
}

extension TrailItem {
    fileprivate init(sealed row: SQLRow) throws {
        if try row["isCheckpoint"] {
            self = .checkpoint(
                try Checkpoint(
                    position: row["place"], hash: row["sealHash"], date: row.date("signedAt"), key: row["signingKey"],
                    signature: row["signature"]))
        } else {
            let seal = try Seal(position: row["place"], sequence: row["sealSequence"], hash: row["sealHash"])
            let isGone = try (row["sequence"] as Int?) == nil
            self = isGone ? .rowless(seal) : .row(try AuditRow(exactly: row), seal)
        }
    }
}

extension AuditRow {
    /// Selects texts as bytes: SQLite stores invalid UTF-8, and what follows a zero, and reading either as text hides
    /// it.
    static func exactColumns(_ dialect: SQLDialect) -> String {
        let texts = ["kind", "actor", "account", "subject", "content"].map { "\(dialect.bytes(of: $0)) AS \($0)" }
        return "sequence, at, \(texts.joined(separator: ", ")), contentHash"
    }

    /// Decodes the row, if every column has the form that a writer gives it.
    ///
    /// - Throws: ``TrailError`` if one has not.
    init(exactly row: SQLRow) throws {
        let sequence: Int = try row["sequence"]
        func text(_ column: String) throws -> String? {
            guard let bytes = try row.decodeIfPresent(column, as: Data.self) else { return nil }
            guard let text = String(data: bytes, encoding: .utf8) else {
                throw TrailError(.row(sequence: sequence), "its \(column) is no UTF-8")
            }
            return text
        }
        /// The content as it was hashed. Other texts in SQLite stay escaped, as they are in the seals' hashes.
        func content() throws -> String? {
            guard case .blob = try row.decodeIfPresent("content", as: SQLValue.self) else { return try text("content") }
            return try text("content").map(StoredText.decode)
        }
        let accountText = try text("account")
        let account = accountText.flatMap { AccountID(text: $0) }
        let (milliseconds, hash): (Int, Data) = try (row["at"], row["contentHash"])
        let date = Date(milliseconds: milliseconds)
        guard account?.text == accountText, date.milliseconds == milliseconds, let kind = try text("kind") else {
            throw TrailError(.row(sequence: sequence), "no account, time or kind is written so")
        }
        self.init(
            sequence: sequence, date: date, kind: kind, actor: try text("actor"), account: account,
            subject: try text("subject"), content: try content(), contentHash: hash)
    }
}
