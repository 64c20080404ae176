package import InAppPurchase
package import Foundation

/// What became of a receipt.
package struct ReceiptAnswer: Sendable {
    package enum Status: String, Codable, Sendable {
        /// The store cannot say now; kept and asked again.
        case pending
        /// The store vouches for it, whatever it entitles to.
        case verified
        case rejected
        /// Every transaction in it belongs to another account.
        case conflict
    }

    package var receipt: String
    package var status: Status
    package var rejection: ReceiptRejection.Reason?
    /// The very same receipt was answered before for this account.
    package var isDuplicate: Bool
    package var transactions: [TransactionAnswer]
    /// All of the account's.
    package var entitlements: [ProductEntitlement]
    /// Of the receipt's app and environment.
    package var balances: Credits
    /// Until when a receipt that waits for the store gives access at most; nil where it gives none.
    package var provisionalUntil: Date?

    package init(
        receipt: String, status: Status, rejection: ReceiptRejection.Reason? = nil, isDuplicate: Bool = false,
        transactions: [TransactionAnswer] = [], entitlements: [ProductEntitlement] = [], balances: Credits = [:]
    ) {
        self.receipt = receipt
        self.status = status
        self.rejection = rejection
        self.isDuplicate = isDuplicate
        self.transactions = transactions
        self.entitlements = entitlements
        self.balances = balances
    }

    /// What the app can do about the transactions that another account owns: of several remedies the one that leads
    /// soonest to a purchase. Nil if the account owns all of them.
    package var remedy: TransferRemedy? { transactions.compactMap(\.remedy).max() }

    /// Whether the app should finish what it sent: it is delivered, or nothing will ever come of it.
    package var finish: Bool {
        switch status {
        case .pending, .conflict: false
        case .rejected: rejection?.isFinal ?? false
        case .verified: transactions.allSatisfy(\.outcome.finish)
        }
    }
}
