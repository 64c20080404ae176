import Foundation
package import InAppPurchase

/// Credits that an administrator gives or takes back.
package struct Adjustment: Hashable, Sendable {
    /// The maximum amount, given or taken back: as much as one product may credit.
    package static let maximumAmount = Product.creditBounds.upperBound
    package static let maximumCurrencyCharacters = 64

    package let account: AccountID
    package let scope: Scope
    package let currency: Currency
    /// The credits to give; negative to take back, never 0.
    package let amount: Int
    /// The idempotency key, chosen by the client; the same key is the same adjustment.
    package let idempotencyKey: String

    /// Creates an adjustment; `nil` if the amount is 0 or its magnitude exceeds ``maximumAmount``, or if the currency
    /// is empty, longer than ``maximumCurrencyCharacters`` (Unicode scalars), or has control characters.
    package init?(account: AccountID, scope: Scope, currency: Currency, amount: Int, idempotencyKey: String) {
        guard amount != 0, (-Self.maximumAmount...Self.maximumAmount).contains(amount),
            (1...Self.maximumCurrencyCharacters).contains(currency.text.unicodeScalars.count),
            !currency.text.hasControlCharacters
        else { return nil }
        self.account = account
        self.scope = scope
        self.currency = currency
        self.amount = amount
        self.idempotencyKey = idempotencyKey
    }
}
