package import Foundation
package import InAppPurchase

/// Counts and lists over all accounts, for the operator.
package protocol ReportLedger: Sendable {
    // MARK: Counts

    /// Returns the number and age of pending receipts, for monitoring.
    func pendingReceipts() async throws -> PendingReceipts

    /// Returns the dates of the latest records, for monitoring; of purchases only those from `begin` to `end`.
    func activity(since begin: Date, until end: Date) async throws -> LedgerActivity

    // MARK: Lists of receipts

    /// Returns receipts of one status by the date when they were recorded, without their bytes.
    ///
    /// - Returns: `nil` if there is no receipt after which the page is to begin.
    func receipts(_ query: ReceiptListQuery) async throws -> [ListedReceipt]?

    // MARK: Reports

    /// Returns some of the transactions that a report reads, in the order of the date that its scan compares.
    ///
    /// - Parameter position: the place after which the page begins; `nil` for the first page.
    func reportPage(_ scan: ReportScan, after position: ReportPage.Position?, limit: Int) async throws -> ReportPage

    /// Returns accounts by the date at which they were created, the newest first.
    ///
    /// - Parameter account: the last one of the page before, which was created at `date`; `nil` for those that were
    ///   created before it.
    func accounts(createdBefore date: Date, _ account: AccountID?, limit: Int) async throws -> [AccountFacts]

    /// Returns the stored sums of the days that a report at a date counts, by day, grouped as the report is.
    func storedReportDays(of query: ReportQuery, at date: Date) async throws -> [StoredReportDay]

    /// Leases days whose sums are to be computed: new ones, and those that a change since has touched, unless they were
    /// computed too recently. Other servers get other days until the lease ends.
    ///
    /// - Returns: the days in parts of consecutive days, so that no transaction of another day is read; empty if no
    ///   sums are to be computed.
    func dueReportDays(at date: Date) async throws -> [DueReportDays]

    /// Replaces the sums of days.
    ///
    /// - Parameter due: what was known when their transactions were read; if something changed since, the days are due
    ///   again.
    func store(_ folds: [ReportDayFold], of due: DueReportDays, at date: Date) async throws

    /// Returns the stored credits, receipts and downloads of days, by day.
    func storedActivityDays(
        _ days: ClosedRange<ReportDay>, in environment: Environment
    ) async throws -> [StoredReportDay]

    /// Counts the credits of days in an environment; in Production also receipts and downloads, which belong to no
    /// environment.
    ///
    /// - Parameter limit: the maximum number of rows of each kind that are counted; `nil` for all.
    func activity(
        on days: ClosedRange<ReportDay>, in environment: Environment, limit: Int?
    ) async throws -> ActivityPage
}
