import Foundation
package import InAppPurchase
package import Ledger

/// The ledger in SQL, for any database. `LedgerSQLite` and `LedgerPostgres` create its tables.
///
/// Commits are durable when a method returns.
package struct SQLLedger: Ledger {
    let database: any SQLDatabase
    private let terms: TermsCodec
    private let facts = FactsCodec()
    private let standings: StandingsCodec
    private let headers = StoredDigests(limit: LedgerRows.maximumKnownHeaders)
    let queue = WriteQueue()
    package let writes = LedgerWrites()
    let onCommit: CommitObserver
    /// The maximum time of the work in one transaction: after it the batch is committed, so that the first writes do
    /// not wait for all later ones.
    var maximumWork = Duration.milliseconds(50)

    /// - Parameters:
    ///   - database: has the tables already.
    ///   - handlers: the product types whose terms the ledger can decode; see ``requireHandlers(_:in:)``.
    ///   - onCommit: called with each commit.
    package init(_ database: any SQLDatabase, handlers: [any ProductHandler.Type], onCommit: @escaping CommitObserver) {
        self.database = database
        self.onCommit = onCommit
        terms = TermsCodec(handlers: handlers)
        standings = StandingsCodec(handlers: handlers)
    }

    /// Checks a ledger before it is used: without its handler a purchase would look like one of an unknown product, and
    /// its credits would be taken back.
    ///
    /// - Throws: ``/Ledger/LedgerUnavailable`` if there are purchases of a type that is not among the handlers.
    package static func requireHandlers(
        _ handlers: [any ProductHandler.Type], in transaction: any SQLTransaction
    ) throws {
        let terms = TermsCodec(handlers: handlers)
        try transaction.each("SELECT hash, product FROM terms", []) { row in
            let product: String = try row["product"]
            guard try terms.decode(hash: row["hash"], json: product) == nil else { return }
            throw LedgerUnavailable("no handler of this server reads the terms of a purchase: \(product)")
        }
    }

    func rows(of transaction: any SQLTransaction) -> LedgerRows {
        LedgerRows(
            db: transaction, terms: terms, facts: facts, headers: headers, standings: standings,
            pending: PendingWrite())
    }

    /// Runs a write in a transaction of its own that excludes all other writers.
    func writeAlone<Result: Sendable>(
        _ body: @escaping @Sendable (LedgerRows) throws -> Result
    ) async throws -> Result {
        do { return try await commitAlone(body) } catch {
            writes.recordFailure(error)
            throw error
        }
    }

    private func commitAlone<Result: Sendable>(
        _ body: @escaping @Sendable (LedgerRows) throws -> Result
    ) async throws -> Result {
        let asked = ContinuousClock.now
        let (result, began, ended) = try await database.writeAlone { db in
            let (began, rows) = (ContinuousClock.now, rows(of: db))
            let result = try body(rows)
            try rows.insertAudit()
            return (result, began, ContinuousClock.now)
        }
        let times = CommitTimes(wait: began - asked, work: ended - began, commit: ended.duration(to: .now))
        onCommit(Commit(writes: [times]))
        return result
    }

    func read<Result: Sendable>(_ body: @escaping @Sendable (LedgerRows) throws -> Result) async throws -> Result {
        try await database.read { db in try body(rows(of: db)) }
    }
}

// MARK: Group commit

extension SQLLedger {
    /// Runs a write as part of a group commit, and returns when it is durable. If it throws, only its own changes are
    /// rolled back. If the caller is cancelled meanwhile, it still gets the result.
    func write<Result: Sendable>(_ body: @escaping @Sendable (LedgerRows) throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            let write = WaitingWrite(
                work: { [terms, headers] transaction in
                    let rows = transaction.forNextWrite()
                    let result = try body(rows)
                    try rows.insertAudit()
                    let (storedTerms, storedHeaders) = (rows.pending.storedTerms, rows.pending.storedHeaders)
                    return {
                        terms.setStored(storedTerms)
                        headers.insert(storedHeaders)
                        continuation.resume(returning: result)
                    }
                }, fail: { continuation.resume(throwing: $0) })
            do {
                if try queue.add(write) { commitNext() }
            } catch { continuation.resume(throwing: error) }
        }
    }

    /// Runs a write like any other, and rolls it back instead of committing it.
    func rollingBack<Result: Sendable>(
        _ body: @escaping @Sendable (LedgerRows) throws -> Result
    ) async throws -> Result {
        do {
            return try await write { rows in throw RolledBackWrite(result: try body(rows)) }
        } catch let write as RolledBackWrite<Result> { return write.result }
    }

    /// Commits batch after batch; the next one gathers while a commit is running. Ends when the queue is empty.
    private func commitNext() {
        let batch = queue.next()
        if !batch.isEmpty { commit(batch, isFirstTime: true) }
    }

    private func commit(_ batch: [WaitingWrite], isFirstTime: Bool) {
        database.write { db in
            (try run(batch, on: rows(of: db)), ContinuousClock.now)
        } then: { result in
            switch result {
            case .success(let (ran, ended)): finish(batch, ran, ended)
            case .failure(is RefusedInGroup) where isFirstTime:
                queue.expectRefusals()
                return commit(batch, isFirstTime: false)
            case .failure(let error): fail(batch, error)
            }
            commitNext()
        }
    }

    private func fail(_ batch: [WaitingWrite], _ error: any Error) {
        writes.recordFailure(error)
        queue.finish(leaving: [])
        for write in batch { write.fail(error) }
    }

    /// Resumes the callers of the writes that are durable; the others of the batch are in the next one.
    private func finish(_ batch: [WaitingWrite], _ ran: [WaitingWrite.Ran], _ ended: ContinuousClock.Instant) {
        let commit = ended.duration(to: .now)
        queue.finish(leaving: batch.dropFirst(ran.count))
        let writes = ran.compactMap(\.times).map { asked, began, done in
            CommitTimes(wait: began - asked + (ended - done), work: done - began, commit: commit)
        }
        if !writes.isEmpty { onCommit(Commit(writes: writes)) }
        for write in ran { write.answer() }
    }

    /// Runs the writes one after the other until the time is over, at least the first. Refusals too are reported after
    /// the commit: they may depend on another write of the same transaction.
    ///
    /// - Throws: ``RefusedInGroup`` if one was refused that has no savepoint.
    private func run(_ batch: [WaitingWrite], on rows: LedgerRows) throws -> [WaitingWrite.Ran] {
        guard batch.count > 1 else { return try batch.map { try $0.run(on: rows) } }
        let isGuarded = queue.expectsRefusals || !rows.db.dialect.copiesPagesForSavepoints
        let start = ContinuousClock.now
        var ran: [WaitingWrite.Ran] = []
        for write in batch {
            guard ran.isEmpty || start.duration(to: .now) < maximumWork else { break }
            do {
                ran.append(isGuarded ? try rows.db.savepoint { try write.run(on: rows) } : try write.run(on: rows))
            } catch {
                guard isGuarded else { throw RefusedInGroup() }
                ran.append(WaitingWrite.Ran(answer: { write.fail(error) }))
            }
        }
        return ran
    }
}

/// The refusal of a write in a group that had no savepoint: the transaction is rolled back, and its writes are run
/// again, each with one.
struct RefusedInGroup: Error {}

/// The end of a write whose changes are only inspected; thrown so that they are rolled back.
struct RolledBackWrite<Result: Sendable>: Error {
    let result: Result
}
