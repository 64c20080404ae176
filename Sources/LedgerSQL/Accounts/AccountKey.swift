import Foundation
import InAppPurchase

/// The idempotency key of the request that created an account.
struct AccountKey {
    /// The SHA-256 of the key.
    var digest: Data
    var account: AccountID
    var createdAt: Date
    /// How often the request was repeated.
    var repeats = 0

    init(_ digest: Data, of account: AccountID, at date: Date) {
        self.digest = digest
        self.account = account
        createdAt = date
    }
}
