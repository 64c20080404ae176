package import Basics
package import Foundation
import Synchronization

/// The simulator's clock: the time of the process plus an offset, so that a year passes in a minute.
///
/// The offset is stored with the purchases, whose dates may be in the future.
package final class SimulatorClock: Sendable {
    /// The range of the offset in seconds, a hundred years either way: certificates and calendars allow no more.
    static let bounds = -3_153_600_000.0...3_153_600_000.0
    private static let storeKey = "simulator/clock-offset"

    private let store: any KeyValueStore
    /// The time without the offset.
    let base: @Sendable () -> Date
    private let seconds: Mutex<TimeInterval>

    /// A clock with the offset that is stored in `store`.
    ///
    /// - Parameter base: the time without the offset.
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
    /// - Returns: `false` if `offset` is out of ``bounds``; nothing changes then.
    func set(offset: TimeInterval) async throws -> Bool {
        guard Self.bounds.contains(offset) else { return false }
        try await store.set([Self.storeKey: Data(String(offset).utf8)])
        seconds.withLock { $0 = offset }
        return true
    }
}
