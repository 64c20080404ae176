public import InAppPurchase

/// Verified renewal info: the state of a subscription's next renewal.
public struct SignedRenewalInfo: Hashable, Sendable {
    /// Apple's `originalTransactionId`. Renewal info names no app.
    public var originalTransactionID: TransactionID
    /// The environment of the subscription.
    public var environment: Environment
    /// The state of the next renewal.
    public var facts: RenewalFacts
}
