import Dispatch
public import Foundation
import InAppPurchase
import SystemPackage

/// Tidies the store of a content folder, beside servers that serve it.
public struct ContentCollector: Sendable {
    /// Longer than anybody needs to publish a version, or to go on with an upload.
    public static let usualGrace: TimeInterval = 86_400

    /// What was removed, or would be.
    public struct Findings: Hashable, Encodable, Sendable {
        /// Files that no version and no draft names.
        public var objects = 0
        /// Uploads and copies that nobody went on with, and what is known of variants of files that are gone.
        public var leftovers = 0
        public var bytes = 0
    }

    private let store: StoreFolder
    private let queue = DispatchQueue(label: "content collector")

    /// - Parameter content: the path of the content folder.
    public init(content: String) { store = StoreFolder(content: FilePath(content)) }

    /// Removes what no version and no draft names, and what was left half done.
    ///
    /// - Parameters:
    ///   - grace: in seconds; what was written later than this before `date` stays.
    ///   - isDryRun: nothing is removed.
    /// - Throws: ``PublishRefusal``, also where a record cannot be read; then nothing is removed.
    public func collect(
        grace: TimeInterval = usualGrace, isDryRun: Bool = false, at date: Date
    ) async throws -> Findings {
        guard await queue.value(of: { (try? store.objects.stat()) != nil }) else { return Findings() }
        do {
            return try await FolderLock.whileHeld(on: store.objects) {
                try await queue.result {
                    let sweep = try StoreSweep(of: store, writtenBefore: date - grace)
                    if !isDryRun { try sweep.remove() }
                    return sweep.findings
                }
            }
        } catch {
            throw PublishRefusal.from(error)
        }
    }
}
