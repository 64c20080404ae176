import Foundation
import InAppPurchase
import Ledger

extension ReportDay {
    /// The pause for each transaction of a day, in milliseconds: a day of a million is counted again after a quarter of
    /// an hour, one of a thousand after a second. It bounds the share of the time that sums take.
    static let pausePerTransaction = 1
    /// The number of days that one run takes at once, so that little is lost if it ends.
    static let daysAtOnce = 100
    /// The time in milliseconds after the end of a day, by the database's clock, after which everything that is dated
    /// on it is recorded. See the schema's triggers, which note what is dated half of that time ago or earlier.
    static let finalAfter = 3_600_000
    /// The time in seconds for which a server has the days: sums of many transactions take that long. After it another
    /// server may take them.
    static let lease: TimeInterval = 120
}

extension ReportDayFold {
    /// The time at which the credits, receipts and downloads of a day that is not final are counted again.
    fileprivate var nextForActivity: Date {
        // A page counts a few by itself; for many, the pause bounds how often they are counted.
        if day.start <= date, date < day.end, count > ActivityReport.limit { return date }
        return max(day.end, date) + Double(ReportDay.finalAfter) / 1_000
    }
}

extension LedgerRows {
    /// Whether ``leaseDueReportDays(at:)`` has anything to do.
    func hasReportWork(at date: Date) throws -> Bool {
        let work = try one(
            """
            SELECT 1 AS work WHERE EXISTS (SELECT 1 FROM reportChanges)
                OR EXISTS (SELECT 1 FROM reportDays WHERE dueAt <= ?)
            """, [date.milliseconds])
        if work != nil { return true }
        let last = ReportDay(of: date).adding(ReportScan.maximumPeriodInDays).number
        return try Environment.known.contains { try lastReportDay(of: $0) < last }
    }

    private func lastReportDay(of environment: Environment) throws -> Int {
        let last = try one("SELECT max(day) AS day FROM reportDays WHERE environment = ?", [environment.rawValue])
        return try last?["day"] ?? .min
    }

    /// Adds the days that the longest report until now counts, and those on which what runs now ends.
    func addReportDays(at date: Date) throws {
        let today = ReportDay(of: date)
        let (first, last) = (
            today.adding(-ReportQuery.maximumDays).number, today.adding(ReportScan.maximumPeriodInDays).number
        )
        for environment in Environment.known {
            let next = max(first, try lastReportDay(of: environment).saturatingAdding(1))
            guard next <= last else { continue }
            try send(Self.addDays, [next, last, environment.rawValue, date.milliseconds, today.number])
        }
    }

    /// Inserts the days closest to the present first.
    private static let addDays = SQLStatement(
        constant: """
            INSERT INTO reportDays (environment, day, changes, counted, dueAt)
            WITH RECURSIVE days (day) AS (
                SELECT CAST(?1 AS BIGINT) UNION ALL SELECT day + 1 FROM days WHERE day < CAST(?2 AS BIGINT))
            SELECT CAST(?3 AS TEXT), day, 0, 0, CAST(?4 AS BIGINT) - 1000 + abs(day - CAST(?5 AS BIGINT)) FROM days
            WHERE true
            ON CONFLICT DO NOTHING
            """)

    /// Leases some of the days that are due, with as many transactions as a run is to count.
    ///
    /// - Returns: the days in parts of consecutive days.
    func leaseDueReportDays(at date: Date) throws -> [DueReportDays] {
        let found = try all(
            """
            SELECT environment, day, changes, counted, CASE WHEN (day + 1) * 86400000 + \(ReportDay.finalAfter)
                <= \(db.dialect.now) THEN 1 ELSE 0 END AS isOver
            FROM reportDays WHERE dueAt <= ? ORDER BY dueAt LIMIT ?\(claim)
            """, [date.milliseconds, ReportDay.daysAtOnce])
        var (due, final): ([String: [ReportDay: Int]], [String: Set<ReportDay>]) = ([:], [:])
        var transactions = 0
        for row in found where transactions < ReportDay.transactionsOfARun {
            transactions = transactions.saturatingAdding(try row["counted"])
            let (environment, day): (String, Int) = try (row["environment"], row["day"])
            due[environment, default: [:]][ReportDay(day)] = try row["changes"]
            if try row["isOver"] as Int == 1 { final[environment, default: []].insert(ReportDay(day)) }
            try send(Self.leaseDay, [(date + ReportDay.lease).milliseconds, environment, day])
        }
        return due.keys.sorted().flatMap { name in
            guard let environment = Environment(known: name), let days = due[name] else { return [DueReportDays]() }
            return DueReportDays(environment: environment, changes: days, final: final[name] ?? []).consecutiveParts
        }
    }

