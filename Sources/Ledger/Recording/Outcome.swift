package import InAppPurchase

package enum Outcome: Hashable, Sendable {
    /// New, and it gives access or credits.
    case delivered
    /// Recorded before for this account, and granted or credited then.
    case alreadyDelivered
    case denied(DenialReason)

    package var finish: Bool {
        switch self {
        case .delivered, .alreadyDelivered: true
        case .denied(let reason): reason.isFinal
        }
    }
}
