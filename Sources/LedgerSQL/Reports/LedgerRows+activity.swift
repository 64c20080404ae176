import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    /// Counts the credits, receipts and downloads of some days.
    ///
    /// - Parameter limit: the maximum number of rows of each kind; `nil` for all.
    func activity(on days: ClosedRange<ReportDay>, in environment: Environment, limit: Int?) throws -> ActivityPage {
        let times: SQLArguments = [days.lowerBound.start.milliseconds, days.upperBound.end.milliseconds, limit ?? .max]
        var found = [try credits([environment.rawValue] + times)]
        if environment == .production { found += [try receipts(times), try downloads(times)] }
        let isWhole = found.allSatisfy { entries in
            limit.map { entries.reduce(0) { $0.saturatingAdding($1.count) } < $0 } ?? true
        }
        return ActivityPage(entries: found.flatMap(\.self), isWhole: isWhole)
    }

    private func credits(_ arguments: SQLArguments) throws -> [DayActivity] {
        try all(Self.credits, arguments).map { row in
            let currency: String = try row["currency"]
            return try DayActivity(
                day: ReportDay(row["day"]), app: BundleID(stored: row["app"]),
                named: [.given: [currency: row["given"]], .spent: [currency: row["spent"]]], count: row["rows"])
        }
    }

    /// Credits that purchases and administrators gave, starting credits, and those that players spent. A posting of
    /// more than a billion counts as one, so that sums fit.
    private static let credits = SQLStatement { dialect in
        let amount = { (sign: String) in dialect.least("\(sign)amount", "1000000000") }
        return """
            SELECT app, day, currency, CAST(sum(given) AS BIGINT) AS given, CAST(sum(spent) AS BIGINT) AS spent,
                count(*) AS rows
            FROM (
                SELECT app, postedAt / 86400000 AS day, currency,
                    CASE WHEN amount > 0 AND kind IN (\(Posting.Kind.giving)) THEN \(amount("")) ELSE 0 END AS given,
                    CASE WHEN kind = 'spend' THEN \(amount("-")) ELSE 0 END AS spent
                FROM postings \(dialect.using(index: "postingsPosted"))
                WHERE environment = ? AND postedAt >= ? AND postedAt < ? LIMIT ?
            ) found GROUP BY app, day, currency
            """
    }

    private func receipts(_ arguments: SQLArguments) throws -> [DayActivity] {
        try all(Self.receipts, arguments).map { row in
            let (status, count): (String, Int) = try (row["status"], row["rows"])
            return DayActivity(
                day: ReportDay(try row["day"]), app: DayActivity.ofAllApps, named: [.receipts: [status: count]],
                count: count)
        }
    }

    private static let receipts = SQLStatement { dialect in
        """
        SELECT day, status, count(*) AS rows FROM (
            SELECT answeredAt / 86400000 AS day, status FROM receipts \(dialect.using(index: "receiptsAnswered"))
            WHERE answeredAt IS NOT NULL AND status <> 'pending' AND answeredAt >= ? AND answeredAt < ? LIMIT ?
        ) found GROUP BY day, status
        """
    }

    private func downloads(_ arguments: SQLArguments) throws -> [DayActivity] {
        try all(Self.downloads, arguments).map { row in
            let count: Int = try row["rows"]
            return DayActivity(
                day: ReportDay(try row["day"]), app: DayActivity.ofAllApps, columns: [.downloads: count], count: count)
        }
    }

    private static let downloads = SQLStatement { dialect in
        """
        SELECT day, count(*) AS rows FROM (
            SELECT firstAt / 86400000 AS day
            FROM manifestDeliveries \(dialect.using(index: "manifestDeliveriesFirst"))
            WHERE firstAt >= ? AND firstAt < ? LIMIT ?
        ) found GROUP BY day
        """
    }
}

extension Posting.Kind {
    /// The kinds of postings that give credits, as a list in SQL.
    fileprivate static let giving = [Posting.Kind.credit, .adjustment, .starting].map { "'\($0.rawValue)'" }
        .joined(separator: ", ")
}
