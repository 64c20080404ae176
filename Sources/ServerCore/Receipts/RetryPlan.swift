package import Foundation
import InAppPurchase
package import Ledger
package import ServerHTTP
package import StoreClient

/// The time of the next question to the store about a pending receipt (exponential backoff with full jitter).
package struct RetryPlan {
    /// The longest backoff, in seconds: a player who paid looks at the screen.
    static let cap: TimeInterval = 30
    package static let base: TimeInterval = 1
    /// Status 21002 means either "malformed receipt" or "internal trouble" at the App Store. This many in a row, spread
    /// over ``ambiguousPeriod`` (seconds), are taken to mean "malformed".
    static let maximumAmbiguous = 3
    static let ambiguousPeriod: TimeInterval = 600
    /// The waits, in seconds, after 21000 or 21001, which report a mistake of this server: time for people to correct
    /// it.
    static let badRequestWaits: [TimeInterval] = [3_600, 6 * 3_600, 24 * 3_600]
    /// The waits, in seconds, after the store did not know a transaction ID: it is asked after 0, 1, 5 and 30 minutes,
    /// and 2, 8 and 24 hours. A purchase of this minute may not have reached all of the store's servers.
    static let notFoundWaits: [TimeInterval] = [60, 240, 1_500, 5_400, 21_600, 57_600]
    /// In seconds. A wrong setting is corrected by people.
    static let misconfiguredWait: TimeInterval = 300

    package var attempts: Attempts
    package var delay: TimeInterval

    /// The longest wait, in seconds, that a retry date (`Retry-After`, circuit breaker, rate limit) can cause.
    package static let maximumWait: TimeInterval = 3_600

    /// The plan after one more failed attempt; `nil` if another attempt is of no use.
    package init?(after pending: PendingReceipt, _ trouble: Unavailability, at now: Date, _ random: RandomBytes) {
        self.init(
            after: pending.attempts, trouble, ambiguousUntil: pending.ambiguousUntil,
            keepsCount: pending.receipt.kind == .transactionID, at: now, random)
    }

    /// Whether the store was asked about a transaction ID for a day, and did not know it: no question is planned.
    static func isNotFound(_ pending: PendingReceipt) -> Bool {
        pending.receipt.kind == .transactionID && pending.attempts.ambiguous >= notFoundWaits.count
            && pending.ambiguousUntil == nil
    }

    /// - Parameters:
    ///   - ambiguousUntil: an ambiguous answer before this date is not counted as another one.
    ///   - keepsCount: whether other trouble leaves the number of ambiguous answers as it is.
    package init?(
        after earlier: Attempts, _ trouble: Unavailability, ambiguousUntil: Date? = nil, keepsCount: Bool = false,
        at now: Date, _ random: RandomBytes
    ) {
        var attempts = earlier
        attempts.count += 1
        attempts.trouble = trouble.cause.recorded
        // Consecutive ambiguous answers are counted: any other trouble may have been their cause.
        if trouble.cause != .ambiguous, !keepsCount { attempts.ambiguous = 0 }
        let rest = ambiguousUntil.map { $0.timeIntervalSince(now) } ?? 0
        switch trouble.cause {
        case .temporary:
            // Full jitter: receipts that waited out the same outage do not all come back at the same moment.
            let ceiling = min(Self.cap, Self.base * pow(2, Double(min(attempts.count, 16))))
            delay = ceiling * Self.fraction(random)
        case .ambiguous:
            if rest <= 0 { attempts.ambiguous += 1 }
            guard attempts.ambiguous < Self.maximumAmbiguous else { return nil }
            delay = rest > 0 ? rest : Self.ambiguousPeriod / Double(Self.maximumAmbiguous - 1)
        case .badRequest:
            if rest <= 0 { attempts.badRequests += 1 }
            guard attempts.badRequests <= Self.badRequestWaits.count else { return nil }
            delay = rest > 0 ? rest : Self.badRequestWaits[max(0, attempts.badRequests - 1)]
        case .notFound:
            if rest <= 0 { attempts.ambiguous += 1 }
            guard attempts.ambiguous <= Self.notFoundWaits.count else { return nil }
            delay = rest > 0 ? rest : Self.notFoundWaits[max(0, attempts.ambiguous - 1)]
        case .misconfigured: delay = Self.misconfiguredWait
        case .clock:
            // Until the date that the trouble names.
            delay = Self.cap
        }
        if let retryDate = trouble.retryDate {
            delay = max(delay, min(Self.maximumWait, retryDate.timeIntervalSince(now)))
        }
        // A receipt that waits for people goes on waiting, whatever other trouble there is meanwhile.
        if attempts.badRequests > 0 || keepsCount { delay = max(delay, rest) }
        self.attempts = attempts
    }

    /// A number from 0 up to 1.
    private static func fraction(_ random: RandomBytes) -> Double { random(4).reduce(0) { ($0 + Double($1)) / 256 } }
}

extension Unavailability.Cause {
    /// The cause as the ledger records it for the operator.
    fileprivate var recorded: Attempts.Trouble {
        switch self {
        case .temporary: .outage
        case .ambiguous: .ambiguous
        case .misconfigured: .refusedCredential
        case .badRequest: .badRequest
        case .clock: .clock
        case .notFound: .notFound
        }
    }
}
