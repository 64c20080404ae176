package import Foundation
package import InAppPurchase

/// A change of a balance. Postings are immutable; a refund is a posting of its own.
package struct Posting: Sendable {
    package enum Kind: String, Sendable {
        case credit
        /// Takes back the credits of a revoked transaction.
        case refund
        /// Takes back the share of a period's credits for the time that was left when the customer changed to another
        /// product; see ``/InAppPurchase/UpgradedCredits``.
        case upgraded
        case spend
        /// Given or taken back by an administrator.
        case adjustment
        /// Brings a balance that a refund made negative back to zero, or takes that back; see
        /// ``/InAppPurchase/RefundPolicy/clamp``.
        case forgiveness
        /// Empties the balances of a tester's sandbox.
        case reset
        /// Takes unspent credits from the former owner of a purchase that was transferred with its credits; see
        /// ``ReceiptRecorder``.
        case transfer
        /// Takes back what a period earned that was counted more than once; see
        /// ``LedgerMaintenance/repairPeriods(at:_:)``.
        case correction
        /// The credits that an account starts with; see ``StartingCredits``.
        case starting
    }

    package var account: AccountID
    package var scope: Scope
    package var currency: Currency
    /// Positive for credits, negative for refunds and spends, either for the others.
    package var amount: Int
    package var kind: Kind
    /// The product that earned the credits; `nil` if the posting is not of a product's credits.
    package var product: ProductID?
    /// The receipt or notification that caused it, the idempotency key of a spend or adjustment, or the refunded
    /// transaction of a forgiveness.
    package var cause: String?
    package var date: Date

    package init(
        account: AccountID, scope: Scope, currency: Currency, amount: Int, kind: Kind, product: ProductID? = nil,
        cause: String?, date: Date
    ) {
        self.account = account
        self.scope = scope
        self.currency = currency
        self.amount = amount
        self.kind = kind
        self.product = product
        self.cause = cause
        self.date = date
    }
}
