public import Foundation
public import InAppPurchase

/// Why a subscription's renewal date is put off (Apple, `extendReasonCode`).
public enum ExtensionReason: Int, Hashable, Codable, Sendable {
    case undeclared
    case customerSatisfaction
    case other
    case serviceIssue
}

/// What the store did about a renewal date.
public struct RenewalExtension: Hashable, Sendable {
    public var originalTransactionID: TransactionID
    public var isExtended: Bool
    /// The new date of renewal.
    public var effectiveDate: Date?
    /// The period that was made longer.
    public var webOrderLineItemID: String?
}
