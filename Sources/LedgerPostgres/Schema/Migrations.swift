import Ledger
import LedgerSQL

/// The schema's migrations: numbered from 1, forward only, each in a transaction; a released one is never edited.
enum Migrations {
    static let all = [
        SchemaVersion1.sql, SchemaVersion2.sql, SchemaVersion3.sql, SchemaVersion4.sql, SchemaVersion5.sql,
        SchemaVersion6.sql, SchemaVersion7.sql, SchemaVersion8.sql, SchemaVersion9.sql, SchemaVersion10.sql,
        SchemaVersion11.sql, SchemaVersion12.sql, SchemaVersion13.sql, SchemaVersion14.sql, SchemaVersion15.sql,
        SchemaVersion16.sql, SchemaVersion17.sql, SchemaVersion18.sql, SchemaVersion19.sql, SchemaVersion20.sql,
        SchemaVersion21.sql, SchemaVersion22.sql, SchemaVersion23.sql, SchemaVersion24.sql,
        SchemaVersion25.sql, SchemaVersion26.sql, SchemaVersion27.sql, SchemaVersion28.sql,
        SchemaVersion29.sql, SchemaVersion30.sql, SchemaVersion31.sql, SchemaVersion32.sql,
        SchemaVersion33.sql, SchemaVersion34.sql, SchemaVersion35.sql,
    ]

    /// Migrates the tables. If several servers start together, one migrates, and the others find it done.
    ///
    /// - Parameters:
    ///   - mayBeNew: whether the tables are created if there are none.
    ///   - observer: told when a migration begins, again if it is retried, and when it is committed.
    /// - Throws: ``/Ledger/LedgerUnavailable`` if a later version of this server migrated them.
    static func run(on worker: PostgresWorker, mayBeNew: Bool, _ observer: MigrationObserver) throws {
        // If there is nothing to do, the server needs no right to create tables.
        let done = try worker.transactionHere(.read, version)
        try requireKnown(done)
        guard mayBeNew || done > 0 else { throw LedgerUnavailable("there is no ledger in the database") }
        for number in done..<all.count {
            let isOurs = try worker.transactionHere(.migration) { transaction in
                guard try version(transaction) == number else { return false }
                try run(number, in: transaction, observer)
                return true
            }
            if isOurs { observer(MigrationStep(number: number + 1, isDone: true)) }
        }
        try requireKnown(try worker.transactionHere(.read, version))
    }

    private static func run(
        _ number: Int, in transaction: PostgresTransaction, _ observer: MigrationObserver
    ) throws {
        observer(MigrationStep(number: number + 1, isDone: false))
        try transaction.script(table)
        try transaction.script(all[number])
        try transaction.run("INSERT INTO ledgerMigrations (number) VALUES (?)", [number + 1])
    }

    /// The migrations that were run, and that there are.
    ///
    /// - Throws: ``/Ledger/LedgerUnavailable`` if there are no tables, or those of a later version.
    static func state(on worker: PostgresWorker) throws -> LedgerMigrations {
        let done = try worker.transactionHere(.read, version)
        try requireKnown(done)
        guard done > 0 else { throw LedgerUnavailable("there is no ledger in the database") }
        return LedgerMigrations(done: done, newest: all.count)
    }

    /// Runs the migrations that are missing in one transaction, which is rolled back.
    ///
    /// - Parameter check: called before that, with the tables as they would be.
    /// - Throws: ``/Ledger/LedgerUnavailable`` if one cannot be run, and what `check` throws.
    static func rehearse(
        on worker: PostgresWorker, _ observer: MigrationObserver, _ check: (PostgresTransaction) throws -> Void
    ) throws {
        do {
            try worker.transactionHere(.migration) { transaction in
                for number in try version(transaction)..<all.count { try run(number, in: transaction, observer) }
                try check(transaction)
                throw Rehearsed()
            }
        } catch is Rehearsed {}
    }

    /// Rolls the transaction of a rehearsal back.
    private struct Rehearsed: Error {}

    static let table = """
        CREATE TABLE IF NOT EXISTS ledgerMigrations (
            number BIGINT PRIMARY KEY, appliedAt TIMESTAMPTZ NOT NULL DEFAULT now());
        """

    /// The number of the last migration that was run.
    private static func version(_ transaction: PostgresTransaction) throws -> Int {
        // Not by `to_regclass`, which may have cached before the lock that there is none.
        let isThere = try transaction.one(
            """
            SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relname = 'ledgermigrations' AND n.nspname = ANY (current_schemas(false))
            """, [])
        guard isThere != nil else { return 0 }
        let last = try transaction.one("SELECT max(number) AS last FROM ledgerMigrations", [])
        return try last?.decodeIfPresent("last") ?? 0
    }

    private static func requireKnown(_ version: Int) throws {
        guard version <= all.count else {
            throw LedgerUnavailable("a later version of this server made the database's tables")
        }
    }
}
