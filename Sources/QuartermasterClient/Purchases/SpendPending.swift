public import Foundation

/// The answer to a spend was lost. It is carried out once, now or later, and is then in ``ShopState/spends``.
public struct SpendPending: Error, Sendable {
    /// The key of the spend in ``ShopState/spends``.
    public var key: UUID
}
