/// A selection of the rows of any number of keys: one statement for each of a few numbers of keys.
///
/// Make it once, as a static constant, like its statements.
struct KeyedSelection<Key: RowKey>: Sendable {
    /// The numbers of keys that one statement selects; few, so that few statements are prepared.
    private static var sizes: [Int] { [1, 8, 64] }

    private let batches: [(size: Int, statement: SQLStatement)]

    /// - Parameter selection: has `FROM keys`, a table with the columns of a key, and a join that keeps it first.
    init(_ selection: (SQLDialect) -> String) {
        batches = Self.sizes.map { size in
            let statement = SQLStatement { dialect in
                let placeholder = "(\(Key.placeholders(in: dialect)))"
                let placeholders = Array(repeating: placeholder, count: size).joined(separator: ", ")
                return "WITH keys (\(Key.columns)) AS (VALUES \(placeholders)) \(selection(dialect))"
            }
            return (size, statement)
        }
    }

    /// Calls `body` with statements that select the rows of all keys, and their arguments.
    ///
    /// - Parameter arguments: of the selection, after the keys.
    func each(
        of keys: some Collection<Key>, _ arguments: SQLArguments, _ body: (SQLStatement, SQLArguments) throws -> Void
    ) rethrows {
        var left = Array(keys)[...]
        while !left.isEmpty {
            guard let batch = batches.first(where: { $0.size >= left.count }) ?? batches.last else { return }
            var values: SQLArguments = []
            for key in left.prefix(batch.size) { values.append(contentsOf: key.arguments) }
            // Unused places are NULL, which equals nothing.
            let width = values.count / min(batch.size, left.count)
            let nothing = SQLArguments(repeating: nil, count: width * batch.size - values.count)
            left = left.dropFirst(batch.size)
            try body(batch.statement, values + nothing + arguments)
        }
    }
}
