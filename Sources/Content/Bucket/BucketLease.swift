import Foundation
import InAppPurchase
import ObjectStore

/// Keeps publishers and those who tidy a bucket apart, as ``FolderLock`` does on a disk.
///
/// Each puts an object of its own, and then looks whether there is one of the other kind. A store shows what it has
/// confirmed to everybody at once, so of two at the same moment one at least sees the other, and gives way. The objects
/// of who died count no longer after a while, by the store's own clock.
enum BucketLease: String {
    case publishing
    case collecting

    static let prefix = "leases/"
    /// More than ever run at once, and few enough to be read.
    static let maximumLeases = 1_000

    /// In seconds. Whoever takes longer stops before.
    var time: TimeInterval {
        switch self {
        case .publishing: Self.maximumTime
        case .collecting: 3_600
        }
    }

    /// Of any lease, in seconds.
    static let maximumTime: TimeInterval = 24 * 3_600

    /// What is left of the time is for clocks that differ.
    private var usable: Duration { .seconds(time * 0.9) }

    private func isKept(apart other: BucketLease) -> Bool { self == .collecting || other == .collecting }

    /// - Parameters:
    ///   - name: nobody else's.
    ///   - body: is told when it must have ended.
    /// - Throws: ``PublishRefusal/busy``, ``ObjectStoreError``, and what `body` throws.
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
            // What cannot be removed now ends by itself.
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
        return isKept(apart: kind) && own.modified.timeIntervalSince(lease.modified) < kind.time
    }
}
