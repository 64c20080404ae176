public import Foundation

/// Something was handed over.
public struct Delivery: Sendable {
    public enum Cause: Hashable, Sendable {
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

    public var account: AccountID
    public var transaction: Transaction.Key
    public var cause: Cause
    public var date: Date
}
