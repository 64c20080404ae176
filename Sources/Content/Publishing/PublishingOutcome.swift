/// The result of an act: the version as it is now.
package struct PublishingOutcome: Sendable {
    package var record: VersionRecord
    /// `false` if the version was like that before; then nothing was written.
    package var isChanged: Bool
    /// The hashes of the files that a draft still lacks.
    package var missing: [String] = []
    /// Files of which no variant could be made, and why; they are sent as they are.
    package var unprepared: [ContentError] = []
}
