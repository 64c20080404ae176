/// A version as it is after an act.
package struct PublishingOutcome: Sendable {
    package var record: VersionRecord
    /// False where it was so before; then nothing was written.
    package var isChanged: Bool
    /// The hashes of the files that a draft still waits for.
    package var missing: [String] = []
    /// Files that are sent as they are, and why nothing could be made of them.
    package var unprepared: [ContentProblem] = []
}
