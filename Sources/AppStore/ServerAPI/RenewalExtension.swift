public import Foundation
public import InAppPurchase

/// The App Store's response to a request to extend a renewal date.
public struct RenewalExtension: Hashable, Sendable {
    /// The original transaction of the subscription.
    public var originalTransactionID: TransactionID
    /// Whether the date was extended (`success`).
    public var isExtended: Bool
    /// The new renewal date; `nil` if it was not extended.
    public var effectiveDate: Date?
    /// The billing period that was extended (`webOrderLineItemId`).
    public var webOrderLineItemID: String?
}
