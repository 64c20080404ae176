public import Foundation

/// What became of a receipt, without what it says.
public struct ReceiptFacts: Sendable {
    public var id: String
    public var kind: Receipt.Kind
    public var status: ReceiptAnswer.Status
    public var rejection: ReceiptRejection.Reason?
    /// What the client named.
    public var bundleID: BundleID?
    public var attempts: Attempts
    public var recordedAt: Date
    /// When it was first answered with something else than "pending".
    public var answeredAt: Date?
    /// When the store is asked again.
    public var retryAt: Date?

    public init(
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
