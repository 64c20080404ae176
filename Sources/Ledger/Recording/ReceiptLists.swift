/// Receipts of all accounts, for the operator.
package protocol ReceiptLists: Sendable {
    /// Receipts of one status, the oldest first.
    ///
    /// - Parameter id: of the last receipt of the page before; nil for the first page.
    /// - Returns: at most `limit`, without their bytes; nil if there is no receipt of this ID.
    func receipts(_ status: ListedReceipt.Status, after id: String?, limit: Int) async throws -> [ListedReceipt]?
}
