package import InAppPurchase

/// Days of one environment whose sums are to be computed, as many as a run takes at once.
package struct DueReportDays: Sendable {
    package var environment: Environment
    /// The number of changes of each day that were known before its transactions are read.
    package var changes: [ReportDay: Int]
    /// The days that were over for so long, before anything was read, that no row dated on them can still arrive.
    package var final: Set<ReportDay>

    package init(environment: Environment, changes: [ReportDay: Int], final: Set<ReportDay>) {
        self.environment = environment
        self.changes = changes
        self.final = final
    }

    /// The same days in parts of consecutive days: all transactions from the first to the last day of a part are read.
    package var consecutiveParts: [DueReportDays] {
        changes.keys.sorted().reduce(into: []) { parts, day in
            if parts.last?.changes[day.adding(-1)] == nil {
                parts.append(DueReportDays(environment: environment, changes: [:], final: []))
            }
            let last = parts.indices.upperBound - 1
            parts[last].changes[day] = changes[day]
            if final.contains(day) { parts[last].final.insert(day) }
        }
    }
}
