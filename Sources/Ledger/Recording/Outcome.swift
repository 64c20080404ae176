package import InAppPurchase

package enum Outcome: Hashable, Sendable {
    /// New, and gives access or credits.
    case delivered
    /// Delivered to this account before.
    case alreadyDelivered
    case denied(DenialReason)

    package var finish: Bool {
        switch self {
        case .delivered, .alreadyDelivered: true
        case .denied(let reason): reason.isFinal
        }
    }
}
