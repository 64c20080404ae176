package import Basics
package import Foundation
import Synchronization

/// The store's time: that of the process and an offset, so that a year passes in a minute.
///
/// The offset is kept with the purchases, which may be of a time that has not come yet.
package final class SimulatorClock: Sendable {
    /// A hundred years either way, in seconds: certificates and calendars hold so far.
    static let bounds = -3_153_600_000.0...3_153_600_000.0
    private static let storeKey = "simulator/clock-offset"

    private let store: any KeyValueStore
    /// The time without the offset.
    let base: @Sendable () -> Date
    private let seconds: Mutex<TimeInterval>

    /// With the offset that was set last in `store`.
    ///
    /// - Parameter base: what time it is without the offset.
    /// - Throws: what `store` throws.
    package init(_ store: any KeyValueStore, base: @escaping @Sendable () -> Date) async throws {
        self.store = store
        self.base = base
        let kept = try await store.value(forKey: Self.storeKey)
        seconds = Mutex(kept.flatMap { TimeInterval(String(decoding: $0, as: UTF8.self)) } ?? 0)
    }

    package var now: Date { base() + offset }

    var offset: TimeInterval { seconds.withLock { $0 } }

    /// Sets the offset. Durable when it returns.
    ///
    /// - Returns: false where `offset` is out of ``bounds``; nothing changes then.
    func set(offset: TimeInterval) async throws -> Bool {
        guard Self.bounds.contains(offset) else { return false }
        try await store.set([Self.storeKey: Data(String(offset).utf8)])
        seconds.withLock { $0 = offset }
        return true
    }
}
