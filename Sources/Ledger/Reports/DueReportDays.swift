package import InAppPurchase

/// Days of one environment, one after the other, whose sums are to be made, as far as a run takes them at once.
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
}
