package import InAppPurchase

/// Looks up what the ledger knows about an account, for support.
package protocol AccountReports: Sendable {
    /// Returns an account with everything that is recorded about it.
    ///
    /// - Parameter limit: the maximum number of entries of each list; the newest are returned.
    /// - Returns: `nil` if there is no such account.
    func accountReport(of account: AccountID, limit: Int, in context: RecordingContext) async throws -> AccountReport?

    /// Returns the original transactions that have a transaction of this ID or this original ID, in any app and
    /// environment.
    func originalTransactions(withTransaction id: TransactionID) async throws -> [OriginalTransaction]

    /// Returns the account that sent a receipt, including receipts that could not be read; `nil` if there is none with
    /// the ID.
    func account(ofReceipt id: String) async throws -> AccountID?
}
