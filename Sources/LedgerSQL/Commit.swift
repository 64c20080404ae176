/// One transaction that is durable, and the writes in it: those that waited while the one before was on its way.
package struct Commit: Sendable {
    /// In the order they were run; without those that were refused.
    package var writes: [CommitTimes]
}
