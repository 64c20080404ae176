import InAppPurchase
import Ledger
import ServerCore

/// The purchases that an account's app sent and that other accounts have: whose they are, and what can be done.
struct ContestedView {
    let report: AccountReport
    let catalog: Catalog
    let visit: Visit

    var block: Block {
        let rows = report.contested.map { purchase -> [Cell] in
            let transaction = purchase.record.transaction
            return [
                .time(visit.time(transaction.purchaseDate).moment),
                catalog.cell(transaction.productID, of: transaction.app, note: transaction.priceWords),
                .link(purchase.record.owner.text, "/admin/accounts/\(purchase.record.owner.text)"),
                Cell(purchase.remedy.words, note: "sent \(visit.time(purchase.sentAt).text)"),
                .actions(visit.mayChange ? [transfer(transaction)] : []),
            ]
        }
        return Block(
            "Bought, but another account has it", id: "contested",
            text: """
                The app of this account sent these purchases, and they belong to another account: nothing was given here. \
                If both accounts are the same person's, transfer the purchase here, or let the player sign in to the \
                other account with its recovery code. If they are not, change nothing.
                """,
            table: Table(
                "Purchases of other accounts that this one sent",
                columns: ["Bought", "Product", "Account that has it", "What the player can do", "Acts"], rows: rows))
    }

    private func transfer(_ transaction: Transaction) -> Link {
        let path = TransferPages.path(transaction.environment, transaction.originalID)
        let query = "?bundleID=\(transaction.app.text.pathEncoded)&to=\(report.facts.account.text)"
        return Link("Transfer it here", path + query)
    }
}

extension TransferRemedy? {
    /// The ways of the player without support, in words.
    fileprivate var words: String {
        switch self {
        case .support?, nil: "Nothing: only support can transfer it."
        case .recoveryCode?: "Sign in to the other account with its recovery code."
        case .freshReceipt?: "Restore purchases in the app, which asks the App Store for a new receipt."
        case .deviceVerificationID?, .deviceIdentifier?: "Nothing: the app did not show on which device it was bought."
        case .transfer?: "Restore purchases in the app, and confirm that they are transferred."
        }
    }
}
