import Foundation
import StrictJSON

/// The response of verifyReceipt, in either of its two styles.
///
/// "Unified" for app receipts: `receipt.in_app`, `latest_receipt_info` as an array, `pending_renewal_info`. iOS 6 for
/// transaction receipts: `receipt` is the transaction itself, `latest_receipt_info` an object, with renewal facts
/// beside it.
struct VerifyReceiptAnswer {
    var status: Int
    /// The scalars at the top level.
    var top: VerifyReceiptEntry
    /// The scalars of `receipt`.
    var receipt: VerifyReceiptEntry
    /// The entries of `receipt.in_app`; `nil` in the iOS 6 style.
    var inApp: [VerifyReceiptEntry]?
    var latest: [VerifyReceiptEntry]
    var pendingRenewals: [VerifyReceiptEntry]

    /// Reads a response.
    /// - Returns: `nil` for anything but an object with a `status`.
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

    /// Apple's `is-retryable`, under both names that have been seen.
    var isRetryable: Bool? { top.flag("is-retryable") ?? top.flag("is_retryable") }
}

extension JSONPart {
    /// The entries of an array, or a single entry in place of an array; `nil` for `null`.
    fileprivate var entries: [VerifyReceiptEntry]? {
        switch kind {
        case .null: nil
        case .array: elements.map { VerifyReceiptEntry($0) }
        case .bool, .number, .string, .object: [VerifyReceiptEntry(self)]
        }
    }
}
