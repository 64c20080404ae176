/// How much of a PostgreSQL server this process uses, and how long it waits for it.
package struct PostgresLimits: Sendable {
    /// Connections that only read. One more writes: most of what a player asks for is read, and writes of one process
    /// would only be in each other's way.
    package var readers = 4
    /// Transactions that wait for a connection, of each kind.
    package var queue = 1_000
    /// How long one of them waits.
    package var patience: Duration = .seconds(5)
    /// To open a connection. libpq counts whole seconds, 2 at least.
    package var connect: Duration = .seconds(5)
    /// What one statement of a transaction that writes may take.
    package var writeStatement: Duration = .seconds(10)
    /// What one statement of a transaction that reads may take. An export of the audit trail is one.
    package var readStatement: Duration = .seconds(60)
    /// How long a statement waits for a lock.
    package var lock: Duration = .seconds(5)
    /// How long the server keeps a transaction, with its locks, of a process that stands still.
    package var idle: Duration = .seconds(30)
    /// How often a transaction is run where the server finds it in conflict with another.
    package var tries = 10
    /// The last of those: they let nobody else write, so that they succeed.
    package var triesAlone = 3
    /// The longest wait before another try; the waits are random, so that two do not meet again.
    package var pause: Duration = .milliseconds(50)

    package init() {}

    /// For a copy of a whole ledger, in which one statement reads the largest table.
    package static var copying: PostgresLimits {
        var limits = PostgresLimits()
        (limits.readers, limits.readStatement, limits.writeStatement) = (1, .seconds(6 * 3_600), .seconds(60))
        return limits
    }
}

extension Duration {
    /// Not less than 0, and 2^31 - 1 at most, which is the greatest that PostgreSQL takes.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 0 }
        guard seconds < Int64(Int32.max) / 1_000 else { return Int(Int32.max) }
        return max(0, Int(seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    }
}
