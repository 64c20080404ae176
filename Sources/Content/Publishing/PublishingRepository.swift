import InAppPurchase

/// The storage behind a ``ContentPublisher``: what differs between a folder and a bucket.
///
/// All methods throw errors that ``PublishRefusal/from(_:)`` converts.
protocol PublishingRepository: Sendable {
    /// Runs a change of the bundle, with its known versions. Of two at the same time the second waits, or is refused
    /// when it writes; garbage collection is locked out meanwhile.
    ///
    /// - Parameter version: must exist, so that a typing error leaves nothing behind; `nil` for a new one.
    func change<Value: Sendable>(
        _ bundle: BundleName, existing version: SemanticVersion?,
        _ body: @escaping @Sendable (KnownVersions) async throws -> Value
    ) async throws -> Value

    /// The hashes of the files that the repository lacks, each once, in the order of the manifest.
    func missing(from manifest: Manifest) async throws -> [String]

    /// Copies the missing files, and returns when all of the manifest's files are durable.
    func add(_ source: SourceFolder, _ manifest: Manifest, progress: @escaping @Sendable (PublishingProgress) -> Void)
        async throws

    /// Returns when the manifest's files, which all exist, are durable.
    func sync(_ manifest: Manifest) async throws

    /// Makes patches from earlier versions and compressed variants of a version's files, which are all in the
    /// repository.
    ///
    /// - Returns: why no variant of a file could be made; this never keeps a version from being published.
    func prepare(
        _ manifest: Manifest, among known: KnownVersions, _ extent: PatchExtent,
        progress: @escaping @Sendable (PublishingProgress) -> Void
    ) async throws -> [ContentError]

    /// The paths of the version's files that are programs or scripts, as ``ProgramFile`` recognizes them; in a bucket
    /// by their names only.
    func programs(in manifest: Manifest) async throws -> [String]

    /// Checks that servers can read the version's files, and the record once it is written.
    ///
    /// - Throws: ``PublishRefusal/unreadable(path:content:)``
    func requireReadable(_ manifest: Manifest) async throws

    /// Replaces the version's record atomically.
    func write(_ record: VersionRecord, among known: KnownVersions) async throws

    /// Removes the version's record.
    func remove(_ record: VersionRecord, among known: KnownVersions) async throws
}

extension PublishingRepository {
    /// A store with users of its own says itself who may read.
    func requireReadable(_ manifest: Manifest) async throws {}
}

/// The progress of publishing a folder.
package struct PublishingProgress: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// Every file is read and hashed.
        case reading
        /// Files that the content repository lacks are copied.
        case writing
        /// Patches and compressed variants are made and verified; the bytes are those of the files, in proportion to
        /// the work done.
        case compressing
    }

    package var step: Step
    /// The bytes done.
    package var done = 0
    /// The bytes in total; `nil` if it is not known yet.
    package var total: Int?

    package init(_ step: Step, total: Int? = nil) {
        self.step = step
        self.total = total
    }

    mutating func adding(_ bytes: Int) -> PublishingProgress {
        done += bytes
        return self
    }
}
