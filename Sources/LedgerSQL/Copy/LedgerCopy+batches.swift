import InAppPurchase

extension LedgerCopy {
    /// Copies the rows of a table that the target does not have. Rows are inserted in the order of their keys, a batch
    /// all or nothing, so that the number of the target's rows says which ones it has.
    func copy(
        _ table: LedgerTable, _ progress: inout LedgerCopyProgress, _ tell: @Sendable (LedgerCopyProgress) -> Void
    ) async throws {
        let shape = try await source.database.read { try TableShape(table, in: $0) }
        let known: Int = try await target.database.read { db in
            try db.one("SELECT count(*) AS rows FROM \(table.name)", [])?["rows"] ?? 0
        }
        progress.done += known
        var last = known > 0 ? try await key(ofRow: known, shape) : nil
        while true {
            try Task.checkCancellation()
            let after = last
            let batch = try await source.database.read { try Self.batch(of: shape, after: after, in: $0) }
            guard let end = batch.last else { return }
            try await target.database.write { db in
                try Self.insert(batch, shape, into: db)
                // Nothing is counted yet that the copied rows could change.
                try db.send("DELETE FROM reportChanges", [])
            }
            last = shape.key(of: end)
            progress.done += batch.count
            tell(progress)
        }
    }

    /// The key of a row, by its number counted from 1.
    private func key(ofRow number: Int, _ shape: TableShape) async throws -> [SQLValue] {
        let order = shape.order
        let row = try await source.database.read { db in
            try db.one(
                """
                SELECT \(shape.selected(db.dialect)) FROM \(shape.table.name) ORDER BY \(order) LIMIT 1 OFFSET ?
                """, [number - 1]
            ).map { try shape.values(of: $0) }
        }
        guard let row else { throw LedgerCopyRefusal.differs(shape.table.name) }
        return shape.key(of: row)
    }

    /// Thrown to end a selection when enough rows are read.
    private struct BatchIsFull: Error {}

    private static func batch(
        of shape: TableShape, after key: [SQLValue]?, in db: any SQLTransaction
    ) throws -> [[SQLValue]] {
        var (batch, bytes): ([[SQLValue]], Int) = ([], 0)
        do {
            try db.each(shape.page(db.dialect, isFirst: key == nil), (key ?? []) + [.integer(rowsInBatch)]) { row in
                let values = try shape.values(of: row)
                batch.append(values)
                bytes += values.reduce(0) { $0 + $1.size }
                if bytes > bytesInBatch { throw BatchIsFull() }
            }
        } catch is BatchIsFull {}
        return batch
    }

    /// Inserts rows by few distinct statements, which the database prepares once.
    private static func insert(_ rows: [[SQLValue]], _ shape: TableShape, into db: any SQLTransaction) throws {
        var rest = rows[...]
        while !rest.isEmpty {
            let count = rest.count < rowsInStatement ? 1 : rowsInStatement
            try db.send(shape.insertion(of: count, db.dialect), rest.prefix(count).flatMap { $0 })
            rest = rest.dropFirst(count)
        }
    }
}

extension TableShape {
    /// The order of the rows, by the table's own columns, which have an index, and not by expressions of the selection.
    fileprivate var order: String { table.key.map { "\(table.name).\($0)" }.joined(separator: ", ") }

    /// Selects the rows after a key, whose values are the first arguments; the last argument is the maximum number of
    /// rows.
    func page(_ dialect: SQLDialect, isFirst: Bool) -> SQLStatement {
        let placeholders = table.key.map { _ in "?" }.joined(separator: ", ")
        let after = isFirst ? "" : "WHERE (\(order)) > (\(placeholders)) "
        return "SELECT \(selected(dialect)) FROM \(table.name) \(after)ORDER BY \(order) LIMIT ?"
    }

    fileprivate func insertion(of count: Int, _ dialect: SQLDialect) -> SQLStatement {
        let row = "(\(columns.map { _ in "?" }.joined(separator: ", ")))"
        let rows = repeatElement(row, count: count).joined(separator: ", ")
        return """
            INSERT INTO \(table.name) (\(columns.map(\.name).joined(separator: ", "))) \(dialect.withNumbers)VALUES \(rows)
            """
    }
}

extension SQLValue {
    fileprivate var size: Int {
        switch self {
        case .null: 0
        case .integer: 8
        case .text(let text): text.utf8.count
        case .blob(let data): data.count
        }
    }
}
