/// One durable transaction of a group commit: the writes that waited while the previous commit was running.
package struct Commit: Sendable {
    /// The writes in the order they were run, without those that were refused.
    package var writes: [CommitTimes]
}
