package import Foundation

/// The receipts that wait for the store, of all accounts.
package struct PendingReceipts: Hashable, Sendable {
    package var count: Int
    /// When the oldest of those came that have no answer yet: somebody paid and has nothing. Nil where there is none; a
    /// receipt that is asked about again has its purchases meanwhile.
    package var oldest: Date?

    package init(count: Int = 0, oldest: Date? = nil) {
        self.count = count
        self.oldest = oldest
    }
}
