import InAppPurchase

/// Where a ``ContentPublisher`` puts versions: what differs between a folder and a bucket.
///
/// All throws what ``PublishRefusal/from(_:)`` knows.
protocol PublishingRepository: Sendable {
    /// Makes a change of the bundle, with what is there of it. Of two at the same time the second waits, or is refused
    /// when it writes; nobody tidies the store meanwhile.
    ///
    /// - Parameter version: must be there, so that a slip of the pen leaves nothing behind; nil for a new one.
    func change<Value: Sendable>(
        _ bundle: BundleName, existing version: SemanticVersion?,
        _ body: @escaping @Sendable (KnownVersions) async throws -> Value
    ) async throws -> Value

    /// The hashes of the files that the store lacks, each once, in the order of the manifest.
    func missing(from manifest: Manifest) async throws -> [String]

    /// Copies the files that the store lacks, and waits until it has all of the manifest's for good.
    func add(
        _ source: SourceFolder, _ manifest: Manifest, progress: @escaping @Sendable (PublishingProgress) -> Void
    ) async throws

    /// Waits until the store has the manifest's files, which are all there, for good.
    func sync(_ manifest: Manifest) async throws

    /// Makes patches from the versions before, and smaller forms of a version's files, which are all in the store.
    ///
    /// - Returns: why nothing could be made of a file; nothing here keeps a version from being published.
    func prepare(
        _ manifest: Manifest, among known: KnownVersions, _ extent: PatchExtent,
        progress: @escaping @Sendable (PublishingProgress) -> Void
    ) async throws -> [ContentProblem]

    /// Puts the record in the place of the one before, whole or not at all.
    func write(_ record: VersionRecord, among known: KnownVersions) async throws

    /// Forgets the version.
    func remove(_ record: VersionRecord, among known: KnownVersions) async throws
}
