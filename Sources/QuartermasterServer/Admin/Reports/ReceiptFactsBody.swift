import Foundation
import InAppPurchase
import Ledger

struct ReceiptFactsBody: Encodable {
    var receipt: String
    var kind: Receipt.Kind
    var status: ReceiptAnswer.Status
    var reason: ReceiptRejection.Reason?
    var bundleID: BundleID?
    var attempts: Int
    var recordedAt: Date
    var answeredAt: Date?
    var retryAt: Date?

    init(_ facts: ReceiptFacts) {
        receipt = facts.id
        kind = facts.kind
        status = facts.status
        reason = facts.rejection
        bundleID = facts.bundleID
        attempts = facts.attempts.count
        recordedAt = facts.recordedAt
        answeredAt = facts.answeredAt
        retryAt = facts.retryAt
    }
}