    private static let leaseDay = SQLStatement(
        constant: "UPDATE reportDays SET dueAt = ? WHERE environment = ? AND day = ?")

    /// Replaces the sums of a day.
    ///
    /// - Parameter changes: those that were known when its transactions were read.
    func write(_ fold: ReportDayFold, after changes: Int, isFinal: Bool) throws {
        let key: SQLArguments = [fold.environment.rawValue, fold.day.number]
        let pause = fold.date.milliseconds.saturatingAdding(
            fold.count.saturatingMultiplied(by: ReportDay.pausePerTransaction))
        let next = [fold.validUntil, isFinal ? nil : fold.nextForActivity].compactMap(\.self).min()
            .map { max($0.milliseconds, pause) }
        try send(
            Self.writeDay,
            [
                changes, fold.date.milliseconds, fold.validFrom?.milliseconds, fold.validUntil?.milliseconds,
                fold.count, next, pause, isFinal,
            ] + key)
        try send(Self.deleteSums, key)
        let sums = ReportGrouping.allCases.map { fold.sums(by: $0) }
        for app in fold.apps.sorted() {
            let texts = try sums.map { try JSON.encode($0[app] ?? ReportSums()) }
            try send(Self.writeSums, key + [app] + texts.map { $0 as any SQLConvertible })
        }
    }

    private static let writeDay = SQLStatement(
        constant: """
            UPDATE reportDays SET folded = ?1, foldedAt = ?2, validFrom = ?3, validUntil = ?4, counted = ?5,
                dueAt = CASE WHEN changes = ?1 THEN CAST(?6 AS BIGINT) ELSE CAST(?7 AS BIGINT) END, isFinal = ?8
            WHERE environment = ?9 AND day = ?10
            """)
    private static let deleteSums = SQLStatement(constant: "DELETE FROM reportSums WHERE environment = ? AND day = ?")
    private static let writeSums = SQLStatement(
        constant: """
            INSERT INTO reportSums (environment, day, app, total, products, storefronts, versions)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """)
}

// MARK: Reading

extension LedgerRows {
    /// The stored sums of some days, by day.
    ///
    /// - Parameter app: the only one whose sums are returned; `nil` for all.
    func storedReportDays(
        _ days: Range<ReportDay>, of environment: Environment, app: BundleID?, by grouping: ReportGrouping
    ) throws -> [StoredReportDay] {
        let changed = try pendingReportDays()
        var found: [StoredReportDay] = []
        let decoder = JSON.makeDecoder()
        let query = Self.storedDays(grouping, ofOneApp: app != nil)
        let arguments: SQLArguments = [environment.rawValue, days.lowerBound.number, days.upperBound.number]
        try db.each(query, (app.map { [$0] } ?? []) + arguments) { row in
            let day: Int = try row["day"]
            if found.last?.day.number != day {
                let key = ReportDayKey(environment: environment.rawValue, day: day)
                found.append(try StoredReportDay(row, isChanged: changed.map { $0.contains(key) } ?? true))
            }
            guard let name: String = try row["app"] else { return }
            let sums: String = try row["sums"]
            found[found.count - 1].sums[BundleID(stored: name)] = try decoder.decode(
                ReportSums.self, from: Data(sums.utf8))
        }
        return found
    }

    private static func storedDays(_ grouping: ReportGrouping, ofOneApp: Bool) -> SQLStatement {
        """
        SELECT d.day, d.changes, d.folded, d.foldedAt, d.validFrom, d.validUntil, d.counted, d.isFinal, s.app,
            s.\(grouping.column) AS sums
        FROM reportDays d
        LEFT JOIN reportSums s ON s.environment = d.environment AND s.day = d.day \(ofOneApp ? "AND s.app = ?" : "")
        WHERE d.environment = ? AND d.day >= ? AND d.day < ? AND d.folded IS NOT NULL
            AND (s.app IS NULL OR s.\(grouping.column) IS NOT NULL)
        ORDER BY d.day, s.app
        """
    }
}

