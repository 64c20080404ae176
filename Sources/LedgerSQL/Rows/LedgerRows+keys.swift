import InAppPurchase

extension Transaction.Key: RowKey {
    static var columns: String { "app, environment, id" }
    var arguments: SQLArguments { [app, environment.rawValue, id] }
}

extension OriginalTransaction.Key: RowKey {
    static var columns: String { "app, environment, originalID" }
    var arguments: SQLArguments { [app, environment.rawValue, originalID] }
}

extension LedgerRows {
    /// The numbers of keys that one statement selects; few, so that few statements are prepared.
    private static let batches = [1, 8, 64]

    /// Selects the rows of all keys, with one statement for many of them.
    ///
    /// - Parameters:
    ///   - selection: has `FROM keys`, a table with the columns of a key, and a join that keeps it first.
    ///   - arguments: of the selection.
    func all<Key: RowKey>(
        of keys: Set<Key>, _ selection: String, _ arguments: SQLArguments = []
    ) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        var left = Array(keys)[...]
        while !left.isEmpty {
            let size = Self.batches.first { $0 >= left.count } ?? Self.batches.last ?? 1
            let batch = left.prefix(size).flatMap(\.arguments)
            left = left.dropFirst(size)
            let places = Array(repeating: "(?, ?, ?)", count: size).joined(separator: ", ")
            // Unused places are NULL, which equals nothing.
            let nothing = SQLArguments(repeating: nil, count: 3 * size - batch.count)
            rows += try all(
                "WITH keys (\(Key.columns)) AS (VALUES \(places)) \(selection)", batch + nothing + arguments)
        }
        return rows
    }
}

extension SQLRow {
    func transactionKey() throws -> Transaction.Key {
        Transaction.Key(app: try self["app"], environment: try environment(), id: try self["id"])
    }

    func originalTransactionKey() throws -> OriginalTransaction.Key {
        OriginalTransaction.Key(
            app: try self["app"], environment: try environment(), originalID: try self["originalID"])
    }
}
