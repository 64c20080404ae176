import InAppPurchase

/// The numbers of one row of a report. Sums stop at the largest integer.
package struct ReportTally: Hashable, Sendable {
    /// The name that is used where no fact states one.
    static let unknown = "unknown"
    /// The reason of an end by a refund, besides those of `expirationIntent`.
    static let refunded = "refunded"

    private var counts: [ReportColumn: Int] = [:]
    private var namedCounts: [ReportColumn: [String: Int]] = [:]

    package init() {}

    /// - Parameter named: the numbers of the columns that have names.
    package init(_ counts: [ReportColumn: Int], named: [ReportColumn: [String: Int]]) {
        self.counts = counts
        namedCounts = named
    }

    /// The number in a column; 0 if nothing was counted.
    package subscript(column: ReportColumn) -> Int { counts[column] ?? 0 }

    /// The numbers of a column by name; names without a number are absent.
    package func named(_ column: ReportColumn) -> [String: Int] { namedCounts[column] ?? [:] }

    mutating func count(_ column: ReportColumn, _ amount: Int = 1) {
        counts[column] = (counts[column] ?? 0).saturatingAdding(amount)
    }

    mutating func count(_ column: ReportColumn, _ name: String, _ amount: Int = 1) {
        let sum = namedCounts[column]?[name] ?? 0
        namedCounts[column, default: [:]][name] = sum.saturatingAdding(amount)
    }

    /// Adds the numbers of another one. As none is below zero, the order of additions makes no difference.
    mutating func add(_ other: ReportTally) {
        for (column, amount) in other.counts { count(column, amount) }
        for (column, amounts) in other.namedCounts {
            for (name, amount) in amounts { count(column, name, amount) }
        }
    }

    package mutating func addPurchase(_ reported: ReportedTransaction) {
        let transaction = reported.transaction
        count(reported.addsSeats ? .seatAdditions : transaction.isRenewal ? .renewals : .purchases)
        count(.units, max(0, transaction.quantity))
        if let seats = transaction.details?.seats?.revoked, seats > 0 { count(.refundedSeats, seats) }
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

/// The form in which the ledger stores it: an object with a number for each column, or an object of them.
extension ReportTally: Codable {
    package init(from decoder: any Decoder) throws {
        let columns = try decoder.container(keyedBy: ReportColumn.self)
        for column in columns.allKeys {
            if column.hasNames {
                namedCounts[column] = try columns.decode([String: Int].self, forKey: column)
            } else {
                counts[column] = try columns.decode(Int.self, forKey: column)
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var columns = encoder.container(keyedBy: ReportColumn.self)
        for (column, amount) in counts { try columns.encode(amount, forKey: column) }
        for (column, amounts) in namedCounts { try columns.encode(amounts, forKey: column) }
    }
}
