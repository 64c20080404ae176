package import Foundation
package import InAppPurchase

/// The answer to a receipt.
package struct ReceiptAnswer: Sendable {
    package enum Status: String, Codable, Sendable {
        /// The App Store cannot verify it now; it waits in the retry queue.
        case pending
        /// The App Store, or its signature, proves it genuine, whether or not it entitles to anything.
        case verified
        case rejected
        /// Every transaction in it belongs to another account.
        case conflict
    }

    package var receipt: String
    package var status: Status
    package var rejection: ReceiptRejection.Reason?
    /// The reason why a pending receipt was not judged; `nil` if it is not known.
    package var trouble: Attempts.Trouble?
    /// Whether the same receipt of this account was answered before.
    package var isDuplicate: Bool
    package var transactions: [TransactionAnswer]
    /// All entitlements of the account.
    package var entitlements: [ProductEntitlement]
    /// The balances of the receipt's app and environment.
    package var balances: Credits
    /// The latest end of the provisional access that a pending receipt gives; `nil` if it gives none.
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

    /// The remedy for transactions that another account owns: of several, the one that leads to the purchase soonest.
    /// `nil` if the account owns all of them.
    package var remedy: TransferRemedy? { transactions.compactMap(\.remedy).max() }

    /// Whether the app should finish what it sent: each transaction in it is delivered, or never will be. An answer
    /// without a transaction judged none, so it never says so.
    package var finish: Bool {
        status == .verified && !transactions.isEmpty && transactions.allSatisfy(\.outcome.finish)
    }
}

/// The outcome of one transaction of a receipt.
package struct TransactionAnswer: Sendable {
    package var transaction: Transaction
    package var outcome: Outcome
    /// The remedy that the app can offer; `nil` if no other account owns it.
    package var remedy: TransferRemedy?
}
