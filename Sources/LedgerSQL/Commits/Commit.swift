/// One durable transaction of a group commit: the writes that waited while the previous commit was running.
package struct Commit: Sendable {
    /// The writes in the order they were run, without those that were refused.
    package var writes: [CommitTimes]
}

/// The time that one committed write took, by part.
package struct CommitTimes: Sendable {
    /// The time of waiting for the single writer, for the lock of another process, and for other writes of the same
    /// commit.
    package var wait: Duration
    /// The time of reading, deciding and writing rows.
    package var work: Duration
    /// The time of the commit itself, until the data is on the disk.
    package var commit: Duration
}

/// A callback that receives each commit.
package typealias CommitObserver = @Sendable (Commit) -> Void
