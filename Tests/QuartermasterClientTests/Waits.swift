import Foundation
import Synchronization

@testable import QuartermasterClient

/// The waits of a shop, which it waits, or for a test that ends them itself: which it waits until then.
final class Waits: Sendable {
    private let state = Mutex((begun: [Duration](), running: 0, isOver: false))
    private let isEndless: Bool

    /// - Parameter isEndless: whether no wait ends before ``end()`` is called.
    init(isEndless: Bool = false) { self.isEndless = isEndless }

    var begun: [Duration] { state.withLock(\.begun) }
    var running: Int { state.withLock(\.running) }

    /// Ends the waits that run, and those that begin later.
    func end() { state.withLock { $0.isOver = true } }

    var clock: ClientClock {
        var clock = ClientClock.system
        clock.sleep = { [self] wait in
            state.withLock { $0 = ($0.begun + [wait], $0.running + 1, $0.isOver) }
            defer { state.withLock { $0.running -= 1 } }
            guard isEndless else { return try await Task.sleep(for: wait) }
            while !state.withLock(\.isOver) { try await Task.sleep(for: .milliseconds(10)) }
        }
        return clock
    }
}
