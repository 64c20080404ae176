/// The part of a day's sums that one scan of a kind of report counts.
package enum ReportSection: String, CaseIterable, CodingKeyRepresentable, Codable, Sendable {
    case purchases
    case refunds
    /// How subscriptions begin and renew.
    case periods
    /// Subscriptions that a refund ended.
    case refundEnds
    /// Subscriptions that ended by themselves.
    case ends
    /// Subscriptions that run, by the day on which their periods end.
    case running
    /// Credits, receipts and downloads; see ``ActivityReport``.
    case activity

    /// The kind of report that has it; `nil` if none has.
    var kind: ReportKind? {
        switch self {
        case .activity: nil
        case .purchases: .purchases
        case .refunds: .refunds
        case .periods, .refundEnds, .ends, .running: .subscriptions
        }
    }

    /// The selection of the scan that counts it; `nil` if none does.
    var selection: ReportScan.Selection? {
        switch self {
        case .activity: nil
        case .purchases, .periods: .purchased
        case .refunds, .refundEnds: .revoked
        case .ends: .expiring
        case .running: .running
        }
    }

    /// The only section that a scan of a kind of report counts.
    init?(_ kind: ReportKind, _ selection: ReportScan.Selection) {
        guard let section = Self.allCases.first(where: { $0.kind == kind && $0.selection == selection }) else {
            return nil
        }
        self = section
    }
}

/// The subject of a report.
package enum ReportKind: String, CaseIterable, Sendable {
    /// First purchases and renewals, by the date of the purchase.
    case purchases
    /// How subscriptions begin, renew and end, by the date of each.
    case subscriptions
    /// Refunds that stand, by the date of the refund.
    case refunds

    /// The numbers of each row, in their order.
    package var columns: [ReportColumn] {
        switch self {
        case .purchases:
            [
                .purchases, .renewals, .seatAdditions, .units, .refundedSeats, .trials, .offers, .types, .revenue,
                .unpriced,
            ]
        case .subscriptions: [.starts, .restarts, .upgrades, .renewals, .trials, .conversions, .offers, .ends, .active]
        case .refunds: [.refunds, .full, .partial, .percentages, .reasons, .refunded, .unpriced]
        }
    }
}
