/// Lists receipts of all accounts, for the operator.
package protocol ReceiptLists: Sendable {
    /// Returns receipts of one status, oldest first.
    ///
    /// - Parameter id: the ID of the last receipt of the previous page; `nil` for the first page.
    /// - Returns: at most `limit` receipts, without their bytes; `nil` if there is no receipt of this ID.
    func receipts(_ status: ListedReceipt.Status, after id: String?, limit: Int) async throws -> [ListedReceipt]?
}
