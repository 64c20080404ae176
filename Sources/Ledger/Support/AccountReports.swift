package import InAppPurchase

/// Everything the ledger knows of an account, for whoever must find out what happened.
package protocol AccountReports: Sendable {
    /// - Parameter limit: how many entries each list has at most; the newest are kept.
    /// - Returns: nil where there is no such account.
    func accountReport(of account: AccountID, limit: Int, in context: RecordingContext) async throws -> AccountReport?

    /// The original transactions that have a transaction of this ID or this original ID, in any app and environment.
    func originalTransactions(withTransaction id: TransactionID) async throws -> [OriginalTransaction]

    /// The account that sent a receipt, also one that could not be read; nil where there is none with the ID.
    func account(ofReceipt id: String) async throws -> AccountID?
}
