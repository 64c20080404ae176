import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    /// The number of changes that one transaction processes.
    static let reportChangesAtOnce = 1_000

    /// Returns the days concerned by changes that no server has processed yet.
    ///
    /// - Returns: `nil` if there are more than a report looks at.
    func pendingReportDays() throws -> Set<ReportDayKey>? {
        let found = try all(Self.pendingReportChanges, [Self.reportChangesAtOnce])
        guard found.count < Self.reportChangesAtOnce else { return nil }
        return try found.reduce(into: []) { try $1.addReportDays(to: &$0) }
    }

    /// Counts the oldest changes for the days that they concern, and deletes them.
    ///
    /// - Returns: how many they were, at most ``reportChangesAtOnce``.
    func countReportChanges(at date: Date) throws -> Int {
        let found = try all(Self.oldestReportChanges, [Self.reportChangesAtOnce])
        let days = try found.reduce(into: Set<ReportDayKey>()) { try $1.addReportDays(to: &$0) }
        // In a fixed order, so that two servers never wait for each other.
        for key in days.sorted() { try send(Self.countReportChange, [date.milliseconds, key.environment, key.day]) }
        for numbers in try found.map({ try $0["sequence"] as Int }).consecutive {
            try send(Self.deleteReportChanges, [numbers.lowerBound, numbers.upperBound])
        }
        return found.count
    }

    private static let pendingReportChanges = SQLStatement { reportChanges($0, suffix: "") }
    private static let oldestReportChanges = SQLStatement { reportChanges($0, suffix: $0.claim) }
    // Not all up to the last: another server may have claimed some of them.
    private static let deleteReportChanges = SQLStatement(
        constant: "DELETE FROM reportChanges WHERE sequence BETWEEN ? AND ?")

    /// The day is due at once, or when its pause is over: sums of many transactions are not computed again too soon.
    private static let countReportChange = SQLStatement { dialect in
        let due = dialect.greatest("?1", "coalesce(foldedAt, 0) + counted * \(ReportDay.pausePerTransaction)")
        return """
            UPDATE reportDays SET changes = changes + 1, dueAt = \(dialect.least("coalesce(dueAt, \(due))", due))
            WHERE environment = ?2 AND day = ?3
            """
    }

    /// Changes, oldest first, with the dates of the transactions before and after each in its original transaction: the
    /// sums of their days may differ now.
    private static func reportChanges(_ dialect: SQLDialect, suffix: String) -> String {
        let neighbours = ReportNeighbour.all.map { "\($0.date(dialect)) AS \($0.name)" }.joined(separator: ",\n    ")
        return """
            SELECT changed.sequence, changed.environment, changed.purchasedAt, changed.revokedAt, changed.expiresAt,
                \(neighbours)
            FROM (SELECT * FROM reportChanges ORDER BY sequence LIMIT ?\(suffix)) changed
            ORDER BY changed.sequence
            """
    }
}

/// A date of the transaction before or after another one.
private struct ReportNeighbour {
    var table: String
    var index: String
    var isLater: Bool
    var column: String

    /// The dates by which reports count it: the one before by its end, the one after by its purchase, both by a refund.
    static let all = [("transactions", "transactionsLine"), ("unclaimedTransactions", "unclaimedLine")].flatMap {
        table, index in
        [(false, "expiresAt"), (false, "revokedAt"), (true, "purchasedAt"), (true, "revokedAt")].map {
            ReportNeighbour(table: table, index: index, isLater: $0, column: $1)
        }
    }

    var name: String { "\(isLater ? "later" : "earlier")_\(table)_\(column)" }

    func date(_ dialect: SQLDialect) -> String {
        let order = isLater ? "ASC" : "DESC"
        return """
            (
                SELECT n.\(column) FROM \(table) n \(dialect.using(index: index))
                WHERE n.app = changed.app AND n.environment = changed.environment AND n.originalID = changed.originalID
                    AND (n.purchasedAt, n.id) \(isLater ? ">" : "<") (changed.purchasedAt, changed.id)
                    \(table == "transactions" ? "AND n.forgottenAt IS NULL AND (n.purchase IS NULL OR n.purchase = n.id)" : "")
                ORDER BY n.purchasedAt \(order), n.id \(order) LIMIT 1)
            """
    }
}

extension SQLRow {
    /// Adds the days that a change concerns, which are mostly one.
    fileprivate func addReportDays(to days: inout Set<ReportDayKey>) throws {
        let environment: String = try self["environment"]
        var last: ReportDay?
        for column in Self.dateColumns {
            guard let day = try dateIfAny(column).map(ReportDay.init(of:)), day != last else { continue }
            days.insert(ReportDayKey(environment: environment, day: day.number))
            last = day
        }
    }

    private static let dateColumns = ["purchasedAt", "revokedAt", "expiresAt"] + ReportNeighbour.all.map(\.name)
}

extension [Int] {
    /// The ranges of consecutive numbers of an array without duplicates, in ascending order.
    var consecutive: [ClosedRange<Int>] {
        reduce(into: []) { ranges, number in
            if let last = ranges.last, last.upperBound == number &- 1 {
                ranges[ranges.endIndex - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
    }
}
