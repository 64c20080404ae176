import Dispatch
package import Foundation
import InAppPurchase
package import Ledger
import SystemPackage

/// Publishes versions into the content repository of a folder or a bucket, and withdraws them, while servers are
/// serving it.
///
/// Each act is atomic: a version exists when its record does, and the record is written last, by one rename or one
/// request. If two publishers change one bundle at the same time, one of them waits for a few seconds or is refused.
/// Every change is in the audit trail before it is made.
package struct ContentPublisher: Sendable {
    let store: any PublishingRepository
    let trail: any AuditLedger
    /// The patches that ``publish(_:as:_:progress:)`` makes.
    let patches: PatchExtent
    /// Runs blocking disk access, serially.
    private let queue: DispatchQueue

    /// - Parameters:
    ///   - content: the location of the content repository; in a folder it is created on the first publication.
    ///   - name: makes a unique name; if `nil`, a random one is used.
    package init(
        content: ContentPlace, trail: any AuditLedger, patches: PatchExtent = PatchExtent(),
        name: (@Sendable () -> String)? = nil
    ) {
        let queue = DispatchQueue(label: "content publisher")
        switch content {
        case .folder(let path): store = FolderPublishing(store: RepositoryFolder(content: FilePath(path)), queue: queue)
        case .bucket(let client):
            store = BucketPublishing(store: RepositoryBucket(client: client), name: name ?? { UUID().uuidString })
        }
        self.trail = trail
        self.patches = patches
        self.queue = queue
    }

    /// Publishes a folder: copies missing files into the content repository, makes patches and compressed variants, and
    /// offers the version.
    ///
    /// Idempotent: the same files again change nothing, but objects that the repository has lost are restored.
    ///
    /// - Parameter progress: called from any thread with what was read and written so far.
    /// - Throws: ``PublishRefusal``, and what the audit trail throws; then nothing is published.
    package func publish(
        _ folder: String, as plan: VersionPlan, _ act: PublishingAct,
        progress: @escaping @Sendable (PublishingProgress) -> Void = { _ in }
    ) async throws -> PublishingOutcome {
        let source = try await blocking { try SourceFolder(FilePath(folder), progress: progress) }
        let manifest = try plan.manifest(files: source.manifestFiles)
        return try await change(plan.bundle, existing: nil) { known in
            let existing = try await blocking { try known.existingVersion(matching: manifest, isPatch: plan.isPatch) }
            switch existing?.state {
            case .yanked: throw PublishRefusal.state(.yanked)
            case .draft: try await blocking { try known.checkNumber(of: manifest, isPatch: plan.isPatch) }
            case .published, nil: break
            }
            try await store.add(source, manifest, progress: progress)
            let unprepared = try await store.prepare(manifest, among: known, patches, progress: progress)
            let programs = try await blocking { source.programs }
            if let existing, existing.state == .published {
                try await store.requireReadable(manifest)
                return PublishingOutcome(
                    record: existing, isChanged: false, unprepared: unprepared, programs: programs)
            }
            let record = VersionRecord(
                manifest: manifest, state: .published, publishedAt: act.date, isPatch: plan.isPatch,
                channel: plan.channel)
            var outcome = try await commit(record, after: existing, among: known, .bundlePublished, act)
            (outcome.unprepared, outcome.programs) = (unprepared, programs)
            return outcome
        }
    }

    /// The paths of the files that are programs or scripts, the first of many; in a bucket by their names only.
    ///
    /// - Parameter manifest: of a version in any state; uploads that have not arrived are judged by their names.
    /// - Throws: ``PublishRefusal`` for errors of the disk.
    package func programs(in manifest: Manifest) async throws -> [String] {
        do { return try await store.programs(in: manifest) } catch { throw PublishRefusal.from(error) }
    }

    /// Records the change in the audit trail, and then makes it; offers only what servers can read.
    func commit(
        _ record: VersionRecord, after before: VersionRecord?, among known: KnownVersions, _ kind: AuditEntry.Kind,
        _ act: PublishingAct
    ) async throws -> PublishingOutcome {
        if record.state == .published { try await store.requireReadable(record.manifest) }
        try await recorded(record, after: before, kind, act) { try await store.write(record, among: known) }
        return PublishingOutcome(record: record, isChanged: true)
    }

    /// Appends the change to the audit trail and makes it; if that fails, appends an entry which says so.
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
            try await trail.append(entry.undone(because: "\(error)"))
            throw error
        }
    }

    /// Runs a change of the bundle as its only publisher, with its known versions; garbage collection is locked out
    /// meanwhile.
    ///
    /// Once begun, the change runs to its end, even if the caller's task is cancelled.
    ///
    /// - Parameter version: must exist; `nil` for a new one.
    func change<Value: Sendable>(
        _ bundle: BundleName, existing version: SemanticVersion?,
        _ body: @escaping @Sendable (KnownVersions) async throws -> Value
    ) async throws -> Value {
        if let reason = ManifestCheck.refusal(ofName: bundle.text) { throw PublishRefusal.bundleName(reason) }
        return try await Task {
            do {
                return try await store.change(bundle, existing: version, body)
            } catch {
                throw PublishRefusal.from(error)
            }
        }.value
    }

    /// Runs blocking code on the queue.
    ///
    /// - Throws: ``PublishRefusal`` for errors of the disk.
    func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await queue.result(of: body)
        } catch {
            throw PublishRefusal.from(error)
        }
    }
}

/// The actor and the date of a publication or withdrawal, for the audit trail.
package struct PublishingAct: Sendable {
    package var actor: AuditActor
    package var date: Date

    package init(by actor: AuditActor, at date: Date) {
        self.actor = actor
        self.date = date
    }
}

/// The result of an act: the version as it is now.
package struct PublishingOutcome: Sendable {
    package var record: VersionRecord
    /// `false` if the version was like that before; then nothing was written.
    package var isChanged: Bool
    /// The hashes of the files that a draft still lacks.
    package var missing: [String] = []
    /// Files of which no variant could be made, and why; they are sent as they are.
    package var unprepared: [ContentError] = []
    /// The paths of files that are programs or scripts, the first of many. App Review refuses apps that download code
    /// which changes what they do (App Review Guidelines, 2.5.2).
    package var programs: [String] = []
}
