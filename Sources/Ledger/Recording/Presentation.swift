import InAppPurchase
import Foundation

/// Who shows transactions, and what the bytes that were sent prove.
struct Presentation {
    var account: AccountID
    /// Nil if the bytes have no date.
    var evidence: PresentedEvidence?
    /// Whether what another account owns may move.
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
