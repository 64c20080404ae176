/// The limits of this process's use of a PostgreSQL server, and its timeouts.
package struct PostgresLimits: Sendable {
    /// The number of connections that only read. One more connection writes: most requests only read, and concurrent
    /// writes of one process would only conflict.
    package var readers = 4
    /// The maximum number of transactions that wait for a connection, for readers and for the writer.
    package var queue = 1_000
    /// The timeout of waiting for a connection.
    package var timeout: Duration = .seconds(5)
    /// The timeout of connecting. libpq counts whole seconds, 2 at least.
    package var connect: Duration = .seconds(5)
    /// The timeout of one statement in a transaction that writes.
    package var writeStatement: Duration = .seconds(10)
    /// The timeout of one statement in a transaction that reads. An export of the audit trail is one.
    package var readStatement: Duration = .seconds(60)
    /// The timeout of waiting for a lock.
    package var lock: Duration = .seconds(5)
    /// How long the server keeps an idle transaction, with its locks, of a process that hangs.
    package var idle: Duration = .seconds(30)
    /// The maximum number of runs of a transaction that conflicts with others.
    package var tries = 10
    /// The last of those runs exclude other writers, so that they succeed.
    package var triesAlone = 3
    /// The longest pause before a retry; pauses are random, so that two transactions do not conflict again.
    package var pause: Duration = .milliseconds(50)

    /// The time without an answer after which a server that migrates is considered dead. A dead machine is noticed by
    /// TCP long before.
    static let migrationAnswer: Duration = .seconds(7 * 24 * 3_600)

    package init() {}

    /// The limits for a copy of a whole ledger, in which one statement reads the largest table.
    package static var copying: PostgresLimits {
        var limits = PostgresLimits()
        (limits.readers, limits.readStatement, limits.writeStatement) = (1, .seconds(6 * 3_600), .seconds(60))
        return limits
    }
}
