public import Foundation
public import InAppPurchase

/// What the store did about a renewal date.
public struct RenewalExtension: Hashable, Sendable {
    public var originalTransactionID: TransactionID
    public var isExtended: Bool
    /// The new date of renewal.
    public var effectiveDate: Date?
    /// The period that was made longer.
    public var webOrderLineItemID: String?
}
