import Foundation
package import InAppPurchase

/// Credits that a player spends.
package struct Spend: Hashable, Sendable {
    package var account: AccountID
    package var scope: Scope
    package var currency: Currency
    /// The amount, 1 or more.
    package var amount: Int
    /// The idempotency key, chosen by the client; the same key is the same spend.
    package var idempotencyKey: String

    package init(account: AccountID, scope: Scope, currency: Currency, amount: Int, idempotencyKey: String) {
        self.account = account
        self.scope = scope
        self.currency = currency
        self.amount = amount
        self.idempotencyKey = idempotencyKey
    }
}
