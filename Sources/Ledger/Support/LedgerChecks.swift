package import Foundation

/// Compares a ledger's stored results, such as balances, with the fold of its history. The history is folded again by
/// the same rules.
package protocol LedgerChecks: Sendable {
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
}

extension LedgerChecks {
    /// Checks all accounts without reporting progress.
    package func checkAccounts(
        at date: Date, _ report: @escaping @Sendable (LedgerDifference) throws -> Void
    ) async throws -> LedgerCounts {
        try await checkAccounts(at: date, progress: { _, _ in }, report)
    }
}
