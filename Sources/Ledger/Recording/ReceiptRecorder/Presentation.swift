import Foundation
import InAppPurchase

/// The account that presents transactions, and what the presented bytes prove.
struct Presentation {
    var account: AccountID
    /// The evidence; `nil` if the bytes have no date.
    var evidence: PresentedEvidence?
    /// Whether original transactions of other accounts may be transferred to this one.
    var mayTransfer: Bool

    init(_ receipt: Receipt, _ verified: VerifiedReceipt) {
        account = receipt.account
        mayTransfer = receipt.mayTransfer
        evidence = verified.evidence
        if receipt.isForDevice { evidence?.isForDevice = true }
    }

    func evidence(for transaction: Transaction) -> PresentedEvidence? {
        evidence.flatMap { $0.transactions.contains(transaction.id) ? $0 : nil }
    }
}
