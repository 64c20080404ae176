public import Foundation
public import InAppPurchase

/// A subscription for a fixed time that only this server knows: the App Store neither states its end nor restores it.
///
/// All purchases of the product, or of its group, lie on one timeline. A purchase before the current run ends extends
/// the run; a later one starts a new run. A run ends at its start plus the sum of its durations, so that three months
/// from 31 January end on 30 April and the second of them on 31 March.
///
/// A partial refund takes its share of the quantity, with the rest rounded up to whole units; of a single unit it takes
/// that share of the seconds by which the unit extended its run.
public struct NonRenewingSubscription: ProductHandler, Equatable {
    public static let productType = ProductType.nonRenewing
    public static let settings = [
        ProductSetting(
            "duration", "How long one purchase lasts, such as P1M for a month or P7D for seven days.",
            label: "Duration")
    ]

    /// The duration of one unit, counted in the UTC Gregorian calendar.
    public var duration: CalendarDuration
    /// The group whose products share a timeline; `nil` if the product has its own.
    public var group: String?

    public init(duration: CalendarDuration, group: String? = nil) {
        self.duration = duration
        self.group = group
    }

    public func isRevoked(_ transaction: Transaction) -> Bool { PartialRefund.keep.revokes(transaction) }
}

extension NonRenewingSubscription: CondensingHandler {
    public static let standingVersion = 1

    public static func condensed(_ standing: Standing) -> Standing {
        var standing = standing
        standing.leaveOutOldRuns()
        return standing
    }

    /// Access to the end of a current run that holds a purchase of `product`; revoked purchases do not count.
    public static func access(
        to product: ProductID, given standing: Standing, renewals: [TransactionID: RenewalFacts], at date: Date
    ) -> Access? {
        guard standing.forgottenUntil.map({ $0 <= date }) ?? true else { return nil }
        let run = standing.runs.first { $0.products.contains(product) && $0.end > date }
        let denial = standing.bought.contains(product) ? DenialReason.expired : .revoked
        return run.map { .granted(until: $0.end) } ?? .denied(denial)
    }

    public static func runs(of product: ProductID, in standing: Standing) -> [DateInterval] {
        standing.runs.filter { $0.products.contains(product) && $0.end > $0.start }
            .map { DateInterval(start: $0.start, end: $0.end) }
    }
}
