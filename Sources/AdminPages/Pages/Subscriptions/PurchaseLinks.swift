import InAppPurchase
import Ledger

/// The acts on an original transaction that can work, as links.
struct PurchaseLinks {
    /// A transaction of it.
    let record: RecordedTransaction
    let report: AccountReport

    /// - Parameter canBeMoved: whether it gives another account anything.
    func links(canBeMoved: Bool) -> [Link] {
        let transaction = record.transaction
        let (environment, original) = (transaction.environment, transaction.originalID)
        let path = TransferPages.path(environment, original)
        let query = "?bundleID=\(transaction.app.text.pathEncoded)"
        let isOwn = record.owner == report.facts.account
        let wasMoved = report.originalTransactions.contains {
            $0.key == transaction.originalTransactionKey && !$0.transfers.isEmpty
        }
        let fetch = AppTransactionPages.path(environment, original)
        return [
            isOwn && canBeMoved ? Link("Transfer", path + query) : nil,
            wasMoved ? Link("Undo the transfer", "\(path)/undo\(query)") : nil,
            isOwn ? Link(AppTransactionPages.title, fetch + query) : nil,
        ].compactMap { $0 }
    }
}
