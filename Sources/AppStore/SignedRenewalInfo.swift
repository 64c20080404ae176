public import InAppPurchase

/// What the store signed about a subscription's next renewal.
public struct SignedRenewalInfo: Hashable, Sendable {
    public var originalTransactionID: TransactionID
    public var environment: Environment
    public var facts: RenewalFacts
}
