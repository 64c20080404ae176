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
