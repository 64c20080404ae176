import Foundation
import InAppPurchase
import ObjectStore

/// Keeps publishing and garbage collection in a bucket apart by leases, as ``FolderLock`` does on a disk.
///
/// Each holder writes a lease object of its own, and then looks whether there is one of the other kind. The object
/// store is strongly consistent, so of two at the same moment at least one sees the other, and gives way. The lease of
/// a holder that died expires by the object store's own clock.
enum BucketLease: String {
    case publishing
    case collecting

    static let prefix = "leases/"
    /// The maximum number of leases listed: more than ever run at once, and few enough to be read.
    static let maximumLeases = 1_000

    /// The term of the lease, in seconds. A holder that takes longer stops before its end.
    var time: TimeInterval {
        switch self {
        case .publishing: Self.maximumTime
        case .collecting: 3_600
        }
    }

    /// The longest term of any lease, in seconds.
    static let maximumTime: TimeInterval = 24 * 3_600

    /// The part of the term that the holder uses; the rest is for clocks that differ.
    private var usable: Duration { .seconds(time * 0.9) }

    private func excludes(_ other: BucketLease) -> Bool { self == .collecting || other == .collecting }

    /// Runs `body` while it holds the lease.
    ///
    /// - Parameters:
    ///   - name: unique to the holder.
    ///   - body: is passed the deadline by which it must have ended.
    /// - Throws: ``PublishRefusal/busy``, ``/ObjectStore/ObjectStoreError``, and what `body` throws.
    func whileHeld<Value>(
        in store: RepositoryBucket, as name: String, _ body: (ContinuousClock.Instant) async throws -> Value
    ) async throws -> Value {
        let deadline = ContinuousClock.now + usable
        let key = "\(Self.prefix)\(rawValue)-\(name)"
        try await store.client.put(.bytes(Data()), at: key, .always)
        do {
            let leases = try await store.client.list(Self.prefix, upTo: Self.maximumLeases)
            guard let own = leases.first(where: { $0.key == key }), !leases.contains(where: { blocks($0, own) }) else {
                throw PublishRefusal.busy
            }
            let value = try await body(deadline)
            // A lease that cannot be removed now expires.
            try? await store.client.delete(key)
            return value
        } catch {
            try? await store.client.delete(key)
            throw error
        }
    }

    func blocks(_ lease: ListedObject, _ own: ListedObject) -> Bool {
        guard lease.key != own.key,
            let kind = Self(rawValue: String(lease.key.dropFirst(Self.prefix.count).prefix { $0 != "-" }))
        else { return false }
        return excludes(kind) && own.modified.timeIntervalSince(lease.modified) < kind.time
    }
}
