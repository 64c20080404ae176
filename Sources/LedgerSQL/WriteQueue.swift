import InAppPurchase
import Synchronization

/// Counts the writes that wait for the one writer, so that they do not pile up behind a lock without end.
final class WriteQueue: Sendable {
    /// At a millisecond each a second of waiting; behind a lock that is held, what waits longer is better sent away.
    static let length = 1_000

    private let waiting = Mutex(0)

    /// - Throws: ``LedgerUnavailable`` where too many wait already.
    func enter() throws {
        try waiting.withLock { waiting in
            guard waiting < Self.length else { throw LedgerUnavailable("too many writes wait") }
            waiting += 1
        }
    }

    func leave() { waiting.withLock { $0 -= 1 } }
}
