package import InAppPurchase
package import Foundation

/// Something was handed over.
package struct Delivery: Sendable {
    package enum Cause: Hashable, Sendable {
        case receipt(String)
        /// The store's word, before any receipt of the account.
        case notification(String)
        /// A change of the catalog, or an administrator.
        case `operator`

        /// What stands with the postings.
        var subject: String? {
            switch self {
            case .receipt(let id), .notification(let id): id
            case .operator: nil
            }
        }
    }

    package var account: AccountID
    package var transaction: Transaction.Key
    package var cause: Cause
    package var date: Date
}
