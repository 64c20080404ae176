package import Foundation

/// Compares what a ledger keeps ready with what its history comes to. The history is folded again by the same rules.
package protocol LedgerChecks: Sendable {
    /// Checks all accounts in one consistent snapshot, one at a time: memory does not grow with their number.
    ///
    /// - Parameters:
    ///   - date: for handlers whose credits depend on the time.
    ///   - progress: is called after every account, and once before, with how many were checked and how many there are.
    ///   - report: is called with each difference as it is found.
    /// - Returns: how much was checked.
    func checkAccounts(
        at date: Date, progress: @escaping @Sendable (_ accounts: Int, _ total: Int) -> Void,
        _ report: @escaping @Sendable (LedgerDifference) throws -> Void
    ) async throws -> LedgerCounts

    /// Makes every balance the sum of its postings, in one transaction, with a row in the audit trail for each that was
    /// not.
    ///
    /// - Returns: how many were not; the second time 0.
    func rebuildBalances(by actor: AuditActor, at date: Date) async throws -> Int
}

extension LedgerChecks {
    /// Checks without a word of how far it is.
    package func checkAccounts(
        at date: Date, _ report: @escaping @Sendable (LedgerDifference) throws -> Void
    ) async throws -> LedgerCounts {
        try await checkAccounts(at: date, progress: { _, _ in }, report)
    }
}
