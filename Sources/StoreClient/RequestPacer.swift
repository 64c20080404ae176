package import Foundation
import Synchronization

/// A client-side rate limiter: keeps requests below a store's limits, and pauses as the store requests
/// (`Retry-After`).
///
/// Each key has a virtual schedule with one place per interval (GCRA, ITU-T I.371): a request too far ahead of it
/// waits, in order of arrival. Time is that of the dates passed in, since the store's dates are too; if they go back,
/// no request waits longer than ``maximumPause`` and a burst for it.
package final class RequestPacer<Key: PacingKey>: Sendable {
    /// The maximum number of waiting requests. More wait only if the limits are far too low for the app; then it is
    /// better to refuse at once.
    package static var queueLength: Int { 256 }
    /// The maximum pause. Stores count by the hour at most: a longer pause is a mistake in a response.
    package static var maximumPause: Duration { .seconds(3600) }

    /// A place in the schedule.
    package enum Turn: Hashable, Sendable {
        /// The wait; zero if the request may be sent at once, otherwise ``leave(_:)`` is to be called after the wait.
        case after(Duration)
        /// The wait would exceed the limit; nothing is reserved. The value is the wait.
        case refused(Duration)
    }

    private struct Schedule {
        /// The next place in the schedule, as the time since 1970.
        var next: Duration
        var waiting = 0
    }

    private let schedules = Mutex<[Key: Schedule]>([:])

    package init() {}

    /// Reserves the next place in the schedule.
    ///
    /// - Parameters:
    ///   - limit: the maximum wait; a request that would wait longer is refused.
    ///   - isLast: whether it leaves half of the burst to others.
    package func enter(_ key: Key, at date: Date, within limit: Duration, isLast: Bool = false) -> Turn {
        let now = date.sinceEpoch
        return schedules.withLock { schedules in
            var schedule = schedules[key] ?? Schedule(next: now)
            schedule.next = min(max(schedule.next, now), now + Self.maximumPause + Key.burst)
            let wait = max(.zero, schedule.next - now - key.tolerance + (isLast ? Key.burst / 2 : .zero))
            guard wait == .zero || wait < limit && schedule.waiting < Self.queueLength else { return .refused(wait) }
            schedule.next += key.interval
            if wait > .zero { schedule.waiting += 1 }
            schedules[key] = schedule
            return .after(wait)
        }
    }

    /// Ends the wait of a request.
    package func leave(_ key: Key) { schedules.withLock { $0[key]?.waiting -= 1 } }

    /// Pauses the requests until `end`; after it they continue at an even pace.
    package func pause(_ key: Key, at date: Date, until end: Date) {
        let now = date.sinceEpoch
        let next = now + min(max(end.sinceEpoch - now, .zero), Self.maximumPause) + key.tolerance
        schedules.withLock { schedules in
            schedules[key, default: Schedule(next: next)].next = max(schedules[key]?.next ?? next, next)
        }
    }
}

extension Date {
    fileprivate var sinceEpoch: Duration { .seconds(timeIntervalSince1970) }
}
