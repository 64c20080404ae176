import Foundation

/// The answer of verifyReceipt, in either of its two styles, as it came.
///
/// "Unified" for app receipts: `receipt.in_app`, `latest_receipt_info` as an array, `pending_renewal_info`. iOS 6 for
/// transaction receipts: `receipt` is the transaction itself, `latest_receipt_info` an object, renewal facts beside it.
struct VerifyReceiptAnswer: Decodable {
    private enum CodingKeys: String, CodingKey {
        case receipt
        case latest = "latest_receipt_info"
        case latestExpired = "latest_expired_receipt_info"
        case pendingRenewals = "pending_renewal_info"
    }

    private enum ReceiptKeys: String, CodingKey {
        case inApp = "in_app"
    }

    var status: Int
    /// All scalars at the top.
    var top: VerifyReceiptEntry
    /// All scalars of `receipt`.
    var receipt: VerifyReceiptEntry
    /// Nil in the iOS 6 style.
    var inApp: [VerifyReceiptEntry]?
    var latest: [VerifyReceiptEntry]
    var pendingRenewals: [VerifyReceiptEntry]

    /// - Throws: `DecodingError` for anything but an object with a `status`.
    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        top = VerifyReceiptEntry(from: decoder)
        guard let status = top.integer("status") else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no status"))
        }
        self.status = status
        receipt = try object.decodeIfPresent(VerifyReceiptEntry.self, forKey: .receipt) ?? VerifyReceiptEntry()
        inApp = try? object.nestedContainer(keyedBy: ReceiptKeys.self, forKey: .receipt)
            .decodeIfPresent(OneOrMany.self, forKey: .inApp)?.entries
        latest =
            (try object.decodeIfPresent(OneOrMany.self, forKey: .latest)?.entries ?? [])
            + (try object.decodeIfPresent(OneOrMany.self, forKey: .latestExpired)?.entries ?? [])
        pendingRenewals = try object.decodeIfPresent(OneOrMany.self, forKey: .pendingRenewals)?.entries ?? []
    }

    /// Under both names that were ever seen.
    var isRetryable: Bool? { top.flag("is-retryable") ?? top.flag("is_retryable") }
}

/// An array of entries, or an entry where an array of one was meant.
private struct OneOrMany: Decodable {
    var entries: [VerifyReceiptEntry]

    init(from decoder: any Decoder) {
        entries = (try? [VerifyReceiptEntry](from: decoder)) ?? [VerifyReceiptEntry(from: decoder)]
    }
}
