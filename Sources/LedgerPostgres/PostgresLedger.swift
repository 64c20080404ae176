package import InAppPurchase
import Ledger
package import LedgerSQL

/// The ledger in PostgreSQL 13 or later, for one or several servers.
///
/// Each write is durable when it returns, as far as PostgreSQL's `fsync` and `synchronous_commit` guarantee. Audit
/// entries get their numbers from a sequence, and may become visible in another order; the sealer briefly locks out all
/// writers, so that no transaction with a lower number is still in progress.
package enum PostgresLedger {
    private static let oldestVersion = 130_000

    /// Whether a setting is a connection string, a URL or libpq's key words, and not a file.
    package static func isURL(_ text: String) -> Bool {
        ["postgres://", "postgresql://", "host=", "hostaddr=", "service=", "dbname=", "port=", "user="]
            .contains { text.hasPrefix($0) }
    }

    /// Connects, and migrates the tables. Blocks, for as long as `limits` allow; a migration has no limit but that of
    /// waiting for locks.
    ///
    /// - Parameters:
    ///   - url: see ``PostgresDatabase/init(url:limits:)``.
    ///   - handlers: the product types whose terms the ledger can decode.
    ///   - mayBeNew: whether the tables are created if there are none.
    ///   - mayBeHalf: whether an unfinished copy is accepted; see ``/LedgerSQL/LedgerCopy``.
    ///   - onMigration: called before and after each migration, which may take long on a large ledger.
    ///   - onCommit: called with the times of each commit.
    /// - Throws: ``/Ledger/LedgerUnavailable`` if the server does not answer, is too old, does not sync commits to
    ///   disk, has another encoding than UTF-8, has tables of a later version, holds an unfinished copy, or purchases
    ///   of a type that is not among the handlers. The error contains no password.
    package static func open(
        url: String, handlers: [any ProductHandler.Type], mayBeNew: Bool = true,
        mayBeHalf: Bool = false, limits: PostgresLimits = PostgresLimits(),
        onMigration: MigrationObserver = { _ in }, onCommit: @escaping CommitObserver = { _ in }
    ) throws -> SQLLedger {
        let database = try PostgresDatabase(url: url, limits: limits)
        let worker = PostgresWorker(url: url, limits: limits)
        try worker.transactionHere(.read, requireSettings)
        try Migrations.run(on: worker, mayBeNew: mayBeNew, onMigration)
        try worker.transactionHere(.read) { transaction in
            guard try mayBeHalf || !LedgerCopy.isBegun(in: transaction) else {
                throw LedgerUnavailable("a copy of a ledger into the database is not finished")
            }
            try SQLLedger.requireHandlers(handlers, in: transaction)
        }
        return SQLLedger(database, handlers: handlers, onCommit: onCommit)
    }

    /// The migrations that were run on the database, and that there are. Blocks.
    ///
    /// - Throws: as ``open(url:handlers:mayBeNew:mayBeHalf:limits:onMigration:onCommit:)``.
    package static func migrations(url: String, limits: PostgresLimits = PostgresLimits()) throws -> LedgerMigrations {
        try Migrations.state(on: PostgresWorker(url: url, limits: limits))
    }

    /// Runs the missing migrations in one transaction, with the locks that they need, and rolls it back. Blocks.
    ///
    /// - Parameter onMigration: called before each.
    /// - Throws: as ``open(url:handlers:mayBeNew:mayBeHalf:limits:onMigration:onCommit:)``.
    package static func rehearseMigrations(
        url: String, handlers: [any ProductHandler.Type], limits: PostgresLimits = PostgresLimits(),
        onMigration: MigrationObserver = { _ in }
    ) throws {
        let worker = PostgresWorker(url: url, limits: limits)
        try worker.transactionHere(.read, requireSettings)
        try Migrations.rehearse(on: worker, onMigration) { try SQLLedger.requireHandlers(handlers, in: $0) }
    }

    private static func requireSettings(_ transaction: PostgresTransaction) throws {
        let row = try transaction.one(
            """
            SELECT CAST(current_setting('server_version_num') AS BIGINT) AS version,
                current_setting('synchronous_commit') AS commits, current_setting('server_encoding') AS encoding
            """, [])
        guard let row else { throw LedgerUnavailable("PostgreSQL does not tell its settings") }
        guard try row.decode("version") >= oldestVersion else {
            throw LedgerUnavailable("PostgreSQL 13 or later is needed")
        }
        guard try row.decode("commits") != "off" else {
            throw LedgerUnavailable("synchronous_commit is off: what is acknowledged could be lost")
        }
        guard try row.decode("encoding") == "UTF8" else {
            throw LedgerUnavailable("the database's encoding is not UTF8")
        }
    }
}
