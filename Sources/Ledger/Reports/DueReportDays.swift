package import InAppPurchase

/// Days of one environment whose sums are to be made, as far as a run takes them at once.
package struct DueReportDays: Sendable {
    package var environment: Environment
    /// The number of changes of each day that were known before its transactions are read.
    package var changes: [ReportDay: Int]
    /// Those that were over for so long, before anything was read, that nothing with a date on them is still on its way.
    package var final: Set<ReportDay>

    package init(environment: Environment, changes: [ReportDay: Int], final: Set<ReportDay>) {
        self.environment = environment
        self.changes = changes
        self.final = final
    }

    /// The same days in parts, in each of which they follow one another: all transactions from the first to the last day
    /// of a part are read.
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
