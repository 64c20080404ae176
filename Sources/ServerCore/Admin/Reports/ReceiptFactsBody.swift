import Foundation
import InAppPurchase
import Ledger
import ServerHTTP

package struct ReceiptFactsBody: Codable {
    var receipt: String
    var kind: Receipt.Kind
    var status: ReceiptAnswer.Status
    var reason: ReceiptRejection.Reason?
    /// The advice, for people; omitted unless the receipt was rejected.
    var remedy: String?
    var bundleID: BundleID?
    /// The version of the app that it names; omitted if it names none.
    var appVersion: String?
    /// The App Store's number of that version; omitted in the sandbox.
    var versionExternalID: Int?
    /// Whether the version was below the minimum of the app's entry; omitted if not.
    var belowMinimumVersion: Bool?
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
        appVersion = facts.appVersion
        versionExternalID = facts.versionExternalID
        belowMinimumVersion = facts.isBelowMinimum ? true : nil
        attempts = facts.attempts.count
        trouble = facts.status == .pending ? facts.attempts.trouble?.rawValue : nil
        recordedAt = facts.recordedAt
        answeredAt = facts.answeredAt
        retryAt = facts.retryAt
    }

    /// The version with a mark for people; empty if it names none.
    var versionText: String {
        appVersion.map { $0 + (belowMinimumVersion == true ? ", below the minimum" : "") } ?? ""
    }
}
