package import Foundation
import InAppPurchase
package import Ledger

extension SQLLedger {
    package func append(_ entry: AuditEntry) async throws { try await write { try $0.append(entry) } }
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

// MARK: Reading the trail

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
    private static func sealed(_ dialect: SQLDialect) -> SQLStatement {
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
        return try row.map { try ChainPosition(position: $0["position"], hash: $0["hash"]) }
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
    /// Selects strings as bytes: SQLite stores invalid UTF-8, and what follows a zero, and reading either as text hides
    /// it.
    ///
    /// - Parameter content: an expression in place of the content.
    static func exactColumns(_ dialect: SQLDialect, content: String = "content") -> String {
        let texts = ["kind", "actor", "account", "subject"].map { "\(dialect.bytes(of: $0)) AS \($0)" }
        return "sequence, at, \(texts.joined(separator: ", ")), \(dialect.bytes(of: content)) AS content, contentHash"
    }

    /// Decodes the row, if every column has the form that a writer gives it.
    ///
    /// - Throws: ``/Ledger/TrailError`` if one has not.
    init(exactly row: SQLRow) throws {
        let sequence: Int = try row["sequence"]
        func text(_ column: String) throws -> String? {
            guard let bytes = try row.decodeIfPresent(column, as: Data.self) else { return nil }
            guard let text = String(data: bytes, encoding: .utf8) else {
                throw TrailError(.row(sequence: sequence), "its \(column) is no UTF-8")
            }
            return text
        }
        /// The content as it was hashed. Other strings in SQLite stay escaped, as they are in the seals' hashes.
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

// MARK: Seals

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
            var seals: [Seal] = []
            seals.reserveCapacity(unsealed.count)
            for row in unsealed {
                let next = try seal(AuditRow(exactly: row), last)
                seals.append(next)
                last = next
            }
            try rows.insert(seals)
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
        try insertAudit()
        return try all(Self.unsealed, [limit])
    }

    // A seal covers the hash of a content. The content itself is read only of the rows that are reported.
    private static let unsealed = SQLStatement {
        """
        SELECT \(AuditRow.exactColumns($0, content: "CASE WHEN kind = '\(AuditEntry.Kind.trailCut.rawValue)' THEN content END"))
        FROM audit
        WHERE sequence > coalesce((SELECT max(sequence) FROM auditSeals), 0) ORDER BY sequence LIMIT ?
        """
    }

    /// Inserts seals, with as few statements as possible.
    fileprivate func insert(_ seals: [Seal]) throws {
        var left = seals[...]
        while !left.isEmpty {
            guard let (count, statement) = Self.sealInsertions.first(where: { $0.count <= left.count }) else { return }
            try send(
                statement,
                values: left.prefix(count).flatMap { seal -> [SQLValue] in
                    [.integer(seal.position), .integer(seal.sequence), .blob(seal.hash)]
                })
            left = left.dropFirst(count)
        }
    }

    /// The statements that insert a number of seals, the largest number first.
    private static let sealInsertions = [64, 16, 4, 1].map { count in
        let rows = Array(repeating: "(?, ?, ?)", count: count).joined(separator: ", ")
        return (
            count: count,
            statement: SQLStatement(constant: "INSERT INTO auditSeals (position, sequence, hash) VALUES \(rows)")
        )
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
        try self.init(position: row["position"], sequence: row["sequence"], hash: row["hash"])
    }
}

extension Checkpoint {
    init(_ row: SQLRow) throws {
        try self.init(
            position: row["position"], hash: row["hash"], date: row.date("at"), key: row["key"],
            signature: row["signature"])
    }
}

// MARK: Erasure

extension SQLLedger {
    /// The maximum number of rows erased in one transaction and named by one audit row: players' writes then wait for
    /// less than a tenth of a second.
    private static let erasureBatch = 500

    package func eraseContent(_ choice: ErasureChoice, _ act: SupportAct) async throws -> ErasureOutcome {
        switch choice {
        case .account(let account): try await eraseContent(of: account, act)
        case .rows(let ranges): try await eraseContent(ofRows: ranges, act)
        }
    }

    private func eraseContent(of account: AccountID, _ act: SupportAct) async throws -> ErasureOutcome {
        // Rows written meanwhile, including those that record the erasure, are left to the next call.
        let last = try await read { try $0.lastSequence() }
        var (outcome, after) = (ErasureOutcome(), Int.min)
        while true {
            let cursor = after
            let found = try await write { rows in
                let found = try rows.erasable(of: account, after: cursor, upTo: last, limit: Self.erasureBatch)
                if !found.isEmpty { try rows.eraseContent(of: found, about: account, act) }
                return found
            }
            guard let end = found.last else { return outcome }
            (outcome.erased, after) = (outcome.erased + found.count, end)
        }
    }

    /// Erases the contents in one transaction: all of them, or none.
    private func eraseContent(ofRows ranges: [ClosedRange<Int>], _ act: SupportAct) async throws -> ErasureOutcome {
        try await write { rows in
            var (named, kept): ([Int], Int) = ([], 0)
            for range in ranges {
                for row in try rows.erasable(in: range, limit: ErasureChoice.maximumRows + 1) {
                    guard row.kind != AuditEntry.Kind.contentErased.rawValue else {
                        throw ErasureRefusal.tellsOfAnErasure(sequence: row.sequence)
                    }
                    named.append(row.sequence)
                    kept += row.hasContent ? 1 : 0
                }
                guard named.count <= ErasureChoice.maximumRows else { throw ErasureRefusal.tooManyRows }
            }
            guard !named.isEmpty else { throw ErasureRefusal.noSuchRow }
            try rows.eraseContent(of: named, about: nil, act)
            return ErasureOutcome(erased: kept, named: named.count - kept)
        }
    }
}

extension LedgerRows {
    fileprivate func lastSequence() throws -> Int {
        try insertAudit()
        return try one("SELECT max(sequence) AS last FROM audit", [])?["last"] ?? 0
    }

    /// The numbers of an account's rows that have a content and do not record an erasure themselves.
    fileprivate func erasable(of account: AccountID, after: Int, upTo last: Int, limit: Int) throws -> [Int] {
        try all(
            """
            SELECT sequence FROM audit
            WHERE account = ? AND sequence > ? AND sequence <= ? AND content IS NOT NULL AND kind <> ?
            ORDER BY sequence LIMIT ?
            """, [account.text, after, last, AuditEntry.Kind.contentErased.rawValue, limit]
        ).map { try $0["sequence"] }
    }

    fileprivate func erasable(
        in range: ClosedRange<Int>, limit: Int
    ) throws -> [(sequence: Int, kind: String, hasContent: Bool)] {
        try all(
            """
            SELECT sequence, kind, CASE WHEN content IS NULL THEN 0 ELSE 1 END AS has FROM audit
            WHERE sequence BETWEEN ? AND ? ORDER BY sequence LIMIT ?
            """, [range.lowerBound, range.upperBound, limit]
        ).map { try ($0["sequence"], $0["kind"], $0["has"] as Int == 1) }
    }

    /// Erases the contents, and records that in the same transaction.
    fileprivate func eraseContent(of sequences: [Int], about account: AccountID?, _ act: SupportAct) throws {
        for sequence in sequences {
            try send("UPDATE audit SET content = NULL WHERE sequence = ? AND content IS NOT NULL", [sequence])
        }
        try append(
            AuditEntry(
                .contentErased, by: act.actor, account: account,
                content: ["rows": ErasedRows(sequences).json, "reason": .string(act.reason)], at: act.date))
    }
}

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
