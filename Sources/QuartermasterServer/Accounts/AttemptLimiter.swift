import Foundation
import Synchronization

/// Slows down who guesses: so many failures from one address in one window.
final class AttemptLimiter: Sendable {
    static let failuresPerWindow = 10
    static let window: TimeInterval = 60
    /// Addresses remembered; when it is full, all are forgotten, which gives an attacker with that many addresses
    /// little beside the 120 bits they guess at.
    static let mostAddresses = 10_000

    private let failures = Mutex<[String: [Date]]>([:])

    /// Seconds until the address may try again; nil where it may now.
    func wait(for address: String, at date: Date) -> Int? {
        failures.withLock { failures in
            let recent = (failures[address] ?? []).filter { date.timeIntervalSince($0) < Self.window }
            failures[address] = recent.isEmpty ? nil : recent
            guard recent.count >= Self.failuresPerWindow, let oldest = recent.first else { return nil }
            return max(1, Int(clamping: (Self.window - date.timeIntervalSince(oldest)).rounded(.up)))
        }
    }

    func recordFailure(of address: String, at date: Date) {
        failures.withLock { failures in
            if failures.count >= Self.mostAddresses { failures.removeAll() }
            failures[address, default: []].append(date)
        }
    }
}

extension Int {
    /// The nearest integer that fits; 0 for what is no number.
    init(clamping value: Double) {
        self = Int(exactly: value.rounded()) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
    }
}
