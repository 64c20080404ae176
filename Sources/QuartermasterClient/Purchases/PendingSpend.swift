public import Foundation

/// A spend whose answer the app has not seen yet.
public struct PendingSpend: Sendable, Codable, Equatable, Identifiable {
    /// The key by which the server knows it: the same key never spends twice.
    public var key: UUID
    /// The amount.
    public var amount: Int
    /// The kind of credits.
    public var currency: String
    /// The environment that the store had when it began.
    public var environment: StoreEnvironment?
    /// Whether the server has carried it out. The app then gives the player what was paid for, and acknowledges it.
    public var isSettled: Bool

    public var id: UUID { key }
}
