import Dispatch
import Foundation
public import InAppPurchase
import SystemPackage

/// Publishes versions into the store of a content folder and withdraws them, beside servers that serve it.
///
/// Each act is all or nothing: a version is there when its record is, and that is written last, by one rename. One
/// publisher at a time works on a bundle, in all processes of the machine; others wait for a few seconds and are then
/// refused. Every change is in the audit trail before it is made.
public struct ContentPublisher: Sendable {
    let store: StoreFolder
    let trail: any AuditTrail
    /// Of what ``publish(_:as:_:progress:)`` makes patches.
    let patches: PatchExtent
    /// Reading and writing the disk blocks; one act after the other.
    let queue = DispatchQueue(label: "content publisher")

    /// - Parameter content: the path of the content folder; the store in it is made when something is published.
    public init(content: String, trail: any AuditTrail, patches: PatchExtent = PatchExtent()) {
        (store, self.trail, self.patches) = (StoreFolder(content: FilePath(content)), trail, patches)
    }

    /// Publishes a folder: copies what the store lacks, makes patches and smaller forms, and offers the version.
    ///
    /// The same files again: nothing changes, but what the store has lost of them is put back.
    ///
    /// - Parameter progress: called from any thread with what was read and written so far.
    /// - Throws: ``PublishRefusal``, and what the audit trail throws; then everything is as it was.
    public func publish(
        _ folder: String, as plan: VersionPlan, _ act: PublishingAct,
        progress: @escaping @Sendable (PublishingProgress) -> Void = { _ in }
    ) async throws -> PublishingOutcome {
        let source = try await blocking {
            try SourceFolder(FilePath(folder), progress: progress)
        }
        let manifest = try plan.manifest(files: source.manifestFiles)
        return try await change(plan.bundle, existing: nil) { known in
            let settled = try await blocking { try known.settled(manifest, isPatch: plan.isPatch) }
            switch settled?.state {
            case .yanked: throw PublishRefusal.state(.yanked)
            case .draft: try await blocking { try known.checkNumber(of: manifest, isPatch: plan.isPatch) }
            case .published, nil: break
            }
            try await add(source, manifest, progress: progress)
            let unprepared = try await prepare(manifest, among: known, progress: progress)
            if let settled, settled.state == .published {
                return PublishingOutcome(record: settled, isChanged: false, unprepared: unprepared)
            }
            let record = VersionRecord(
                manifest: manifest, state: .published, publishedAt: act.date, isPatch: plan.isPatch,
                channel: plan.channel)
            var outcome = try await commit(record, after: settled, .bundlePublished, act)
            outcome.unprepared = unprepared
            return outcome
        }
    }

    /// Copies the files that the store lacks, and waits until the disk has all of them.
    func add(
        _ source: SourceFolder, _ manifest: Manifest,
        progress: @escaping @Sendable (PublishingProgress) -> Void = { _ in }
    ) async throws {
        try await blocking {
            let objects = ObjectFolder(store: store)
            var missing = Set(objects.missing(from: manifest))
            let lacking = source.files.filter { missing.remove($0.sha256) != nil }
            var done = PublishingProgress(.writing, total: lacking.reduce(0) { $0 + $1.stamp.size })
            for file in lacking { try objects.add(file) { progress(done.adding($0)) } }
            try objects.sync(manifest.files.map(\.sha256))
        }
    }

    /// Records the change, and then makes it.
    func commit(
        _ record: VersionRecord, after before: VersionRecord?, _ kind: AuditEntry.Kind, _ act: PublishingAct
    ) async throws -> PublishingOutcome {
        try await recorded(record, after: before, kind, act) { try store.write(record) }
        return PublishingOutcome(record: record, isChanged: true)
    }

    /// Appends the change to the audit trail, makes it, and takes it back there where it could not be made.
    func recorded(
        _ record: VersionRecord, after before: VersionRecord?, _ kind: AuditEntry.Kind, _ act: PublishingAct,
        _ write: @escaping @Sendable () throws -> Void
    ) async throws {
        let entry = AuditEntry(kind, record, after: before, act)
        try await trail.append(entry)
        do {
            try await blocking(write)
        } catch {
            try await trail.append(entry.takenBack(because: "\(error)"))
            throw error
        }
    }

    /// Lets one publisher of the bundle in at a time, with what is there of it; nobody tidies the store meanwhile.
    ///
    /// Once begun it goes on to its end, also where whoever asked for it has gone.
    ///
    /// - Parameter version: must be there, so that a slip of the pen leaves no folders; nil for a new one.
    func change<Value: Sendable>(
        _ bundle: BundleName, existing version: SemanticVersion?,
        _ body: @escaping @Sendable (KnownVersions) async throws -> Value
    ) async throws -> Value {
        if let reason = ManifestCheck.refusal(ofName: bundle) { throw PublishRefusal.bundleName(reason) }
        return try await Task {
            do {
                if let version { try await demand(version, of: bundle) }
                try await makeFolder(for: bundle)
                return try await FolderLock.whileHeld(on: store.records(of: bundle)) {
                    try await FolderLock.whileHeld(on: store.objects, .shared) {
                        try await body(try await blocking { try KnownVersions(of: bundle, in: store) })
                    }
                }
            } catch {
                throw PublishRefusal.from(error)
            }
        }.value
    }

    private func demand(_ version: SemanticVersion, of bundle: BundleName) async throws {
        try await blocking {
            let folders = [store.records(of: bundle), store.content.appending(bundle)]
            let names = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0.string)) ?? [] }
            let versions = names.map { SemanticVersion($0.replacing(StoreFolder.recordSuffix, with: "")) }
            guard versions.contains(version) else { throw PublishRefusal.unknownVersion }
        }
    }

    /// A folder for a name that differs from another one only by case would spoil both.
    private func makeFolder(for bundle: BundleName) async throws {
        try await blocking { try store.prepare() }
        try await FolderLock.whileHeld(on: store.bundles) {
            try await blocking {
                for parent in [store.content, store.bundles] { try KnownVersions.refuseTwins(of: bundle, in: parent) }
                try store.records(of: bundle).createFolder()
            }
        }
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
