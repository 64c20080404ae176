public import Foundation

/// The state of a product that a shop shows beside it.
public enum ProductState: Sendable, Equatable {
    /// It can be bought.
    case available
    /// The store does not know it now, or has not been asked yet.
    case unavailable
    /// The store is selling it.
    case buying
    /// Somebody has to approve the purchase (Ask to Buy). It can be asked for again.
    case pending
    /// Paid, and not delivered yet.
    case waiting
    /// The account has access, for good if there is no `until`.
    case owned(until: Date?)
}
