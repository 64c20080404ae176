import InAppPurchase
import Ledger

/// The status of a receipt, with the reason if it is rejected.
struct ReceiptOutcome: Equatable {
    var status: ReceiptAnswer.Status
    var rejection: ReceiptRejection.Reason?

    /// Whether the App Store's signature was verified.
    var isVerified: Bool { status == .verified || status == .conflict }
}
