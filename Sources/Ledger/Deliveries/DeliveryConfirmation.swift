package import Foundation

/// The result of confirming a delivery.
package enum DeliveryConfirmation: Hashable, Sendable {
    case confirmed(Date)
    /// The account has another manifest than the one that it was issued.
    case mismatch
}