extension ReportGrouping {
    /// The column of the sums.
    var column: String {
        switch self {
        case .day: "total"
        case .product: "products"
        case .storefront: "storefronts"
        // NULL in rows of earlier versions of the server, whose days are not taken for counted then.
        case .version: "versions"
        }
    }
}

extension StoredReportDay {
    fileprivate init(_ row: SQLRow, isChanged: Bool) throws {
        let (changes, folded): (Int, Int) = try (row["changes"], row["folded"])
        self.init(
            day: ReportDay(try row["day"]), isUnchanged: changes == folded && !isChanged,
            isFinal: try row["isFinal"], foldedAt: try row.date("foldedAt"), validFrom: try row.dateIfAny("validFrom"),
            validUntil: try row.dateIfAny("validUntil"), count: try row["counted"], sums: [:])
    }
}

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

extension LedgerRows {
    /// Compares the stored sums of days with their transactions; not those of days that have changed since, which no
    /// report takes for current.
    func findWrongReportDays(_ tell: (LedgerDifference) throws -> Void) throws {
        do {
            for environment in Environment.known { try findWrongReportDays(of: environment, tell) }
        } catch let error as DecodingError {
            try tell(LedgerDifference("sums of days", stored: "\(error)", folded: "readable"))
        }
    }

    private func findWrongReportDays(of environment: Environment, _ tell: (LedgerDifference) throws -> Void) throws {
        let stored = try ReportGrouping.allCases.map { try unchangedReportDays(of: environment, by: $0) }
        var folds = ReportDayFolds(
            stored.first?.values.map { ReportDayFold(of: $0.day, in: environment, at: $0.foldedAt) } ?? [])
        for scan in folds.scans {
            try eachReportPage(of: scan) { folds.add($0, from: scan) }
        }
        if let range = folds.range {
            for activity in try activity(on: range, in: environment, limit: nil).entries { folds.add(activity) }
        }
        for fold in folds.days {
            // By version, an earlier version of the server stored none.
            for case (let grouping, let day?) in zip(ReportGrouping.allCases, stored.map { $0[fold.day] }) {
                try compare(day, with: fold, by: grouping, tell)
            }
        }
    }

    private func unchangedReportDays(
        of environment: Environment, by grouping: ReportGrouping
    ) throws -> [ReportDay: StoredReportDay] {
        let all = ReportDay(.min)..<ReportDay(.max)
        let days = try storedReportDays(all, of: environment, app: nil, by: grouping).filter(\.isUnchanged)
        return Dictionary(days.map { ($0.day, $0) }) { one, _ in one }
    }

    private func eachReportPage(of scan: ReportScan, _ body: ([ReportedTransaction]) -> Void) throws {
        var position: ReportPage.Position?
        repeat {
            let page = try reportPage(scan, after: position, limit: ReportPage.size)
            body(page.transactions)
            position = page.next
        } while position != nil
    }

    private func compare(
        _ stored: StoredReportDay, with fold: ReportDayFold, by grouping: ReportGrouping,
        _ tell: (LedgerDifference) throws -> Void
    ) throws {
        // Until the day is final, no page takes its credits, receipts and downloads for complete.
        let isFinal = stored.isFinal
        let comparable = { (sums: [BundleID: ReportSums]) in
            sums.mapValues { isFinal ? $0 : $0.withoutActivity }.filter { !$0.value.sections.isEmpty }
        }
        let (stored, folded) = (comparable(stored.sums), comparable(fold.sums(by: grouping)))
        for app in Set(stored.keys).union(folded.keys).sorted() where stored[app] != folded[app] {
            let texts = try (stored: stored[app].map(JSON.encode), folded: folded[app].map(JSON.encode))
            try tell(
                LedgerDifference(
                    scope: Scope(app: app, environment: fold.environment),
                    "sums of \(fold.day.name) by \(grouping.rawValue)",
                    stored: texts.stored ?? "none", folded: texts.folded ?? "none"))
        }
    }
}

extension ReportSums {
    fileprivate var withoutActivity: ReportSums {
        var rest = self
        rest.sections[.activity] = nil
        return rest
    }
}
