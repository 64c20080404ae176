import InAppPurchase
import SystemPackage

extension ContentPublisher {
    /// Makes patches from the versions before, and smaller forms of a version's files, which are all in the store.
    ///
    /// - Returns: why nothing could be made of a file; nothing here keeps a version from being published.
    func prepare(
        _ manifest: Manifest, among known: KnownVersions,
        progress: @escaping @Sendable (PublishingProgress) -> Void
    ) async throws -> [ContentProblem] {
        try await blocking {
            let earlier = try known.versions(before: manifest.version, count: patches.versions)
            let byHand = earlier.flatMap(\.files).map { ($0.sha256, $0.location) }
            let elsewhere = Dictionary(byHand) { first, _ in first }
            var done = PublishingProgress(.compressing, total: manifest.bytes)
            var preparation = ContentPreparation(in: store) { sha256 in
                let object = store.object(sha256)
                return FileStamp(ofFileAt: object) != nil ? object : elsewhere[sha256]
            }
            try preparation.prepare(manifest, among: earlier.map(\.manifest), patches) { progress(done.adding($0)) }
            return preparation.summary.problems
        }
    }
}
