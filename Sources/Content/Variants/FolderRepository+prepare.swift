import Dispatch
package import InAppPurchase
import Synchronization

extension FolderRepository {
    /// Makes the missing variants of a version's files, one after the other at low priority. The next refresh serves
    /// them.
    ///
    /// Idempotent, and quick the second time; an interrupted preparation continues at the file where it stopped. The
    /// `.store` folder is created if there is none; garbage collection is locked out meanwhile.
    ///
    /// - Returns: `nil` if there is no such version.
    /// - Throws: `CancellationError`, and the disk's error if nothing can be written at all.
    package func prepare(
        _ version: SemanticVersion, of bundle: BundleName, _ extent: PatchExtent = PatchExtent()
    ) async throws -> ContentPreparation.Summary? {
        let (index, store) = (index, RepositoryFolder(content: folder))
        guard let manifest = index.manifest(of: bundle, version: version) else { return nil }
        let others = (index.versions[bundle] ?? []).map(\.manifest)
        let isCancelled = Atomic(false)
        return try await withTaskCancellationHandler {
            let queue = DispatchQueue(label: "content preparation", qos: .background)
            try await queue.result { try store.prepare() }
            return try await FolderLock.whileHeld(on: store.objects, .shared) {
                try await queue.result {
                    var preparation = ContentPreparation(
                        in: store, location: { index.files(sha256: $0).first?.location },
                        checkpoint: { if isCancelled.load(ordering: .relaxed) { throw CancellationError() } })
                    try preparation.prepare(manifest, among: others, extent)
                    return preparation.summary
                }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
    }
}
