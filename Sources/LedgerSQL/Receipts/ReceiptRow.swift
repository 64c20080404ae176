import Crypto
import Foundation
import InAppPurchase
import Ledger

/// A row of a receipt.
struct ReceiptRow {
    var pending: PendingReceipt
    var outcome: ReceiptOutcome
    /// Whether it was answered before with a status other than `pending`.
    var wasAnswered: Bool
    /// When the App Store is asked again; `nil` if it is not.
    var retryAt: Date?
    var recordedAt: Date
    /// When the bytes were counted as those of a pending receipt; `nil` if they are not.
    var countedAt: Date?
    /// The digest of the address that they were counted for, besides the account.
    var addressDigest: Data?

    /// The beginning of a statement that reads receipts, as `r`, for ``init(_:)``.
    static let selection =
        "SELECT r.*, h.content AS headerText FROM receipts r LEFT JOIN receiptHeaders h ON h.id = r.header"

    var receipt: Receipt { pending.receipt }
    var status: ReceiptAnswer.Status { outcome.status }
    var rejection: ReceiptRejection.Reason? { outcome.rejection }
    var isDue: Bool { retryAt != nil }
    /// Whether it was accepted once: then it stays accepted, and as it was sent.
    var wasAccepted: Bool { wasAnswered && rejection == nil }

    init(_ row: SQLRow) throws {
        let kind = Receipt.Kind(rawValue: try row["kind"])
        let status = ReceiptAnswer.Status(rawValue: try row["status"])
        guard let kind, let status else { throw LedgerUnavailable("unknown kind or status of a receipt") }
        var receipt = try Receipt(
            id: row["id"], account: row.account("account"), kind: kind, content: Self.content(row),
            digest: row["digest"], bundleID: row["bundleID"], mayTransfer: row["mayTransfer"] as Int != 0,
            isForDevice: row["isForDevice"] as Int != 0)
        let app: BundleID = try row["app"]
        receipt.app = app.text.isEmpty ? nil : app
        pending = try PendingReceipt(
            receipt: receipt,
            attempts: Attempts(
                count: row["attempts"], ambiguous: row["doubtfulAttempts"], badRequests: row["badRequestAttempts"],
                trouble: (row["trouble"] as String?).flatMap(Attempts.Trouble.init)))
        outcome = try ReceiptOutcome(
            status: status, rejection: (row["rejection"] as String?).flatMap(ReceiptRejection.Reason.init))
        wasAnswered = try row.dateIfAny("answeredAt") != nil
        retryAt = try row.dateIfAny("retryAt")
        recordedAt = try row.date("recordedAt")
        countedAt = try row.dateIfAny("countedAt")
        addressDigest = try row["addressDigest"]
    }

    private static func content(_ row: SQLRow) throws -> String {
        guard let packed = try row["packed"] as Data?, let header = try row["headerText"] as String? else {
            return try row["content"]
        }
        guard let text = PackedTransaction(header: header, stored: packed).text else {
            throw LedgerUnavailable("the stored bytes of receipt \(try row["id"] as String) cannot be read")
        }
        return text
    }

    /// A receipt that was never seen before.
    init(_ receipt: Receipt, _ outcome: ReceiptOutcome, at date: Date) {
        pending = PendingReceipt(receipt: receipt, attempts: Attempts())
        self.outcome = outcome
        wasAnswered = false
        recordedAt = date
    }

    /// Whether another request named another app while the App Store was asked about the receipt as it was before.
    func isCorrected(since asked: Receipt) -> Bool {
        isDue && asked.id == receipt.id && asked.bundleID != receipt.bundleID
    }

    /// The stored receipt as the very same bytes that are sent again change it.
    ///
    /// Until it is accepted, the app that the latest request names counts. While it is pending, what one request
    /// allowed or proved remains: an app that presents by itself takes nothing back of what the player asked for.
    func receipt(sentAgainAs sent: Receipt) -> Receipt {
        var receipt = receipt
        receipt.mayTransfer = sent.mayTransfer || (isDue && receipt.mayTransfer)
        receipt.isForDevice = sent.isForDevice || (isDue && receipt.isForDevice)
        if !wasAccepted { receipt.bundleID = sent.bundleID }
        receipt.app = sent.app
        return receipt
    }
}

/// The status of a receipt, with the reason if it is rejected.
struct ReceiptOutcome: Equatable {
    var status: ReceiptAnswer.Status
    var rejection: ReceiptRejection.Reason?

    /// Whether the App Store's signature was verified.
    var isVerified: Bool { status == .verified || status == .conflict }
}

/// The account and the address that a receipt's bytes are counted for, each as a SHA-256, so that no address is stored.
struct ReceiptSubjects {
    var account: Data
    /// The digest of the address; `nil` if it is not known.
    var address: Data?

    init(_ receipt: Receipt) {
        self.init(account: receipt.account, address: receipt.address.map { Self.digest("address \($0)") })
    }

    init(account: AccountID, address: Data?) {
        self.account = Self.digest("account \(account.text)")
        self.address = address
    }

    var all: [Data] { [account] + (address.map { [$0] } ?? []) }

    func limited(by budget: ReceiptByteBudgets.Budget) -> [(subject: Data, limit: Int)] {
        [(account, budget.account)] + (address.map { [($0, budget.address)] } ?? [])
    }

    private static func digest(_ text: String) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }
}
