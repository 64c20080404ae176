import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The cells about one purchase in a table: when, what, what became of it, and its IDs.
struct PurchaseCells {
    let record: RecordedTransaction
    let report: AccountReport
    let catalog: Catalog
    let visit: Visit

    var all: [Cell] {
        let transaction = record.transaction
        return [
            .time(visit.time(transaction.purchaseDate).moment),
            catalog.cell(
                transaction.productID, of: transaction.app,
                note: catalog.remark(transaction.priceWords, of: transaction.scope)),
            PurchaseOutcome(record: record, report: report, catalog: catalog, visit: visit).cell,
            Cell.code(transaction.id.text).with(note: transaction.details?.orderID.map { "order \($0)" }),
        ]
    }
}

extension Transaction {
    var scope: Scope { Scope(app: app, environment: environment) }
}
