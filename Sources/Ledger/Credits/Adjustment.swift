package import InAppPurchase
import Foundation

/// Credits that an administrator gives, or takes back.
package struct Adjustment: Hashable, Sendable {
    /// As much as a product may give at once.
    package static let maximumAmount = Product.creditBounds.upperBound
    package static let maximumCurrencyCharacters = 64

    package let account: AccountID
    package let scope: Scope
    package let currency: Currency
    /// Never 0; negative takes back.
    package let amount: Int
    /// Chosen by the client; the same key is the same adjustment.
    package let idempotencyKey: String

    /// Nil where the amount is 0 or beyond ``maximumAmount`` either way, or the currency is empty, longer than
    /// ``maximumCurrencyCharacters`` (Unicode scalars), or has control characters.
    package init?(account: AccountID, scope: Scope, currency: Currency, amount: Int, idempotencyKey: String) {
        guard amount != 0, (-Self.maximumAmount...Self.maximumAmount).contains(amount),
            (1...Self.maximumCurrencyCharacters).contains(currency.unicodeScalars.count),
            !currency.hasControlCharacters
        else { return nil }
        self.account = account
        self.scope = scope
        self.currency = currency
        self.amount = amount
        self.idempotencyKey = idempotencyKey
    }
}
