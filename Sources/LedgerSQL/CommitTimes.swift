/// Where the time of one committed write went.
public struct CommitTimes: Sendable {
    /// For the one writer, and for the lock of another process.
    public var wait: Duration
    /// For reading, deciding and writing rows.
    public var work: Duration
    /// Until the disk has it.
    public var commit: Duration
}

/// Is told what was committed.
public typealias CommitObserver = @Sendable (CommitTimes) -> Void

/// Takes the times of a write that goes on.
struct CommitWatch {
    private let asked: ContinuousClock.Instant
    private var began: ContinuousClock.Instant
    private var ended: ContinuousClock.Instant

    /// Starts as the write is asked for.
    init() {
        asked = .now
        (began, ended) = (asked, asked)
    }

    /// Runs what is done with the writer in hand.
    func timing<Result>(_ work: () throws -> Result) rethrows -> (Result, CommitWatch) {
        var watch = self
        watch.began = .now
        let result = try work()
        watch.ended = .now
        return (result, watch)
    }

    /// The times of a write that is durable now.
    func committed() -> CommitTimes {
        CommitTimes(wait: began - asked, work: ended - began, commit: ContinuousClock.now - ended)
    }
}
