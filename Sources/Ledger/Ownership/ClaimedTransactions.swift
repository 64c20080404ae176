import Foundation
import InAppPurchase

/// The ownership of original transactions after a claim.
struct ClaimedTransactions {
    /// The original transactions that have an owner.
    var originalTransactions: [OriginalTransaction.Key: OriginalTransaction]
    /// The owners of these in the order of time.
    var owners: [OriginalTransaction.Key: [OwnershipHistory.Owner]] = [:]
    /// The dates from which recorded transactions belong to other accounts than they did before.
    var changedSince: [OriginalTransaction.Key: Date] = [:]
    /// The recorded transactions that credit another account from now on, since a payment that came late makes it the
    /// owner at their date.
    var creditedTo: [Transaction.Key: AccountID] = [:]
    /// The remedies for original transactions that belong to another account than the one that presents them.
    var remedies: [OriginalTransaction.Key: TransferRemedy] = [:]
    /// The original transactions that were transferred with their credits, and the account that had those.
    var creditsTakenFrom: [OriginalTransaction.Key: AccountID] = [:]
}
