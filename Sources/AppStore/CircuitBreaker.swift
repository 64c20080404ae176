public import Foundation
import Synchronization

/// Spares everybody the wait for an endpoint that gives no answers.
///
/// Consecutive failures open it; while it is open one request in ``probeInterval`` goes through, and the first usable
/// answer, whoever asked for it, closes it. Safe to use from many tasks at once.
public final class CircuitBreaker: Sendable {
    /// Fewer may be chance; with more, more players wait for nothing.
    public static let failuresToOpen = 5
    /// Often enough that nobody notices the end of an outage late, and no load for an endpoint that has trouble.
    public static let probeInterval: TimeInterval = 30

    public enum State: Hashable, Sendable {
        case closed
        case open(since: Date)
        /// Open, and a request went through of which nothing is known yet.
        case probing(since: Date)
    }

    fileprivate struct Record {
        var state = State.closed
        /// In a row, while it is closed.
        var failures = 0
        /// When it opened, or the last probe went through.
        var lastProbe = Date.distantPast
    }

    private let name: String
    private let onClose: @Sendable (Date) -> Void
    private let record = Mutex(Record())

    /// - Parameters:
    ///   - name: for the operator's log, what it stands before: `verifyReceipt Production`.
    ///   - onClose: told the date of the answer that ended an outage, on the task that got it; it must not block. What
    ///     was kept for a better time may be asked about again.
    public init(_ name: String, onClose: @escaping @Sendable (Date) -> Void = { _ in }) {
        self.name = name
        self.onClose = onClose
    }

    public var state: State { record.withLock { $0.state } }

    /// Whether the endpoint may be asked. Who is let through says by ``record(success:at:)`` what came of it.
    ///
    /// While it is open the first to ask after ``probeInterval`` is let through, as the probe.
    public func admits(at now: Date) -> Bool {
        record.withLock { record in
            guard let since = record.state.outage else { return true }
            // A clock that was set back must not keep it open.
            guard abs(now.timeIntervalSince(record.lastProbe)) >= Self.probeInterval else { return false }
            (record.state, record.lastProbe) = (.probing(since: since), now)
            return true
        }
    }

    /// What came of a request.
    ///
    /// - Parameter success: whether there was a usable answer, a refusal being one; nil where nothing was learned.
    /// - Returns: whether this answer closed it.
    @discardableResult
    public func record(success: Bool?, at now: Date) -> Bool {
        let closes = record.withLock { $0.record(success: success, at: now) }
        if closes { onClose(now) }
        return closes
    }

    /// Why nobody is let through.
    var unavailability: Unavailability {
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
    /// When it opened; nil where it is closed.
    public var outage: Date? {
        switch self {
        case .closed: nil
        case .open(let since), .probing(let since): since
        }
    }
}
