package import Foundation
package import InAppPurchase

/// Statistics of transactions: a fold of them, which counts each in the row of its day, product, storefront or version
/// and in the total, in any order.
package struct Report: Sendable {
    package let query: ReportQuery
    /// The current date: subscriptions whose time is not over by then have not ended.
    private let date: Date
    /// The rows that have any number, by what they stand for.
    package private(set) var rows: [String: ReportTally] = [:]
    package private(set) var total = ReportTally()
    /// The numbers of the apps that are not served, which are in no row and not in the total.
    package private(set) var notServed: [BundleID: ReportTally] = [:]
    /// The time of the oldest stored sums among the numbers that may have changed since; `nil` if all are as of now.
    package internal(set) var asOf: Date?
    /// Whether transactions are missing, since days were not counted yet; see ``ReportFreshness/stored``.
    package internal(set) var isPartial = false

    package init(_ query: ReportQuery, at date: Date) {
        self.query = query
        self.date = date
    }

    /// Counts a transaction that a scan found.
    package mutating func add(_ reported: ReportedTransaction, from scan: ReportScan) {
        let transaction = reported.transaction
        switch scan.selection {
        case .purchased: addPurchase(reported)
        case .revoked: addRefund(reported)
        case .expiring:
            guard let end = transaction.expirationDate, let reason = reported.reasonOfEnd(at: date) else { return }
            count(transaction, on: end) { $0.count(.ends, reason) }
        case .running:
            guard reported.runs(at: min(query.to, date)) else { return }
            count(transaction, on: nil) { $0.count(.active) }
        }
    }

    /// Adds the stored sums of an app on a day.
    mutating func add(_ sums: ReportSums, of app: BundleID, _ section: ReportSection, on day: ReportDay) {
        for (name, tally) in sums.sections[section] ?? [:] {
            guard isServed(app) else {
                notServed[app, default: ReportTally()].add(tally)
                continue
            }
            total.add(tally)
            if query.grouping != .day {
                rows[name, default: ReportTally()].add(tally)
            } else if section != .running {
                rows[day.name, default: ReportTally()].add(tally)
            }
        }
    }

    private func isServed(_ app: BundleID) -> Bool { query.served?.contains(app) ?? true }

    private mutating func addPurchase(_ reported: ReportedTransaction) {
        let transaction = reported.transaction
        guard reported.isSale else { return }
        if query.kind == .purchases {
            count(transaction, on: transaction.purchaseDate) { $0.addPurchase(reported) }
        } else if transaction.mayRenew, !reported.addsSeats {
            count(transaction, on: transaction.purchaseDate) { $0.addPeriod(reported) }
        }
    }

    private mutating func addRefund(_ reported: ReportedTransaction) {
        let transaction = reported.transaction
        guard let revocation = transaction.revocation else { return }
        if query.kind == .subscriptions {
            guard reported.endedByRefund, !reported.addsSeats else { return }
            count(transaction, on: revocation.date) { $0.count(.ends, ReportTally.refunded) }
        } else if reported.isSale, transaction.isRefunded {
            count(transaction, on: revocation.date) { $0.addRefund(of: transaction, revocation) }
        }
    }

    /// - Parameter date: the date of what is counted; `nil` if it belongs to no single day.
    private mutating func count(_ transaction: Transaction, on date: Date?, _ add: (inout ReportTally) -> Void) {
        guard isServed(transaction.app) else { return add(&notServed[transaction.app, default: ReportTally()]) }
        add(&total)
        let row =
            switch query.grouping {
            case .day: date.map { String($0.rfc3339.prefix(10)) }
            case .product: transaction.productID.text
            case .storefront: transaction.details?.storefront ?? ReportTally.unknown
            case .version: transaction.versionName
            }
        if let row { add(&rows[row, default: ReportTally()]) }
    }
}
