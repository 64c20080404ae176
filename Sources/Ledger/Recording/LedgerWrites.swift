package import Foundation
import Synchronization

/// The state of a ledger as its writes tell it: whether one failed, and whether none can succeed now.
package final class LedgerWrites: Sendable {
    /// A time in which nothing can be written.
    package struct Outage: Hashable, Sendable {
        /// The date since when; `nil` if it is not known.
        package var since: Date?
        /// The cause, for the operator.
        package var detail: String

        package init(since: Date?, detail: String) {
            self.since = since
            self.detail = detail
        }
    }

    private struct State {
        var hasFailure = false
        var outage: Outage?
    }

    private let state = Mutex(State())

    package init() {}

    /// The time in which nothing can be written, if it is such a time; otherwise `nil`.
    package var outage: Outage? { state.withLock { $0.outage } }

    /// Records the error of a write. It may be the fault of that write alone.
    package func recordFailure(_ error: any Error) {
        guard error is LedgerUnavailable else { return }
        state.withLock { $0.hasFailure = true }
    }

    /// Whether a write failed since the last call, or nothing could be written then.
    package func consumeFailure() -> Bool {
        state.withLock { state in
            defer { state.hasFailure = false }
            return state.hasFailure || state.outage != nil
        }
    }

    /// Records whether the ledger can be written.
    ///
    /// - Parameter trouble: the reason why it cannot; `nil` if it can.
    /// - Returns: whether an outage began or ended.
    package func setOutage(_ trouble: String?, at date: Date) -> Bool {
        state.withLock { state in
            defer { state.outage = trouble.map { Outage(since: state.outage?.since ?? date, detail: $0) } }
            return (state.outage == nil) != (trouble == nil)
        }
    }
}
