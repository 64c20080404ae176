import InAppPurchase

/// The numbers of one row of a report. Sums stop at the largest integer.
package struct ReportTally: Hashable, Sendable {
    /// The name of what no fact tells.
    static let unknown = "unknown"
    /// The reason of an end by a refund, besides those of `expirationIntent`.
    static let refunded = "refunded"

    private var counts: [ReportColumn: Int] = [:]
    private var namedCounts: [ReportColumn: [String: Int]] = [:]

    package init() {}

    /// The number in a column; 0 if nothing was counted.
    package subscript(column: ReportColumn) -> Int { counts[column] ?? 0 }

    /// The numbers of a column by name, without those that are not there.
    package func named(_ column: ReportColumn) -> [String: Int] { namedCounts[column] ?? [:] }

    mutating func count(_ column: ReportColumn, _ amount: Int = 1) {
        counts[column] = (counts[column] ?? 0).saturatingAdding(amount)
    }

    mutating func count(_ column: ReportColumn, _ name: String, _ amount: Int = 1) {
        let sum = namedCounts[column]?[name] ?? 0
        namedCounts[column, default: [:]][name] = sum.saturatingAdding(amount)
    }

    mutating func addPurchase(_ reported: ReportedTransaction) {
        let transaction = reported.transaction
        count(transaction.isRenewal ? .renewals : .purchases)
        count(.units, max(0, transaction.quantity))
        count(.types, (transaction.provenType ?? reported.termsType)?.rawValue ?? Self.unknown)
        addTerms(of: transaction)
        if let price = transaction.statedPrice {
            count(.revenue, price.currency, price.amount)
        } else {
            count(.unpriced)
        }
    }

    mutating func addPeriod(_ reported: ReportedTransaction) {
        switch reported.beginning {
        case .start: count(.starts)
        case .restart: count(.restarts)
        case .upgrade: count(.upgrades)
        case .renewal: count(.renewals)
        }
        if reported.isConversion { count(.conversions) }
        addTerms(of: reported.transaction)
    }

    private mutating func addTerms(of transaction: Transaction) {
        if transaction.details?.isTrial == true { count(.trials) }
        if let offer = transaction.offerName { count(.offers, offer) }
    }

    mutating func addRefund(of transaction: Transaction, _ revocation: Transaction.Revocation) {
        let share = revocation.share
        count(.refunds)
        count(share.isAll ? .full : .partial)
        if !share.isAll { count(.percentages, String(share.wholePercents)) }
        let reason =
            switch transaction.revocationDetails?.reason {
            case 1: "appIssue"
            case nil: Self.unknown
            default: "other"
            }
        count(.reasons, reason)
        if let price = transaction.statedPrice {
            count(.refunded, price.currency, share.of(price.amount))
        } else {
            count(.unpriced)
        }
    }
}
