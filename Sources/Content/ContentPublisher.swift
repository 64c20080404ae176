import Dispatch
import Foundation
package import InAppPurchase
import SystemPackage

/// Publishes versions into the store of a content folder, or into a bucket, and withdraws them, beside servers that
/// serve it.
///
/// Each act is all or nothing: a version is there when its record is, and that is written last, by one rename or one
/// request. Of two publishers of one bundle one waits for a few seconds or is refused. Every change is in the audit
/// trail before it is made.
package struct ContentPublisher: Sendable {
    let store: any PublishingRepository
    let trail: any AuditTrail
    /// Of what ``publish(_:as:_:progress:)`` makes patches.
    let patches: PatchExtent
    /// Reading and writing the disk blocks; one act after the other.
    private let queue: DispatchQueue

    /// - Parameters:
    ///   - content: where the store is; in a folder it is made when something is published.
    ///   - name: gives a name that nobody else has; a random one where it is nil.
    package init(
        content: ContentPlace, trail: any AuditTrail, patches: PatchExtent = PatchExtent(),
        name: (@Sendable () -> String)? = nil
    ) {
        let queue = DispatchQueue(label: "content publisher")
        switch content {
        case .folder(let path):
            store = FolderPublishing(store: RepositoryFolder(content: FilePath(path)), queue: queue)
        case .bucket(let client):
            store = BucketPublishing(store: RepositoryBucket(client: client), name: name ?? { UUID().uuidString })
        }
        self.trail = trail
        self.patches = patches
        self.queue = queue
    }

    /// Publishes a folder: copies what the store lacks, makes patches and smaller forms, and offers the version.
    ///
    /// The same files again: nothing changes, but what the store has lost of them is put back.
    ///
    /// - Parameter progress: called from any thread with what was read and written so far.
    /// - Throws: ``PublishRefusal``, and what the audit trail throws; then everything is as it was.
    package func publish(
        _ folder: String, as plan: VersionPlan, _ act: PublishingAct,
        progress: @escaping @Sendable (PublishingProgress) -> Void = { _ in }
    ) async throws -> PublishingOutcome {
        let source = try await blocking {
            try SourceFolder(FilePath(folder), progress: progress)
        }
        let manifest = try plan.manifest(files: source.manifestFiles)
        return try await change(plan.bundle, existing: nil) { known in
            let settled = try await blocking { try known.isStable(manifest, isPatch: plan.isPatch) }
            switch settled?.state {
            case .yanked: throw PublishRefusal.state(.yanked)
            case .draft: try await blocking { try known.checkNumber(of: manifest, isPatch: plan.isPatch) }
            case .published, nil: break
            }
            try await store.add(source, manifest, progress: progress)
            let unprepared = try await store.prepare(manifest, among: known, patches, progress: progress)
            if let settled, settled.state == .published {
                return PublishingOutcome(record: settled, isChanged: false, unprepared: unprepared)
            }
            let record = VersionRecord(
                manifest: manifest, state: .published, publishedAt: act.date, isPatch: plan.isPatch,
                channel: plan.channel)
            var outcome = try await commit(record, after: settled, among: known, .bundlePublished, act)
            outcome.unprepared = unprepared
            return outcome
        }
    }

    /// Records the change, and then makes it.
    func commit(
        _ record: VersionRecord, after before: VersionRecord?, among known: KnownVersions, _ kind: AuditEntry.Kind,
        _ act: PublishingAct
    ) async throws -> PublishingOutcome {
        try await recorded(record, after: before, kind, act) { try await store.write(record, among: known) }
        return PublishingOutcome(record: record, isChanged: true)
    }

    /// Appends the change to the audit trail, makes it, and takes it back there where it could not be made.
    func recorded(
        _ record: VersionRecord, after before: VersionRecord?, _ kind: AuditEntry.Kind, _ act: PublishingAct,
        _ write: () async throws -> Void
    ) async throws {
        let entry = AuditEntry(kind, record, after: before, act)
        try await trail.append(entry)
        do {
            try await write()
        } catch {
            let error = PublishRefusal.from(error)
            try await trail.append(entry.takenBack(because: "\(error)"))
            throw error
        }
    }

    /// Lets one publisher of the bundle make a change, with what is there of it; nobody tidies the store meanwhile.
    ///
    /// Once begun it goes on to its end, also where whoever asked for it has gone.
    ///
    /// - Parameter version: must be there; nil for a new one.
    func change<Value: Sendable>(
        _ bundle: BundleName, existing version: SemanticVersion?,
        _ body: @escaping @Sendable (KnownVersions) async throws -> Value
    ) async throws -> Value {
        if let reason = ManifestCheck.refusal(ofName: bundle) { throw PublishRefusal.bundleName(reason) }
        return try await Task {
            do {
                return try await store.change(bundle, existing: version, body)
            } catch {
                throw PublishRefusal.from(error)
            }
        }.value
    }

    /// - Throws: ``PublishRefusal`` for what the disk says.
    func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await queue.result(of: body)
        } catch {
            throw PublishRefusal.from(error)
        }
    }
}
