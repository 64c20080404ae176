import Dispatch
import Foundation
import Ledger
import LedgerSQL

/// One connection with its own thread; opened on first use, and again after it was lost.
// Sendable: `connection` is used on `queue` only, which runs one block at a time.
final class PostgresWorker: @unchecked Sendable {
    private let queue = DispatchQueue(label: "postgres")
    private let url: String
    private let limits: PostgresLimits
    private var connection: PostgresConnection?

    init(url: String, limits: PostgresLimits) {
        self.url = url
        self.limits = limits
    }

    /// Runs a transaction, with retries.
    ///
    /// - Throws: what `work` throws, and ``/Ledger/LedgerUnavailable``.
    func transaction<Value: Sendable>(
        _ kind: TransactionKind, _ work: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.untilDone(kind, work) }) }
        }
    }

    /// Runs one statement that reads, with retries, in a transaction that takes no round trip of its own.
    ///
    /// - Throws: ``/Ledger/LedgerUnavailable``
    func select(_ statement: SQLStatement, _ arguments: SQLArguments) async throws -> [SQLRow] {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result {
                        try self.untilDone(.read, isCommitted: true) { try $0.allAndCommit(statement, arguments) }
                    })
            }
        }
    }

    /// Runs a transaction, with retries, and blocks the caller.
    func transactionHere<Value>(
        _ kind: TransactionKind, _ work: (PostgresTransaction) throws -> Value
    ) throws -> Value {
        try queue.sync { try untilDone(kind, work) }
    }

    /// - Parameter isCommitted: whether the work ends the transaction itself.
    private func untilDone<Value>(
        _ kind: TransactionKind, isCommitted: Bool = false, _ work: (PostgresTransaction) throws -> Value
    ) throws -> Value {
        var tries = TransactionTries(limits)
        while true {
            let kind = tries.isAlone ? kind.alone : kind
            do { return try once(kind, isCommitted: isCommitted, work) } catch let failure as PostgresError {
                let remedy = failure.remedy(isAlone: kind.isAlone)
                try tries.spend(on: failure, remedy)
                mend(remedy)
            }
        }
    }

    private func mend(_ remedy: PostgresError.Remedy) {
        switch remedy {
        case .reconnect: connection = nil
        case .unnamed: connection?.usesNames = false
        case .again, .none: break
        }
    }

    /// - Throws: ``PostgresError`` if it may be retried, otherwise the error for the caller.
    private func once<Value>(
        _ kind: TransactionKind, isCommitted: Bool, _ work: (PostgresTransaction) throws -> Value
    ) throws -> Value {
        let connection = try openConnection()
        let (transaction, beginning) = (PostgresTransaction(connection, kind, limits), connection.mark)
        let outcome = Result {
            try transaction.begin()
            let value = try work(transaction)
            try transaction.requireBegun()
            return value
        }
        if let end = transaction.end {
            rollBack(connection, to: beginning)
            throw end
        }
        guard case .success(let value) = outcome, !connection.isInFailedTransaction else {
            rollBack(connection, to: beginning)
            _ = try outcome.get()
            throw LedgerUnavailable("PostgreSQL: a statement failed, and nothing was written")
        }
        if !isCommitted { try commit(connection, kind, since: beginning) }
        return value
    }

    private func openConnection() throws -> PostgresConnection {
        if let connection, connection.isAlive { return connection }
        connection = nil
        do {
            let opened = try PostgresConnection(url: url, limits: limits)
            connection = opened
            return opened
        } catch let failure as PostgresError { throw LedgerUnavailable(failure) }
    }

    /// Commits. If the outcome is unknown, the caller retries: every write is idempotent.
    private func commit(
        _ connection: PostgresConnection, _ kind: TransactionKind, since beginning: PostgresPipeline.Mark
    ) throws {
        do {
            let timeout = kind.answerTime(limits)
            guard try connection.ask("COMMIT", isNamed: false, timeout: timeout).command == "COMMIT" else {
                throw LedgerUnavailable("PostgreSQL: the transaction was rolled back")
            }
        } catch let failure as PostgresError {
            if failure.isBeforeLast {
                rollBack(connection, to: beginning)
                throw failure
            }
            if failure.remedy(isAlone: kind.isAlone) == .again { throw failure }
            self.connection = nil
            throw LedgerUnavailable("\(LedgerUnavailable(failure).detail); whether it was written is not known")
        }
    }

    private func rollBack(_ connection: PostgresConnection, to beginning: PostgresPipeline.Mark) {
        guard !connection.forget(after: beginning) else { return }
        let isRolledBack = (try? connection.ask("ROLLBACK", isNamed: false, timeout: limits.lock)) != nil
        if !isRolledBack { self.connection = nil }
    }
}

/// Counts the runs of a transaction.
private struct TransactionTries {
    /// The maximum number of reconnections: if a new connection is lost too, the server is unavailable.
    private static let reconnections = 1
    /// The maximum number of switches to unnamed statements: once for this connection, and once for the next.
    private static let renamings = 2
    /// After this many unique violations the next try excludes other writers: the first is usually another
    /// transaction's, whose row the next try finds; a repeated one is most likely our own error, and needs fewer tries
    /// than a conflict.
    private static let maximumViolationsBesideOthers = 2

    private let limits: PostgresLimits
    private var conflicts = 0
    private var violations = 0
    private var reconnected = 0
    private var unnamed = 0

    init(_ limits: PostgresLimits) { self.limits = limits }

    /// Whether the next try excludes other writers.
    var isAlone: Bool {
        conflicts >= limits.tries - limits.triesAlone || violations >= Self.maximumViolationsBesideOthers
    }

    /// - Throws: ``/Ledger/LedgerUnavailable`` if there are no tries left.
    mutating func spend(on failure: PostgresError, _ remedy: PostgresError.Remedy) throws {
        switch remedy {
        case .again:
            conflicts += 1
            if failure.state == PostgresError.uniqueViolation { violations += 1 }
            guard conflicts < limits.tries else { throw LedgerUnavailable(failure) }
            wait()
        case .reconnect:
            reconnected += 1
            guard reconnected <= Self.reconnections else { throw LedgerUnavailable(failure) }
        case .unnamed:
            unnamed += 1
            guard unnamed <= Self.renamings else { throw LedgerUnavailable(failure) }
        case .none: throw LedgerUnavailable(failure)
        }
    }

    /// Random exponential backoff, on the worker's own thread.
    private func wait() {
        let longest = min(limits.pause, .milliseconds(1) * (1 << min(conflicts, 10)))
        Thread.sleep(forTimeInterval: Double.random(in: 0...1) * Double(longest.wholeMilliseconds) / 1_000)
    }
}
