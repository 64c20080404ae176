import Foundation

/// How many receipts the client keeps, and how long it waits.
enum ReceiptLimits {
    /// The maximum number on disk. As many more wait in memory for room there; those beyond are left to the store,
    /// which hands them over again at the next start.
    static let queue = 1_000
    /// The maximum number of outcomes that nobody has read.
    static let outcomes = 100
    /// The first wait before asking what became of a receipt that the server keeps, unless it says another.
    static let lookAfter = Duration.seconds(5)
    static let maximumLookWait = Duration.seconds(300)
    /// In seconds: the least time between two requests with a receipt that the server can make nothing of.
    static let refusedWait: TimeInterval = 86_400
}
