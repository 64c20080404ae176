public import Foundation
import Synchronization

/// A comparison of this machine's clock with a store's: what the store signed or answered has a date that its own clock
/// had reached.
///
/// Time that passes since is counted by the monotonic clock, so that a machine whose clock was set right is seen to be
/// right at once.
public final class StoreClock: Sendable {
    /// A date that the store's clock had reached at an instant.
    private struct Reading: Sendable {
        var date: Date
        var instant: ContinuousClock.Instant

        func date(at instant: ContinuousClock.Instant) -> Date {
            date.addingTimeInterval(self.instant.duration(to: instant) / .seconds(1))
        }
    }

    private struct Readings {
        /// The latest response; the one before may have come through a proxy with a wrong clock.
        var response: Reading?
        /// The signature that puts the store's clock furthest ahead.
        var signature: Reading?
    }

    private let now: @Sendable () -> Date
    private let readings = Mutex(Readings())

    /// - Parameter now: this machine's clock.
    public init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// Records the date in the head of a response.
    package func record(response date: Date) { readings.withLock { $0.response = Reading(date: date, instant: .now) } }

    /// Records the date of signing of genuine data.
    package func record(signature date: Date) {
        let instant = ContinuousClock.now
        readings.withLock { readings in
            if let known = readings.signature, known.date(at: instant) >= date { return }
            readings.signature = Reading(date: date, instant: instant)
        }
    }

    /// The seconds by which this machine's clock is ahead of the store's, by the latest response, with the time that it
    /// took; 0 if it is not, as far as is known.
    package var lead: TimeInterval {
        guard let reading = readings.withLock({ $0.response }) else { return 0 }
        return max(0, now().timeIntervalSince(reading.date(at: .now)))
    }

    /// The seconds by which this machine's clock is at least behind the store's; 0 if it is not, as far as is known.
    package var delay: TimeInterval {
        let instant = ContinuousClock.now
        let dates = readings.withLock { [$0.response, $0.signature] }.compactMap { $0?.date(at: instant) }
        return max(0, dates.max()?.timeIntervalSince(now()) ?? 0)
    }
}
