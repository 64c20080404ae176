import InAppPurchase
import Ledger

/// A transaction and the original transaction that a copy names.
struct CopyKey: RowKey {
    static var columns: String { "app, environment, id, originalID" }

    let transaction: Transaction.Key
    let originalID: TransactionID

    var arguments: SQLArguments { transaction.arguments + [originalID] }

    init(_ copy: Transaction) {
        transaction = copy.key
        originalID = copy.originalID
    }
}
