package import Foundation
package import InAppPurchase
package import Ledger
import ServerHTTP

/// Something that each account of a list is given.
package struct Gift: Sendable {
    package enum Content: Hashable, Sendable {
        case product(ProductID, until: Date?)
        case credits(Currency, amount: Int)
    }

    package let scope: Scope
    package let content: Content
    /// The idempotency key, which counts for each account by itself.
    package let key: String

    package init(_ content: Content, in scope: Scope, key: String) {
        self.content = content
        self.scope = scope
        self.key = key
    }

    /// The act that gives it to one account.
    ///
    /// - Throws: 422 for credits that nobody can be given.
    func request(for account: AccountID, _ random: RandomBytes) throws -> SupportRequest {
        switch content {
        case .product(let product, let end):
            return .grant(
                ProductGrant(
                    id: Names.grant(random), account: account, scope: scope, product: product, until: end,
                    idempotencyKey: key))
        case .credits(let currency, let amount):
            let adjustment = Adjustment(
                account: account, scope: scope, currency: currency, amount: amount, idempotencyKey: key)
            guard let adjustment else { throw Problem.wrongAdjustment }
            return .adjust(adjustment)
        }
    }

    /// Whether it changes nothing for an account: it was given with the same key, or the account has the product as
    /// long without it.
    static func isHad(_ change: SupportChange) -> Bool {
        let (before, after) = (change.before, change.after)
        return before == after
            || before["access"] == .string("granted") && after["access"] == .string("granted")
                && before["until"] == after["until"]
    }
}
