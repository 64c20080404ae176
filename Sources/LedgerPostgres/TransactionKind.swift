/// How a transaction begins. All of it ends with the transaction, so that a pooler can lend the connection to others.
enum TransactionKind {
    case read
    case write
    /// While nobody else writes.
    case writeAlone
    /// While nobody else migrates; the tables need not be there yet.
    case migration

    /// What every writer locks, in `ROW SHARE` mode, so that one can lock all others out, in `EXCLUSIVE` mode. There is
    /// nothing in it.
    static let lockTable = "ledgerLock"
    /// Any number that no other program takes locks by; the first bytes of "quarterm" in ASCII.
    private static let migrationLock = 0x7175_6172_7465_726d

    var alone: TransactionKind { self == .write ? .writeAlone : self }

    /// Whether nobody else writes meanwhile.
    var isAlone: Bool { self == .writeAlone || self == .migration }

    /// Whether the caller counts on its lock before any statement.
    var beginsAtOnce: Bool { self == .writeAlone || self == .migration }

    /// The statements that begin it, sent with the first that follows.
    ///
    /// `LOCK TABLE` comes before anything that takes a snapshot, so that what others wrote before the lock was had is
    /// seen: https://www.postgresql.org/docs/current/sql-lock.html.
    func begin(_ limits: PostgresLimits) -> [String] {
        switch self {
        case .read: ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"] + timeouts(limits) + Self.plans
        case .write: ["BEGIN ISOLATION LEVEL SERIALIZABLE"] + timeouts(limits) + Self.plans + [lock("ROW SHARE")]
        case .writeAlone: ["BEGIN ISOLATION LEVEL SERIALIZABLE"] + timeouts(limits) + Self.plans + [lock("EXCLUSIVE")]
        case .migration:
            ["BEGIN ISOLATION LEVEL READ COMMITTED"] + timeouts(limits)
                + ["SELECT pg_advisory_xact_lock(\(Self.migrationLock))"]
        }
    }

    /// When the server is taken for dead: it ends statements by itself before.
    func answerTime(_ limits: PostgresLimits) -> Duration { statement(limits) + limits.lock }

    private func statement(_ limits: PostgresLimits) -> Duration {
        switch self {
        case .read, .migration: limits.readStatement
        case .write, .writeAlone: limits.writeStatement
        }
    }

    private func lock(_ mode: String) -> String { "LOCK TABLE \(Self.lockTable) IN \(mode) MODE" }

    /// Every statement has an index for what it looks for, and names its tables in the order in which they are to be read.
    /// Where a database has no statistics of its tables yet, the planner reads whole ones instead, for every receipt, and
    /// locks them against all other writers:
    /// https://www.postgresql.org/docs/current/runtime-config-query.html, …/transaction-iso.html#XACT-SERIALIZABLE.
    private static let plans = [
        "SET LOCAL enable_seqscan = off", "SET LOCAL enable_hashjoin = off", "SET LOCAL enable_mergejoin = off",
        "SET LOCAL join_collapse_limit = 1",
    ]

    private func timeouts(_ limits: PostgresLimits) -> [String] {
        [
            "SET LOCAL statement_timeout = \(statement(limits).wholeMilliseconds)",
            "SET LOCAL lock_timeout = \(limits.lock.wholeMilliseconds)",
            "SET LOCAL idle_in_transaction_session_timeout = \(limits.idle.wholeMilliseconds)",
        ]
    }
}
