public import Foundation

/// Credits that an administrator gives, or takes back.
public struct Adjustment: Hashable, Sendable {
    /// As much as a product may give at once.
    public static let maximumAmount = Product.creditBounds.upperBound
    public static let maximumCurrencyCharacters = 64

    public let account: AccountID
    public let scope: Scope
    public let currency: Currency
    /// Never 0; negative takes back.
    public let amount: Int
    /// Chosen by the client; the same key is the same adjustment.
    public let idempotencyKey: String

    /// Nil where the amount is 0 or beyond ``maximumAmount`` either way, or the currency is empty, longer than
    /// ``maximumCurrencyCharacters`` (Unicode scalars), or has control characters.
    public init?(account: AccountID, scope: Scope, currency: Currency, amount: Int, idempotencyKey: String) {
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
