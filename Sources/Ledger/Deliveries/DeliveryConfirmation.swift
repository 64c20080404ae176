package import Foundation

/// What became of a confirmation.
package enum DeliveryConfirmation: Hashable, Sendable {
    case confirmed(Date)
    /// The account has something else than it was handed out.
    case mismatch
}
