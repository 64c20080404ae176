import InAppPurchase

extension SQLLedger {
    /// Runs a write in a transaction with others that wait, and returns when it is durable. What it throws takes back
    /// what it did, and nothing of the others. A caller that is cancelled meanwhile has the answer all the same.
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
                // A task of its own: one caller's cancellation must not take back what others were promised.
                if try queue.add(write) { Task.detached { await commitAll() } }
            } catch { continuation.resume(throwing: error) }
        }
    }

    /// While one commit is on its way the next gathers. Ends when nobody waits.
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

    /// Runs them one after the other until the time is over, the first in any case. A refusal is told after the commit
    /// like everything else: it may come of what another write of the same transaction did.
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
