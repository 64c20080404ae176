package import Foundation
package import InAppPurchase

/// The record that a transaction was delivered to an account.
package struct Delivery: Sendable {
    package enum Cause: Hashable, Sendable {
        case receipt(String)
        /// An App Store Server Notification, an answer of the App Store, another account's receipt or the beginning of
        /// the period, before any receipt of the account.
        case notification(String)
        /// A change of the catalog, or an administrator.
        case `operator`

        /// Whether the account's app was answered `delivered`.
        var isReceipt: Bool { if case .receipt = self { true } else { false } }

        /// The cause for an account that did not send the receipt, so that its app was not told.
        var unreported: Self { if case .receipt(let id) = self { .notification(id) } else { self } }

        /// The cause that is stored with the postings; `nil` for an operator's act.
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
