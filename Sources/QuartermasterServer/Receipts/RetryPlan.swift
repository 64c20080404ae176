import AppStore
import Foundation
import InAppPurchase

/// When the store is asked again about a receipt.
struct RetryPlan {
    /// The longest wait: a player who paid looks at the screen.
    static let cap: TimeInterval = 30
    static let base: TimeInterval = 1
    /// 21002 says "malformed" or "trouble here"; this often in a row over ``ambiguousPeriod``, then it is taken to say
    /// "malformed".
    static let maximumAmbiguous = 3
    static let ambiguousPeriod: TimeInterval = 600
    /// After 21000 or 21001, which tell of a mistake of this server's: time for people to mend it.
    static let badRequestWaits: [TimeInterval] = [3_600, 6 * 3_600, 24 * 3_600]
    /// A wrong setting is mended by people.
    static let misconfiguredWait: TimeInterval = 300

    var attempts: Attempts
    var delay: TimeInterval

    /// Nobody is put off longer by what the store asks for.
    static let maximumWait: TimeInterval = 3_600

    /// The plan after one more attempt failed; nil where it is not worth another.
    init?(after kept: PendingReceipt, _ trouble: Unavailability, at now: Date, _ random: RandomBytes) {
        self.init(after: kept.attempts, trouble, ambiguousUntil: kept.ambiguousUntil, at: now, random)
    }

    /// - Parameter ambiguousUntil: what is doubted sooner is the same doubt.
    init?(
        after earlier: Attempts, _ trouble: Unavailability, ambiguousUntil: Date? = nil, at now: Date,
        _ random: RandomBytes
    ) {
        var attempts = earlier
        attempts.count += 1
        let rest = ambiguousUntil.map { $0.timeIntervalSince(now) } ?? 0
        switch trouble.cause {
        case .temporary:
            // Full jitter: receipts that waited out the same outage do not all come back at the same moment.
            let ceiling = min(Self.cap, Self.base * pow(2, Double(min(attempts.count, 16))))
            delay = ceiling * Self.fraction(random)
            // A store with trouble of its own may have doubted for that.
            attempts.ambiguous = 0
        case .ambiguous:
            if rest <= 0 { attempts.ambiguous += 1 }
            guard attempts.ambiguous < Self.maximumAmbiguous else { return nil }
            delay = rest > 0 ? rest : Self.ambiguousPeriod / Double(Self.maximumAmbiguous - 1)
        case .badRequest:
            if rest <= 0 { attempts.badRequests += 1 }
            guard attempts.badRequests <= Self.badRequestWaits.count else { return nil }
            delay = rest > 0 ? rest : Self.badRequestWaits[max(0, attempts.badRequests - 1)]
        case .misconfigured:
            delay = Self.misconfiguredWait
        }
        if let retryDate = trouble.retryDate {
            delay = min(Self.maximumWait, max(delay, retryDate.timeIntervalSince(now)))
        }
        self.attempts = attempts
    }

    /// Between 0 and 1.
    private static func fraction(_ random: RandomBytes) -> Double {
        random(4).reduce(0) { ($0 + Double($1)) / 256 }
    }
}
