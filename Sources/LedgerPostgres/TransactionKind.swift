import LedgerSQL

/// The kind of a transaction, which decides how it begins. Its settings end with it, so that a pooler can be used.
enum TransactionKind {
    case read
    case write
    /// Excludes other writers.
    case writeAlone
    /// Excludes other migrations; the tables need not exist yet.
    case migration

    /// An empty table that every writer locks in `ROW SHARE` mode, so that one can exclude all others by `EXCLUSIVE`
    /// mode.
    static let lockTable = "ledgerLock"
    /// The key of the advisory lock, which no other program uses: the first bytes of "quarterm" in ASCII.
    static let migrationLock = 0x7175_6172_7465_726d

    var alone: TransactionKind { self == .write ? .writeAlone : self }

    /// Whether other writers are excluded.
    var isAlone: Bool { self == .writeAlone || self == .migration }

    /// Whether the caller needs its lock before any statement.
    var beginsAtOnce: Bool { self == .writeAlone || self == .migration }

    /// The statements that begin it, sent with the first that follows.
    ///
    /// `LOCK TABLE` comes before anything that takes a snapshot, so that writes committed before the lock was granted
    /// are visible: https://www.postgresql.org/docs/current/sql-lock.html.
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

    /// The time after which the server is considered dead: it ends statements by itself before.
    func answerTime(_ limits: PostgresLimits) -> Duration {
        (statement(limits) ?? PostgresLimits.migrationAnswer) + limits.lock
    }

    /// The timeout of a statement; `nil` if it has none, since a ledger that is too large for it could never be
    /// migrated.
    private func statement(_ limits: PostgresLimits) -> Duration? {
        switch self {
        case .migration: nil
        case .read: limits.readStatement
        case .write, .writeAlone: limits.writeStatement
        }
    }

    private func lock(_ mode: String) -> String { "LOCK TABLE \(Self.lockTable) IN \(mode) MODE" }

    /// Disables plans that read whole tables: every statement has an index for its condition, and names its tables in
    /// the order in which they are to be read. Without statistics the planner would read whole tables, for every
    /// receipt, and lock them against all other writers:
    /// https://www.postgresql.org/docs/current/runtime-config-query.html, …/transaction-iso.html#XACT-SERIALIZABLE.
    ///
    /// Nor is anything compiled: a plan that has to read a whole table all the same counts as so costly that its
    /// compilation would take longer than the statement (…/jit-decision.html).
    private static let plans = [
        "SET LOCAL enable_seqscan = off", "SET LOCAL enable_hashjoin = off", "SET LOCAL enable_mergejoin = off",
        "SET LOCAL join_collapse_limit = 1", "SET LOCAL jit = off",
    ]

    private func timeouts(_ limits: PostgresLimits) -> [String] {
        [
            "SET LOCAL statement_timeout = \(statement(limits)?.wholeMilliseconds ?? 0)",
            "SET LOCAL lock_timeout = \(limits.lock.wholeMilliseconds)",
            "SET LOCAL idle_in_transaction_session_timeout = \(limits.idle.wholeMilliseconds)",
        ]
    }
}
