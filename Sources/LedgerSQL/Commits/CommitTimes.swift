/// The time that one committed write took, by part.
package struct CommitTimes: Sendable {
    /// Waiting for the single writer, for the lock of another process, and for other writes of the same commit.
    package var wait: Duration
    /// Reading, deciding and writing rows.
    package var work: Duration
    /// The commit itself, until the data is on the disk.
    package var commit: Duration
}

/// A callback that receives each commit.
package typealias CommitObserver = @Sendable (Commit) -> Void
