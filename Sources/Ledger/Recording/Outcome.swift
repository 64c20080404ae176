package import InAppPurchase

/// The outcome of one transaction for the account that presented it.
package enum Outcome: Hashable, Sendable {
    /// New, and gives access or credits.
    case delivered
    /// Delivered to this account before.
    case alreadyDelivered
    case denied(DenialReason)

    /// Whether the app should finish the transaction: it is delivered, or never will be.
    package var finish: Bool {
        switch self {
        case .delivered, .alreadyDelivered: true
        case .denied(let reason): reason.isFinal
        }
    }
}
