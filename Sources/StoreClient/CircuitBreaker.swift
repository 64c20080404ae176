public import Foundation
public import InAppPurchase
import Synchronization

/// A circuit breaker: while an endpoint does not respond, requests fail at once instead of waiting.
///
/// Consecutive failures open it; while it is open, one request per ``probeInterval`` passes as a probe, and the first
/// usable response to any request closes it. Safe to use from many tasks at once.
public final class CircuitBreaker: Sendable {
    /// The number of consecutive failures that opens it. Fewer may be chance; more would let more players wait in vain.
    public static let failuresToOpen = 5
    /// The time between two probes, in seconds: short enough to notice the end of an outage soon, and no load for the
    /// endpoint.
    public static let probeInterval: TimeInterval = 30

    /// The state of a breaker.
    public enum State: Hashable, Sendable {
        /// Requests pass.
        case closed
        /// Requests fail at once, since the date.
        case open(since: Date)
        /// Open since the date, and a probe is under way.
        case probing(since: Date)
    }

    fileprivate struct Record {
        var state = State.closed
        /// The number of consecutive failures while it is closed.
        var failures = 0
        /// The date when it opened, or of the last probe.
        var lastProbe = Date.distantPast
    }

    private let name: String
    private let onClose: @Sendable (Date) -> Void
    private let record = Mutex(Record())

    /// - Parameters:
    ///   - name: the name in the operator's log, such as `verifyReceipt Production`.
    ///   - onClose: called with the date of the response that ended an outage, on the task that received it; it must
    ///     not block. A place to retry pending requests.
    public init(_ name: String, onClose: @escaping @Sendable (Date) -> Void = { _ in }) {
        self.name = name
        self.onClose = onClose
    }

    /// The present state.
    public var state: State { record.withLock { $0.state } }

    /// Whether a request may be sent. The caller reports its outcome by ``record(success:at:)``.
    ///
    /// While the breaker is open, the first caller after ``probeInterval`` passes, as the probe.
    public func admits(at now: Date) -> Bool {
        record.withLock { record in
            guard let since = record.state.outage else { return true }
            // A clock that was set back must not keep it open.
            guard abs(now.timeIntervalSince(record.lastProbe)) >= Self.probeInterval else { return false }
            (record.state, record.lastProbe) = (.probing(since: since), now)
            return true
        }
    }

    /// Records the outcome of a request.
    ///
    /// - Parameter success: whether there was a usable response, which an error status can be; `nil` if nothing was
    ///   learned.
    /// - Returns: whether this response closed the breaker.
    @discardableResult public func record(success: Bool?, at now: Date) -> Bool {
        let closes = record.withLock { $0.record(success: success, at: now) }
        if closes { onClose(now) }
        return closes
    }

    /// The reason for a request that may not be sent, with the date of the next probe.
    package var unavailability: Unavailability {
        let retryDate = record.withLock { record in
            // It may have closed meanwhile.
            record.state == .closed ? nil : record.lastProbe.addingTimeInterval(Self.probeInterval)
        }
        return Unavailability(.temporary, "\(name): breaker open", retryDate: retryDate)
    }
}

extension CircuitBreaker.Record {
    fileprivate mutating func record(success: Bool?, at now: Date) -> Bool {
        switch (state, success) {
        case (.closed, false?):
            failures += 1
            if failures >= CircuitBreaker.failuresToOpen { (state, lastProbe) = (.open(since: now), now) }
        case (_, true?):
            defer { self = Self() }
            return state != .closed
        case (.probing(let since), _): state = .open(since: since)
        case (.closed, nil), (.open, _): break
        }
        return false
    }
}

extension CircuitBreaker.State {
    /// The date when the breaker opened; `nil` if it is closed.
    public var outage: Date? {
        switch self {
        case .closed: nil
        case .open(let since), .probing(let since): since
        }
    }
}

/// A circuit breaker for each environment of one API of a store: an outage of one says nothing about the other.
public struct CircuitBreakers: Sendable {
    /// The breaker of the production endpoint.
    public let production: CircuitBreaker
    /// The breaker of the sandbox endpoint.
    public let sandbox: CircuitBreaker

    /// - Parameters:
    ///   - interface: the API's name in the operator's log, such as `verifyReceipt`.
    ///   - onClose: called when either closes, as in ``CircuitBreaker/init(_:onClose:)``.
    public init(_ interface: String, onClose: @escaping @Sendable (Date) -> Void = { _ in }) {
        production = CircuitBreaker("\(interface) Production", onClose: onClose)
        sandbox = CircuitBreaker("\(interface) Sandbox", onClose: onClose)
    }

    /// The breaker of an environment; ``sandbox`` for any but Production.
    public subscript(environment: Environment) -> CircuitBreaker { environment == .production ? production : sandbox }
}
