public import Foundation

/// The receipts that wait for the store, of all accounts.
public struct PendingReceipts: Hashable, Sendable {
    public var count: Int
    /// When the oldest of those came that have no answer yet: somebody paid and has nothing. Nil where there is none; a
    /// receipt that is asked about again has its purchases meanwhile.
    public var oldest: Date?

    public init(count: Int = 0, oldest: Date? = nil) {
        self.count = count
        self.oldest = oldest
    }
}
