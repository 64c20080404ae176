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
        case .purchases: [.purchases, .renewals, .units, .trials, .offers, .types, .revenue, .unpriced]
        case .subscriptions:
            [.starts, .restarts, .upgrades, .renewals, .trials, .conversions, .offers, .ends, .active]
        case .refunds: [.refunds, .full, .partial, .percentages, .reasons, .refunded, .unpriced]
        }
    }
}
