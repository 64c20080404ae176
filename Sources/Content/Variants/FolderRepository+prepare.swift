import Dispatch
package import InAppPurchase
import Synchronization

extension FolderRepository {
    /// Makes the smaller forms that a version's files lack, one after the other at low priority. The next refresh takes
    /// them up.
    ///
    /// What was made before is not made again, so that the second time is quick; what is interrupted goes on at the file
    /// where it was. The store is made where there is none, and nobody tidies it meanwhile.
    ///
    /// - Returns: nil where there is no such version.
    /// - Throws: `CancellationError`, and what the disk says where nothing can be written at all.
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
