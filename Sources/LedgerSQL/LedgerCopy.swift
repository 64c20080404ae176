import InAppPurchase

/// Carries a ledger over into an empty one, with every row of every table.
///
/// What was copied is committed batch by batch, and a mark in the target says of which ledger: one that was killed goes
/// on where it was. Until ``finish()`` no server opens the target.
package struct LedgerCopy: Sendable {
    /// The table in the target that says of which ledger a copy was begun, and that it is not finished.
    static let mark = "ledgerCopy"
    /// Rows of one transaction.
    static let rowsInBatch = 1_024
    /// A batch ends with the row that makes it larger than this.
    static let bytesInBatch = 1 << 20
    /// Rows that one statement writes.
    static let rowsInStatement = 64

    let source: SQLLedger
    let target: SQLLedger

    /// - Parameters:
    ///   - source: does not change meanwhile; each read sees the same.
    ///   - target: has the tables.
    package init(from source: SQLLedger, to target: SQLLedger) {
        self.source = source
        self.target = target
    }

    /// Copies what the target does not have yet, and compares every row of both. Again, it finds all of it done.
    ///
    /// - Parameter progress: told after each batch, from any thread.
    /// - Returns: how many rows the ledger has.
    /// - Throws: ``LedgerCopyRefusal`` where the target holds something else, ``InAppPurchase/LedgerUnavailable``, and
    ///   `CancellationError` between two batches.
    package func run(_ progress: @escaping @Sendable (LedgerCopyProgress) -> Void = { _ in }) async throws -> Int {
        try await requireSameColumns()
        let sums = try await sums(of: source, LedgerCopyProgress(.reading), progress)
        let rows = sums.reduce(0) { $0 + $1.rows }
        let isBegun = try await begin(TableSum.fingerprint(sums))
        if isBegun {
            var copied = LedgerCopyProgress(.copying, total: rows)
            for (table, sum) in zip(LedgerTable.all, sums) where sum.rows > 0 {
                try await copy(table, &copied, progress)
            }
            try await goOnNumbering()
        }
        let copies = try await self.sums(of: target, LedgerCopyProgress(.comparing, total: rows), progress)
        for (table, (sum, copy)) in zip(LedgerTable.all, zip(sums, copies)) where sum != copy {
            throw isBegun ? LedgerCopyRefusal.differs(table.name) : LedgerCopyRefusal.holdsALedger
        }
        return rows
    }

    /// Opens the target to servers. Again, it does nothing.
    package func finish() async throws {
        try await target.database.writeAlone { db in
            guard try db.copyMark() != nil else { return }
            try db.run("DROP TABLE \(Self.mark)", [])
        }
    }

    /// Whether a copy into the ledger is on its way.
    package static func isBegun(in transaction: any SQLTransaction) throws -> Bool { try transaction.copyMark() != nil }

    /// - Returns: false where there is a ledger and no mark: it may be the whole copy, of which only that was not told.
    private func begin(_ fingerprint: String) async throws -> Bool {
        try await target.database.writeAlone { db in
            if let mark = try db.copyMark() {
                guard mark == fingerprint else { throw LedgerCopyRefusal.otherCopy }
                return true
            }
            for table in LedgerTable.all {
                guard try db.one("SELECT 1 AS found FROM \(table.name) LIMIT 1", []) == nil else { return false }
            }
            try db.run("CREATE TABLE \(Self.mark) (source TEXT NOT NULL)", [])
            try db.run("INSERT INTO \(Self.mark) (source) VALUES (?)", [fingerprint])
            return true
        }
    }

    /// A column that only one of them has would be lost, or not filled.
    private func requireSameColumns() async throws {
        let names: @Sendable (any SQLTransaction) throws -> [Set<String>] = { db in
            try LedgerTable.all.map { try TableShape($0, in: db).names }
        }
        let (here, there) = (try await source.database.read(names), try await target.database.read(names))
        for (table, (here, there)) in zip(LedgerTable.all, zip(here, there)) where here != there {
            throw LedgerUnavailable("the table \(table.name) has other columns in the other ledger")
        }
    }

    private func goOnNumbering() async throws {
        try await target.database.write { db in
            for table in LedgerTable.all {
                guard let column = table.numbered,
                    let statement = db.dialect.goOnNumbering(column, of: table.name)
                else { continue }
                _ = try db.one(statement, [])
            }
        }
    }

    private func sums(
        of ledger: SQLLedger, _ begun: LedgerCopyProgress, _ tell: @escaping @Sendable (LedgerCopyProgress) -> Void
    ) async throws -> [TableSum] {
        // The columns of both in the source's order.
        let shapes = try await shapes()
        return try await ledger.database.read { db in
            var progress = begun
            return try shapes.map { shape in
                var sum = TableSum()
                try db.each("SELECT \(shape.selected(db.dialect)) FROM \(shape.table.name)", []) { row in
                    sum.add(try shape.values(of: row))
                    progress.done += 1
                    if progress.done.isMultiple(of: Self.rowsInBatch) { tell(progress) }
                }
                return sum
            }
        }
    }

    private func shapes() async throws -> [TableShape] {
        try await source.database.read { db in try LedgerTable.all.map { try TableShape($0, in: db) } }
    }
}

extension SQLTransaction {
    /// The fingerprint of the ledger whose copy was begun here; nil where none is on its way.
    fileprivate func copyMark() throws -> String? {
        guard try one(dialect.tableOfName, [LedgerCopy.mark]) != nil else { return nil }
        return try one("SELECT source FROM \(LedgerCopy.mark)", [])?["source"] ?? ""
    }
}
