public import Foundation

/// The result of a purchase, by the server's word.
public enum PurchaseResult: Sendable, Equatable {
    /// The account has it now.
    case delivered
    /// The account had it before. ``ShopState/entitlements`` tells about access.
    case alreadyDelivered
    /// Somebody has to approve it first (Ask to Buy). It comes by itself.
    case pending
    /// Paid, and on its way: the server waits for the App Store, or this device for the server. It comes by itself.
    ///
    /// - Parameter provisionalUntil: access is open until then, if the server gives it in advance.
    case waiting(provisionalUntil: Date?)
    /// The server gives nothing for it, by the tables in docs/app/errors.md.
    case denied(reason: String, remedy: Remedy?)
    /// The player changed their mind.
    case cancelled
}
