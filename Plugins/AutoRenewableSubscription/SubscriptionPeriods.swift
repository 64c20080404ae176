import Foundation
import InAppPurchase

/// The paid periods of one original transaction. Upgraded purchases are left out, since an upgrade may expire earlier
/// than the purchase it replaced.
struct SubscriptionPeriods: Codable, Hashable, Sendable {
    /// The number of periods that a standing has: the newest, which may be signed ahead of its start, and those that
    /// may decide until then, or if only a later one was refunded.
    private static let maximumInStanding = 4

    let original: TransactionID
    /// Newest first.
    private var periods: [Period] = []
    /// The latest end of the periods that are left out and not refunded.
    private var forgottenUntil: Date?

    init(of original: TransactionID, _ periods: [Period]) {
        self.original = original
        self.periods = periods
    }

    /// The access by one original transaction, with its rank among others.
    struct RankedAccess {
        var product: ProductID
        var access: Access
        /// The order among original transactions; the smallest is the best.
        var rank: (Int, Int, TimeInterval, Int, TransactionID)

        /// The end of access; `nil` if access is denied or has no end.
        var end: Date? { if case .granted(let end?) = access { end } else { nil } }
    }

    /// Adds a period in its place; of two that equal each other in this order, the one that was added first is first.
    mutating func add(_ period: Period) {
        let index = periods.firstIndex { period.recency < $0.recency } ?? periods.endIndex
        periods.insert(period, at: index)
    }

    /// Leaves all periods out but those of a standing.
    mutating func leaveOutOldPeriods() {
        for old in periods.dropFirst(Self.maximumInStanding) where !old.isRevoked {
            guard let end = old.end else { continue }
            forgottenUntil = max(end, forgottenUntil ?? end)
        }
        periods = Array(periods.prefix(Self.maximumInStanding))
    }

    /// - Parameter renewal: the state of the next renewal.
    /// - Returns: `nil` if a period that is left out may decide.
    func rankedAccess(_ renewal: RenewalFacts?, at date: Date) -> RankedAccess? {
        decidingPeriod(at: date).map { period in
            let access = access(by: period, renewal, at: date)
            let recency = period.recency
            return RankedAccess(
                product: period.product, access: access,
                rank: (
                    access.isGranted ? 0 : 1, access.isGranted ? recency.level : 0, recency.age, recency.level,
                    recency.id
                ))
        }
    }

    private func begun(at date: Date) -> Period? { periods.first { !$0.isRevoked && $0.start <= date } }

    /// The period that decides access by the original transaction: the newest, also if it was signed ahead of its
    /// start. But the period that is paid for now decides until a downgrade begins, and if only a later period was
    /// refunded.
    private func decidingPeriod(at date: Date) -> Period? {
        guard let newest = periods.first else { return nil }
        let begun = begun(at: date)
        if begun == nil, let forgottenUntil, forgottenUntil > date { return nil }
        guard let begun, begun.isPaid(at: date) else { return newest }
        let isDowngradeAhead = newest.start > date && newest.product != begun.product
        return newest.isRevoked || isDowngradeAhead ? begun : newest
    }

    /// Whether nothing is paid for until a period begins. A renewal whose earlier periods are not known, or were all
    /// refunded, is none: the App Store signs it while they run.
    private func isPaymentAhead(_ period: Period, at date: Date) -> Bool {
        guard !period.hasBegun(at: date), begun(at: date)?.isPaid(at: date) != true else { return false }
        // As a standing knows it: of what it leaves out it knows the end of what was not refunded.
        let isAnyPaid = forgottenUntil != nil || periods.contains { !$0.isRevoked && $0.end != nil && $0.start <= date }
        return period.id == original || isAnyPaid
    }

    /// The access by a period. Grace period and leeway only extend it: those of an earlier period are over.
    private func access(by period: Period, _ renewal: RenewalFacts?, at date: Date) -> Access {
        if period.isRevoked || renewal?.isRevoked(from: period.start) == true { return .denied(.revoked) }
        if isPaymentAhead(period, at: date) { return .denied(.notStarted) }
        guard let end = period.end else { return .denied(.expired) }
        if end > date { return .granted(until: end) }
        if let grace = renewal?.graceEnd(from: period.start, to: end), grace > end, grace > date {
            return .granted(until: grace)
        }
        let leeway = end.addingTimeInterval(period.leeway)
        if leeway > date, renewal?.isAboutToCome(after: period) == true { return .granted(until: leeway) }
        return .denied(renewal?.isInBillingRetry(after: period) == true ? .billingRetry : .expired)
    }
}

extension SubscriptionPeriods {
    init(from reader: inout CompactReader) throws {
        original = try reader.readIdentifier()
        var has = try reader.readFlags()
        periods = try reader.readArray { try Period(from: &$0) }
        if has.next() { forgottenUntil = try reader.readDate() }
    }

    func write(to writer: inout CompactWriter) {
        writer.write(original)
        writer.write([forgottenUntil != nil])
        writer.write(periods) { $1.write(to: &$0) }
        if let forgottenUntil { writer.write(forgottenUntil) }
    }
}

extension RenewalFacts {
    fileprivate func isAboutToCome(after period: Period) -> Bool {
        guard willAutoRenew == true else { return false }
        let isStatedOver = period.end.map { isOver(from: period.start, to: $0) } ?? false
        let isExpired = isStatedOver || expirationReason != nil && signedDate >= period.start
        return !isExpired && !isInBillingRetry(after: period)
    }

    /// Whether the renewal after this purchase is in billing retry. A retry for an earlier period ended with this
    /// purchase.
    fileprivate func isInBillingRetry(after period: Period) -> Bool { isInBillingRetry && signedDate >= period.start }
}
