package import InAppPurchase
package import LedgerSQL

/// The ledger of several servers, in PostgreSQL 13 or later.
///
/// Each write is durable when it returns, as far as the server's own `fsync` and `synchronous_commit` say. Audit entries
/// get their numbers from a sequence, and may become visible in another order; the sealer locks all writers out for a
/// moment, and so no number below those that it sees is still on its way.
package enum PostgresLedger {
    private static let oldestVersion = 130_000

    /// Whether a setting names a database of this kind, and no file: a URL, or libpq's key words.
    package static func isURL(_ text: String) -> Bool {
        ["postgres://", "postgresql://", "host=", "hostaddr=", "service=", "dbname=", "port=", "user="]
            .contains { text.hasPrefix($0) }
    }

    /// Connects, and brings the tables up to date. Blocks, for as long as `limits` allow.
    ///
    /// - Parameters:
    ///   - url: see ``PostgresDatabase/init(url:limits:)``.
    ///   - handlers: the types whose terms the ledger can read back.
    ///   - mayBeNew: whether the tables are made where there are none.
    ///   - mayBeHalf: whether a copy into it need not be finished; see ``LedgerSQL/LedgerCopy``.
    ///   - onCommit: told how long each write took.
    /// - Throws: ``LedgerUnavailable`` where the server does not answer, is too old, does not wait for its disk, keeps
    ///   texts in another encoding than UTF-8, has tables of a later version, holds a copy that is not finished, or
    ///   purchases of a type that is not among the handlers. It tells no password.
    package static func open(
        url: String, handlers: [any ProductHandler.Type], mayBeNew: Bool = true,
        mayBeHalf: Bool = false, limits: PostgresLimits = PostgresLimits(),
        onCommit: @escaping CommitObserver = { _ in }
    ) throws -> SQLLedger {
        let database = try PostgresDatabase(url: url, limits: limits)
        let lane = PostgresWorker(url: url, limits: limits)
        try lane.transactionHere(.read, requireSettings)
        try Migrations.run(on: lane, mayBeNew: mayBeNew)
        try lane.transactionHere(.read) { transaction in
            guard try mayBeHalf || !LedgerCopy.isBegun(in: transaction) else {
                throw LedgerUnavailable("a copy of a ledger into the database is not finished")
            }
            try SQLLedger.requireHandlers(handlers, in: transaction)
        }
        return SQLLedger(database, handlers: handlers, onCommit: onCommit)
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
