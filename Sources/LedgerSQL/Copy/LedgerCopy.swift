import Ledger

/// Copies a ledger with every row of every table into an empty one.
///
/// Each batch is committed, and a marker in the target names the source ledger, so that an interrupted copy can be
/// resumed. Until ``finish()`` no server opens the target.
package struct LedgerCopy: Sendable {
    /// The marker: a table in the target that holds the fingerprint of the source while the copy is unfinished.
    static let mark = "ledgerCopy"
    /// The maximum number of rows of one transaction.
    static let rowsInBatch = 1_024
    /// A batch ends with the row that makes it larger than this, in bytes.
    static let bytesInBatch = 1 << 20
    /// The maximum number of rows that one statement inserts.
    static let rowsInStatement = 64

    let source: SQLLedger
    let target: SQLLedger

    /// - Parameters:
    ///   - source: does not change during the copy; each read sees the same.
    ///   - target: has the tables.
    package init(from source: SQLLedger, to target: SQLLedger) {
        self.source = source
        self.target = target
    }

    /// Copies what the target does not have yet, and compares every row of both. Idempotent.
    ///
    /// - Parameter progress: called after each batch, from any thread.
    /// - Returns: how many rows the ledger has.
    /// - Throws: ``LedgerCopyRefusal`` if the target holds something else, ``/Ledger/LedgerUnavailable``, and
    ///   `CancellationError` between two batches.
    package func run(_ progress: @escaping @Sendable (LedgerCopyProgress) -> Void = { _ in }) async throws -> Int {
        try await requireSameColumns()
        let sums = try await sums(of: source, LedgerCopyProgress(.reading), progress)
        let rows = sums.reduce(0) { $0 + $1.rows }
        let isBegun = try await begin(TableSum.fingerprint(sums))
        if isBegun {
            var copied = LedgerCopyProgress(.copying, total: rows)
            for (table, sum) in zip(LedgerTable.copied, sums) where sum.rows > 0 {
                try await copy(table, &copied, progress)
            }
            try await goOnNumbering()
        }
        let copies = try await self.sums(of: target, LedgerCopyProgress(.comparing, total: rows), progress)
        for (table, (sum, copy)) in zip(LedgerTable.copied, zip(sums, copies)) where sum != copy {
            throw isBegun ? LedgerCopyRefusal.differs(table.name) : LedgerCopyRefusal.holdsALedger
        }
        return rows
    }

    /// Removes the marker, so that servers open the target. Idempotent.
    package func finish() async throws {
        try await target.database.writeAlone { db in
            guard try db.copyMark() != nil else { return }
            try db.run("DROP TABLE \(Self.mark)", [])
        }
    }

    /// Whether the ledger holds an unfinished copy.
    package static func isBegun(in transaction: any SQLTransaction) throws -> Bool { try transaction.copyMark() != nil }

    /// - Returns: `false` if there is a ledger without a marker: it may be a finished copy whose success was not
    ///   reported.
    private func begin(_ fingerprint: String) async throws -> Bool {
        try await target.database.writeAlone { db in
            if let mark = try db.copyMark() {
                guard mark == fingerprint else { throw LedgerCopyRefusal.otherCopy }
                return true
            }
            for table in LedgerTable.copied {
                guard try db.one("SELECT 1 AS found FROM \(table.name) LIMIT 1", []) == nil else { return false }
            }
            try db.run("CREATE TABLE \(Self.mark) (source TEXT NOT NULL)", [])
            try db.run("INSERT INTO \(Self.mark) (source) VALUES (?)", [fingerprint])
            return true
        }
    }

    /// Refuses tables of which only one ledger has a column, since its values would be lost, or missing.
    private func requireSameColumns() async throws {
        let names: @Sendable (any SQLTransaction) throws -> [Set<String>] = { db in
            try LedgerTable.copied.map { try TableShape($0, in: db).names }
        }
        let (here, there) = (try await source.database.read(names), try await target.database.read(names))
        for (table, (here, there)) in zip(LedgerTable.copied, zip(here, there)) where here != there {
            throw LedgerUnavailable("the table \(table.name) has other columns in the other ledger")
        }
    }

    private func goOnNumbering() async throws {
        try await target.database.write { db in
            for table in LedgerTable.copied {
                guard let column = table.numbered, let statement = db.dialect.goOnNumbering(column, of: table.name)
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
        try await source.database.read { db in try LedgerTable.copied.map { try TableShape($0, in: db) } }
    }
}

extension SQLTransaction {
    /// The fingerprint of the source of an unfinished copy; `nil` if there is none.
    fileprivate func copyMark() throws -> String? {
        guard try one(dialect.tableOfName, [LedgerCopy.mark]) != nil else { return nil }
        return try one("SELECT source FROM \(LedgerCopy.mark)", [])?["source"] ?? ""
    }
}

/// The progress of a copy of a ledger.
package struct LedgerCopyProgress: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// The source is read once, to compute its fingerprint.
        case reading
        case copying
        /// The copied rows are read and compared.
        case comparing
    }

    package var step: Step
    /// The rows done.
    package var done = 0
    /// The rows in total; `nil` if it is not known yet.
    package var total: Int?

    package init(_ step: Step, total: Int? = nil) {
        self.step = step
        self.total = total
    }
}

/// The reason why a ledger is not copied. Nothing is written except what an unfinished copy already has.
package enum LedgerCopyRefusal: Error, Hashable, CustomStringConvertible {
    /// The target holds a ledger that is in use.
    case holdsALedger
    /// The target holds an unfinished copy of another ledger, or of an earlier state of this one.
    case otherCopy
    /// A table of the target differs from what was copied.
    case differs(String)

    package var description: String {
        switch self {
        case .holdsALedger: "it holds another ledger; a copy goes into an empty database"
        case .otherCopy: "it holds a begun copy of another ledger, or of this one before it changed; empty it first"
        case .differs(let table): "the table \(table) there has other rows than were copied; empty it first"
        }
    }
}
