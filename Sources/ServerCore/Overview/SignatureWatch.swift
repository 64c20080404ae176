import Foundation
import InAppPurchase
import ServerHTTP
import Synchronization

/// Counts what was sent as signed by the store in the last hour, and how much of it was refused for its signature.
///
/// A few are forgeries. If most are refused, this server does not know a root of the store, or what it gets is not what
/// was sent.
package final class SignatureWatch: Sendable {
    /// In seconds: the time in which is counted.
    static let window: TimeInterval = 3_600
    /// In seconds: what comes within this time is forgotten at once.
    static let slotTime: TimeInterval = 300
    /// Anybody can send a few forgeries.
    static let minimumRefusals = 5
    /// The share of refusals from which on something is wrong.
    static let maximumShare = 0.5

    private static let slots = Int((window / slotTime).rounded(.up))
    private static let reasons: Set<ReceiptRejection.Reason> = [.signature, .chain, .expiredCertificate]

    package enum Kind: String, CaseIterable, Sendable {
        case receipts, notifications
    }

    /// The counts of one kind.
    package struct Count: Hashable, Sendable {
        var all = 0
        var refused = 0

        var isTooMuch: Bool {
            refused >= SignatureWatch.minimumRefusals && Double(refused) >= SignatureWatch.maximumShare * Double(all)
        }
    }

    /// The counts of the last hour.
    package struct Summary: Sendable {
        var counts: [Kind: Count] = [:]
        /// The last refusal.
        var last: ReceiptRejection?

        /// Whether most of this kind is refused.
        func refusesMost(_ kind: Kind) -> Bool { counts[kind]?.isTooMuch ?? false }
    }

    struct State {
        var counts: [Int: [Kind: Count]] = [:]
        var last: ReceiptRejection?
    }

    let state = Mutex(State())

    /// Counts what was verified, or refused; refusals for other reasons than the signature are not counted.
    ///
    /// - Parameter rejection: `nil` if it was verified.
    func record(_ kind: Kind, _ rejection: ReceiptRejection?, at date: Date) {
        guard rejection.map({ Self.reasons.contains($0.reason) }) ?? true else { return }
        let slots = Self.slots(until: date)
        state.withLock { state in
            state.counts = state.counts.filter { slots.contains($0.key) }
            state.counts[slots.upperBound, default: [:]][kind, default: Count()].all += 1
            guard let rejection else { return }
            state.counts[slots.upperBound, default: [:]][kind, default: Count()].refused += 1
            state.last = rejection
        }
    }

    /// Returns what was counted until `date`.
    func summary(at date: Date) -> Summary {
        let slots = Self.slots(until: date)
        return state.withLock { state in
            var summary = Summary(last: state.last)
            for (kind, count) in state.counts.filter({ slots.contains($0.key) }).values.joined() {
                summary.counts[kind, default: Count()].all += count.all
                summary.counts[kind, default: Count()].refused += count.refused
            }
            return summary
        }
    }

    private static func slots(until date: Date) -> ClosedRange<Int> {
        let last = Int(clamping: (date.timeIntervalSince1970 / slotTime).rounded(.down))
        return last.saturatingAdding(1 - slots)...last
    }
}
