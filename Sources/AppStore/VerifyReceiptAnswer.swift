import Basics
import Foundation

/// The answer of verifyReceipt, in either of its two styles, as it came.
///
/// "Unified" for app receipts: `receipt.in_app`, `latest_receipt_info` as an array, `pending_renewal_info`. iOS 6 for
/// transaction receipts: `receipt` is the transaction itself, `latest_receipt_info` an object, renewal facts beside it.
struct VerifyReceiptAnswer {
    var status: Int
    /// All scalars at the top.
    var top: VerifyReceiptEntry
    /// All scalars of `receipt`.
    var receipt: VerifyReceiptEntry
    /// Nil in the iOS 6 style.
    var inApp: [VerifyReceiptEntry]?
    var latest: [VerifyReceiptEntry]
    var pendingRenewals: [VerifyReceiptEntry]

    /// Reads an answer.
    /// - Returns: nil for anything but an object with a `status`.
    init?(_ answer: Data) {
        guard let root = (try? StrictJSON(answer, .verifyReceiptAnswer, tolerance: .known))?.root else { return nil }
        top = VerifyReceiptEntry(root)
        guard root.kind == .object, let status = top.integer("status") else { return nil }
        self.status = status
        receipt = VerifyReceiptEntry(root["receipt"])
        inApp = root["receipt"]?["in_app"]?.entries
        latest = (root["latest_receipt_info"]?.entries ?? []) + (root["latest_expired_receipt_info"]?.entries ?? [])
        pendingRenewals = root["pending_renewal_info"]?.entries ?? []
    }

    /// Under both names that were ever seen.
    var isRetryable: Bool? { top.flag("is-retryable") ?? top.flag("is_retryable") }
}

extension JSONPart {
    /// An array of entries, or an entry where an array of one was meant; nil for null.
    fileprivate var entries: [VerifyReceiptEntry]? {
        switch kind {
        case .null: nil
        case .array: elements.map { VerifyReceiptEntry($0) }
        case .bool, .number, .string, .object: [VerifyReceiptEntry(self)]
        }
    }
}
