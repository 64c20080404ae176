package import Foundation

/// The number and age of the receipts of all accounts that wait for the App Store.
package struct PendingReceipts: Hashable, Sendable {
    package var count: Int
    /// The date of the oldest receipt that has no answer yet: somebody paid and has nothing. `nil` if there is none.
    /// Receipts that are only asked about again do not count, since their purchases are delivered meanwhile.
    package var oldest: Date?

    package init(count: Int = 0, oldest: Date? = nil) {
        self.count = count
        self.oldest = oldest
    }
}
