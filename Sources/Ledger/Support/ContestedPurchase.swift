package import Foundation
package import InAppPurchase

/// A purchase that an account's app sent, and that another account owns, so that the account was given nothing.
package struct ContestedPurchase: Sendable {
    /// The maximum number of receipts that are looked at, the newest.
    package static let maximumReceipts = 20
    /// The maximum number of purchases of a report, the newest.
    package static let maximumListed = 50

    /// The purchase, with its owner.
    package var record: RecordedTransaction
    /// The remedy that the app was told; `nil` if none was.
    package var remedy: TransferRemedy?
    /// The date when the account's app sent it.
    package var sentAt: Date

    package init(record: RecordedTransaction, remedy: TransferRemedy?, sentAt: Date) {
        self.record = record
        self.remedy = remedy
        self.sentAt = sentAt
    }
}
