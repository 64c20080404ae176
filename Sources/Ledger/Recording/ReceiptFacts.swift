package import InAppPurchase
package import Foundation

/// What became of a receipt, without what it says.
package struct ReceiptFacts: Sendable {
    package var id: String
    package var kind: Receipt.Kind
    package var status: ReceiptAnswer.Status
    package var rejection: ReceiptRejection.Reason?
    /// What the client named.
    package var bundleID: BundleID?
    package var attempts: Attempts
    package var recordedAt: Date
    /// When it was first answered with something else than "pending".
    package var answeredAt: Date?
    /// When the store is asked again.
    package var retryAt: Date?

    package init(
        id: String, kind: Receipt.Kind, status: ReceiptAnswer.Status, rejection: ReceiptRejection.Reason?,
        bundleID: BundleID?, attempts: Attempts, recordedAt: Date, answeredAt: Date?, retryAt: Date?
    ) {
        self.id = id
        self.kind = kind
        self.status = status
        self.rejection = rejection
        self.bundleID = bundleID
        self.attempts = attempts
        self.recordedAt = recordedAt
        self.answeredAt = answeredAt
        self.retryAt = retryAt
    }
}
