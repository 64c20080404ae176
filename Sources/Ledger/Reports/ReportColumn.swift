/// A number in a row of a report, or several by name.
package enum ReportColumn: String, CaseIterable, CodingKey, Sendable {
    /// First purchases: `PURCHASE`, upgrades and subscriptions that began again included.
    case purchases
    /// The periods that the App Store renewed.
    case renewals
    /// The purchases of more seats for a period that ran.
    case seatAdditions
    /// The units of all purchases, of subscriptions their seats: the sum of their quantities.
    case units
    /// Those of the seats that refunds took back while the period went on.
    case refundedSeats
    /// The periods that are free trials.
    case trials
    /// The periods with an offer, by the offer's type.
    case offers
    /// The purchases and renewals by the product's type.
    case types
    /// The prices that the App Store states, by currency, in its thousandths.
    case revenue
    /// The transactions without a price.
    case unpriced
    /// Subscriptions that began.
    case starts
    /// Subscriptions that began again after they had ended.
    case restarts
    /// Subscriptions that changed to another product while they ran.
    case upgrades
    /// Paid periods after a trial.
    case conversions
    /// Subscriptions that ended, by the reason.
    case ends
    /// Subscriptions that run at the end of the report.
    case active
    case refunds
    /// Refunds of the whole price.
    case full
    /// Refunds of a share of the price.
    case partial
    /// Refunds of a share, by whole percents, rounded down.
    case percentages
    /// Refunds by the reason that the App Store states.
    case reasons
    /// The refunded shares of the prices, by currency, in its thousandths; rounded as ``/InAppPurchase/RefundShare``.
    case refunded
    /// Credits that purchases and administrators gave, and starting credits, by currency.
    case given
    /// Credits that players spent, by currency.
    case spent
    /// Receipts that have a final answer, by their status.
    case receipts
    /// Manifests that were issued to an account for the first time.
    case downloads

    /// Whether the column has a number for each of several names.
    package var hasNames: Bool {
        switch self {
        case .offers, .types, .revenue, .ends, .percentages, .reasons, .refunded, .given, .spent, .receipts: true
        default: false
        }
    }

    /// Whether its numbers are amounts of money, and their names currencies.
    package var isMoney: Bool { self == .revenue || self == .refunded }
}
