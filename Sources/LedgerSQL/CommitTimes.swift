/// One transaction that is durable, and the writes in it: those that waited while the one before was on its way.
package struct Commit: Sendable {
    /// In the order they were run; without those that were refused.
    package var writes: [CommitTimes]
}

/// Where the time of one committed write went.
package struct CommitTimes: Sendable {
    /// For the one writer, for the lock of another process, and for others in the same commit.
    package var wait: Duration
    /// For reading, deciding and writing rows.
    package var work: Duration
    /// Until the disk has it.
    package var commit: Duration
}

/// Is told what was committed.
package typealias CommitObserver = @Sendable (Commit) -> Void
