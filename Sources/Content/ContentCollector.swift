import Dispatch
package import Foundation
import InAppPurchase
import SystemPackage

/// Tidies the store of a content folder, or a bucket, beside servers that serve it.
package struct ContentCollector: Sendable {
    /// Longer than anybody needs to publish a version, or to go on with an upload.
    package static let usualGrace: TimeInterval = 86_400

    /// What was removed, or would be.
    package struct Findings: Hashable, Encodable, Sendable {
        /// Files that no version and no draft names.
        package var objects = 0
        /// Uploads and copies that nobody went on with, and what is known of variants of files that are gone.
        package var leftovers = 0
        package var bytes = 0
    }

    private let content: ContentPlace
    private let name: @Sendable () -> String

    /// - Parameter name: gives a name that nobody else has; a random one where it is nil.
    package init(content: ContentPlace, name: (@Sendable () -> String)? = nil) {
        self.content = content
        self.name = name ?? { UUID().uuidString }
    }

    /// Removes what no version and no draft names, and what was left half done.
    ///
    /// - Parameters:
    ///   - grace: in seconds; what was written later than this before `date` stays.
    ///   - isDryRun: nothing is removed.
    /// - Throws: ``PublishRefusal``, also where a record cannot be read; then nothing is removed.
    package func collect(
        grace: TimeInterval = usualGrace, isDryRun: Bool = false, at date: Date
    ) async throws -> Findings {
        do {
            switch content {
            case .folder(let path):
                return try await collect(
                    RepositoryFolder(content: FilePath(path)), writtenBefore: date - grace, isDryRun: isDryRun)
            case .bucket(let client):
                let store = RepositoryBucket(client: client)
                return try await BucketLease.collecting.whileHeld(in: store, as: name()) { deadline in
                    let sweep = try await BucketSweep(of: store, writtenBefore: date - grace)
                    if !isDryRun { try await sweep.remove(from: store, until: deadline) }
                    return sweep.findings
                }
            }
        } catch {
            throw PublishRefusal.from(error)
        }
    }

    private func collect(
        _ store: RepositoryFolder, writtenBefore limit: Date, isDryRun: Bool
    ) async throws -> Findings {
        let queue = DispatchQueue(label: "content collector")
        guard await queue.value(of: { (try? store.objects.stat()) != nil }) else { return Findings() }
        return try await FolderLock.whileHeld(on: store.objects) {
            try await queue.result {
                let sweep = try RepositorySweep(of: store, writtenBefore: limit)
                if !isDryRun { try sweep.remove() }
                return sweep.findings
            }
        }
    }
}
