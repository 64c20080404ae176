public import Foundation

/// Credits that a player uses up.
public struct Spend: Hashable, Sendable {
    public var account: AccountID
    public var scope: Scope
    public var currency: Currency
    /// 1 or more.
    public var amount: Int
    /// Chosen by the client; the same key is the same spend.
    public var idempotencyKey: String

    public init(account: AccountID, scope: Scope, currency: Currency, amount: Int, idempotencyKey: String) {
        self.account = account
        self.scope = scope
        self.currency = currency
        self.amount = amount
        self.idempotencyKey = idempotencyKey
    }
}
