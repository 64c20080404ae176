import Basics

/// A caller's write that waits for its transaction.
struct WaitingWrite: Sendable {
    /// Reads, decides and writes; returns a closure that resumes the caller once the result is durable. Is run again if
    /// the transaction is.
    let work: @Sendable (LedgerRows) throws -> @Sendable () -> Void
    /// Resumes the caller with an error.
    let fail: @Sendable (any Error) -> Void

    /// The client that waits for it.
    let sender = Sender.current
    private let asked = ContinuousClock.now

    init(
        work: @escaping @Sendable (LedgerRows) throws -> @Sendable () -> Void,
        fail: @escaping @Sendable (any Error) -> Void
    ) {
        self.work = work
        self.fail = fail
    }

    func run(on rows: LedgerRows) throws -> Ran {
        let began = ContinuousClock.now
        let answer = try work(rows)
        return Ran(answer: answer, times: (asked, began, .now))
    }

    /// A write that was run and is not durable yet.
    struct Ran: Sendable {
        let answer: @Sendable () -> Void
        /// The times of the write; `nil` if it was refused.
        var times: (asked: ContinuousClock.Instant, began: ContinuousClock.Instant, ended: ContinuousClock.Instant)?
    }
}
