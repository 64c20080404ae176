import Foundation
import Synchronization

/// Keeps requests below the store's limits, and waits where the store asked for it.
///
/// A lane is a virtual schedule with one place in each interval (GCRA, ITU-T I.371): whoever is too far ahead of it
/// waits, in order of arrival. Its time is that of the dates it is given, as the store's own dates are; where they go
/// back, nobody waits longer than ``maximumPause`` and a burst for it.
final class RequestPacer: Sendable {
    /// More wait only where the limits are far too low for the app; then it is better to say so at once.
    static let queueLength = 256
    /// The store counts by the hour: a longer pause is a mistake in its answer.
    static let maximumPause = Duration.seconds(3600)

    enum Turn: Hashable, Sendable {
        /// Zero where nobody has to wait. Else ``leave(_:)`` is to be called after the wait.
        case after(Duration)
        /// Not in time; nothing is reserved. How long the wait would be.
        case refused(Duration)
    }

    private struct Schedule {
        /// Since 1970.
        var next: Duration
        var waiting = 0
    }

    private let schedules = Mutex<[RateLimitKey: Schedule]>([:])

    /// Takes the next place.
    ///
    /// - Parameter limit: who would have to wait so long has no time left to ask.
    func enter(_ lane: RateLimitKey, at date: Date, within limit: Duration) -> Turn {
        let now = date.sinceEpoch
        return schedules.withLock { schedules in
            var schedule = schedules[lane] ?? Schedule(next: now)
            schedule.next = min(max(schedule.next, now), now + Self.maximumPause + RateLimitKey.burst)
            let wait = max(.zero, schedule.next - now - lane.tolerance)
            guard wait == .zero || wait < limit && schedule.waiting < Self.queueLength else { return .refused(wait) }
            schedule.next += lane.interval
            if wait > .zero { schedule.waiting += 1 }
            schedules[lane] = schedule
            return .after(wait)
        }
    }

    func leave(_ lane: RateLimitKey) {
        schedules.withLock { $0[lane]?.waiting -= 1 }
    }

    /// Nobody is let through before `end`, and then at an even pace.
    func pause(_ lane: RateLimitKey, at date: Date, until end: Date) {
        let now = date.sinceEpoch
        let next = now + min(max(end.sinceEpoch - now, .zero), Self.maximumPause) + lane.tolerance
        schedules.withLock { schedules in
            schedules[lane, default: Schedule(next: next)].next = max(schedules[lane]?.next ?? next, next)
        }
    }
}

extension Date {
    fileprivate var sinceEpoch: Duration { .seconds(timeIntervalSince1970) }
}
