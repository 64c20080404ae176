/// One caller's write that waits for its transaction.
struct WaitingWrite: Sendable {
    /// Reads, decides and writes; gives what hands the result to the caller once it is durable. Is run again where the
    /// transaction is.
    let work: @Sendable (LedgerRows) throws -> @Sendable () -> Void
    /// Hands the caller an error.
    let fail: @Sendable (any Error) -> Void

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

    /// It was run, and is not durable yet.
    struct Ran: Sendable {
        let answer: @Sendable () -> Void
        /// Nil where it was refused.
        var times: (asked: ContinuousClock.Instant, began: ContinuousClock.Instant, ended: ContinuousClock.Instant)?
    }
}
