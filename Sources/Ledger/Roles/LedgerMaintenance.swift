package import Foundation

/// Compares what a ledger keeps ready, such as balances, with the fold of its history by the same rules, mends it, and
/// makes room on the disk.
package protocol LedgerMaintenance: Sendable {
    /// Returns whether the ledger is empty: no account, no receipt.
    func isEmpty() async throws -> Bool

    /// Tells whether the ledger can be written.
    var writes: LedgerWrites { get }

    // MARK: Room on disk

    /// Packs the next verified receipts that are stored as they were sent. Each is read back and compared before the
    /// page is committed; so the work can be ended at any time, and continues with what is left.
    ///
    /// - Parameters:
    ///   - last: the ID of the last receipt of the previous page; empty at the beginning.
    ///   - count: the maximum number of receipts that are packed. A page may have none, and others follow.
    func compactReceipts(after last: String, atMost count: Int) async throws -> CompactedReceipts

    /// Returns the space of what was deleted to the file system, if the database does not do that by itself.
    func reclaimSpace() async throws

    // MARK: Checks

    /// Checks all accounts in one consistent snapshot, one after another, so that memory use does not grow with their
    /// number.
    ///
    /// - Parameters:
    ///   - date: for handlers whose credits depend on the time.
    ///   - progress: called after every account, and once before the first, with the number that were checked and the
    ///     total.
    ///   - report: called with each difference as it is found.
    /// - Returns: how much was checked.
    func checkAccounts(
        at date: Date, progress: @escaping @Sendable (_ accounts: Int, _ total: Int) -> Void,
        _ report: @escaping @Sendable (LedgerDifference) throws -> Void
    ) async throws -> LedgerCounts

    /// Sets every balance to the sum of its postings, in one transaction, with a row in the audit trail for each
    /// balance that was different.
    ///
    /// - Returns: the number of balances that were different; the second time 0.
    func rebuildBalances(by actor: AuditActor, at date: Date) async throws -> Int

    /// Returns the periods that an earlier version counted more than once, by account, at most `limit`.
    func doubledPeriods(limit: Int) async throws -> [DoubledPeriod]

    /// Counts each of ``doubledPeriods(limit:)`` once, and takes back what it earned too often, as postings of the kind
    /// ``Posting/Kind/correction``. One transaction an account: it can be stopped, and run again.
    ///
    /// - Parameter report: called for each period before it is counted once.
    /// - Returns: the number of the periods; the second time 0.
    func repairPeriods(at date: Date, _ report: @escaping @Sendable (DoubledPeriod) throws -> Void) async throws -> Int

    /// Calls `report` for each purchase that an earlier version left with its former owner, though another account paid
    /// for its newest period.
    ///
    /// - Returns: their number.
    func misplacedPurchases(_ report: @escaping @Sendable (MisplacedPurchase) throws -> Void) async throws -> Int

    /// Looks for ``misplacedPurchases(_:)`` among the next original transactions, and adds them to
    /// ``misplacedPurchaseCount()``, in one commit: servers that share a ledger share the work, and go on where one was
    /// stopped.
    ///
    /// - Parameter limit: the number of original transactions to look at.
    /// - Returns: whether some are left; after the last one nothing is looked at again.
    func countMisplacedPurchases(inNext limit: Int) async throws -> Bool

    /// Returns the number of purchases that ``countMisplacedPurchases(inNext:)`` has found so far, or that were set.
    func misplacedPurchaseCount() async throws -> Int

    /// Sets the number of ``misplacedPurchases(_:)``, which ends the counting.
    func setMisplacedPurchaseCount(_ count: Int) async throws

    /// Gives each of ``misplacedPurchases(_:)`` to the account that paid. The credits of periods that no app was told
    /// of go with it, as postings of the kind ``Posting/Kind/correction``. One transaction a purchase: it can be
    /// stopped, and run again. Then none is left, as ``misplacedPurchaseCount()`` tells.
    ///
    /// - Parameter report: called for each before it is given.
    /// - Returns: their number; the second time 0.
    func repairOwners(
        at date: Date, _ report: @escaping @Sendable (MisplacedPurchase) throws -> Void
    ) async throws -> Int

    /// Condenses the histories of all accounts from all their purchases, and stores those that are not stored or
    /// differ. Accounts whose handlers do not condense are left out.
    ///
    /// - Returns: the number of accounts whose histories were stored; the second time 0.
    func rebuildStandings(at date: Date) async throws -> Int

    /// Makes the sums of all days due; until they are computed, reports use what was stored.
    ///
    /// - Returns: the number of days.
    func remakeReportDays(at date: Date) async throws -> Int
}

extension LedgerMaintenance {
    /// Checks all accounts without reporting progress.
    package func checkAccounts(
        at date: Date, _ report: @escaping @Sendable (LedgerDifference) throws -> Void
    ) async throws -> LedgerCounts {
        try await checkAccounts(at: date, progress: { _, _ in }, report)
    }
}
