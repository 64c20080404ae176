import Foundation
import InAppPurchase
import Ledger
import ServerHTTP

package struct ReceiptFactsBody: Encodable {
    var receipt: String
    var kind: Receipt.Kind
    var status: ReceiptAnswer.Status
    var reason: ReceiptRejection.Reason?
    /// The advice, for people; omitted unless the receipt was rejected.
    var remedy: String?
    var bundleID: BundleID?
    var attempts: Int
    /// The trouble with the last attempt; omitted unless the receipt waits, and if it is not known.
    var trouble: String?
    var recordedAt: Date
    var answeredAt: Date?
    var retryAt: Date?

    init(_ facts: ReceiptFacts) {
        receipt = facts.id
        kind = facts.kind
        status = facts.status
        reason = facts.rejection
        remedy = facts.rejection?.remedy
        bundleID = facts.bundleID
        attempts = facts.attempts.count
        trouble = facts.status == .pending ? facts.attempts.trouble?.rawValue : nil
        recordedAt = facts.recordedAt
        answeredAt = facts.answeredAt
        retryAt = facts.retryAt
    }
}
