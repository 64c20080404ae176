package import Foundation
package import InAppPurchase

/// Access to a product without a purchase, as an administrator gives it to an account.
package struct ProductGrant: Hashable, Sendable {
    /// The maximum number of an account's grants that stand at the same time: more than any apology needs, and few
    /// enough to be read with every request.
    package static let maximumStanding = 50

    package var id: String
    package var account: AccountID
    package var scope: Scope
    package var product: ProductID
    /// When the access ends; `nil` if it does not.
    package var end: Date?
    package var idempotencyKey: String

    package init(
        id: String, account: AccountID, scope: Scope, product: ProductID, until end: Date?, idempotencyKey: String
    ) {
        self.id = id
        self.account = account
        self.scope = scope
        self.product = product
        self.end = end?.wholeMilliseconds
        self.idempotencyKey = idempotencyKey
    }

    /// Whether both ask for the same access.
    func gives(theSameAs other: Self) -> Bool {
        account == other.account && scope == other.scope && product == other.product && end == other.end
    }
}
