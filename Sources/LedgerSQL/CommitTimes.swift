/// One transaction that is durable, and the writes in it: those that waited while the one before was on its way.
public struct Commit: Sendable {
    /// In the order they were run; without those that were refused.
    public var writes: [CommitTimes]
}

/// Where the time of one committed write went.
public struct CommitTimes: Sendable {
    /// For the one writer, for the lock of another process, and for others in the same commit.
    public var wait: Duration
    /// For reading, deciding and writing rows.
    public var work: Duration
    /// Until the disk has it.
    public var commit: Duration
}

/// Is told what was committed.
public typealias CommitObserver = @Sendable (Commit) -> Void
