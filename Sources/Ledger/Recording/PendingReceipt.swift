package import Foundation
package import InAppPurchase

/// A receipt that waits for the App Store, in the retry queue.
package struct PendingReceipt: Sendable {
    /// The maximum number of pending receipts of one account, without transaction IDs: more than a player honestly
    /// has, so that nobody can make this server send needless requests to the App Store.
    package static let maximumPending = 20
    /// The maximum numbers of pending transaction IDs: of one account, of one address, and in all. Anybody can make
    /// them up; beyond these the store is asked once, and an ID that it does not know is not recorded.
    package static let maximumTransactionIDs = 20
    package static let maximumTransactionIDsPerAddress = 200
    package static let maximumTransactionIDsInAll = 10_000

    package var receipt: Receipt
    package var attempts: Attempts
    /// If the receipt is presented again before this date, the App Store is asked at once, and another ambiguous answer
    /// is not counted; `nil` if ``Attempts/areAmbiguous`` is `false`.
    package var ambiguousUntil: Date?

    package init(receipt: Receipt, attempts: Attempts) {
        self.receipt = receipt
        self.attempts = attempts
    }
}

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
