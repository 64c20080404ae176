import InAppPurchase

extension SQLLedger {
    /// Runs a write as part of a group commit, and returns when it is durable. If it throws, only its own changes are
    /// rolled back. If the caller is cancelled meanwhile, it still gets the result.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (LedgerRows) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            let write = WaitingWrite(
                work: { rows in
                    let result = try body(rows)
                    return { continuation.resume(returning: result) }
                }, fail: { continuation.resume(throwing: $0) })
            do {
                // Detached: one caller's cancellation must not cancel the writes of others.
                if try queue.add(write) { Task.detached { await commitAll() } }
            } catch { continuation.resume(throwing: error) }
        }
    }

    /// Commits batch after batch; the next one gathers while a commit is running. Ends when the queue is empty.
    private func commitAll() async {
        while case let batch = queue.next(), !batch.isEmpty { await commit(batch) }
    }

    private func commit(_ batch: [WaitingWrite]) async {
        do {
            let (ran, ended) = try await database.write { db in (try run(batch, on: rows(of: db)), ContinuousClock.now)
            }
            let commit = ended.duration(to: .now)
            queue.finish(leaving: batch.dropFirst(ran.count))
            let writes = ran.compactMap(\.times).map { asked, began, done in
                CommitTimes(wait: began - asked + (ended - done), work: done - began, commit: commit)
            }
            if !writes.isEmpty { onCommit(Commit(writes: writes)) }
            for write in ran { write.answer() }
        } catch {
            queue.finish(leaving: [])
            for write in batch { write.fail(error) }
        }
    }

    /// Runs the writes one after the other until the time is over, at least the first. Refusals too are reported after
    /// the commit: they may depend on another write of the same transaction.
    private func run(_ batch: [WaitingWrite], on rows: LedgerRows) throws -> [WaitingWrite.Ran] {
        guard batch.count > 1 else { return try batch.map { try $0.run(on: rows) } }
        let start = ContinuousClock.now
        var ran: [WaitingWrite.Ran] = []
        for write in batch {
            guard ran.isEmpty || start.duration(to: .now) < maximumWork else { break }
            do {
                ran.append(try rows.db.savepoint { try write.run(on: rows) })
            } catch {
                ran.append(WaitingWrite.Ran(answer: { write.fail(error) }))
            }
        }
        return ran
    }
}
