public import Foundation

/// The result of a purchase, as the server decided.
public enum PurchaseResult: Sendable, Equatable {
    /// The account has it now.
    case delivered
    /// The account had it before. ``ShopState/entitlements`` tells about access.
    case alreadyDelivered
    /// Somebody has to approve it first (Ask to Buy). Once approved, it is delivered by itself.
    case pending
    /// Paid, and not delivered yet: the server waits for the App Store, or this device for the server. No action is
    /// needed.
    ///
    /// - Parameter provisionalUntil: access is open until then, if the server gives it in advance.
    case waiting(provisionalUntil: Date?)
    /// The server gives nothing for it, see the tables in docs/app/errors.md.
    case denied(reason: String, remedy: Remedy?)
    /// The player changed their mind.
    case cancelled
}
