public import InAppPurchase

/// What a client may send as signed data (StoreKit 2), verified.
public enum SignedReceipt: Hashable, Sendable {
    ///
    /// - Parameter isForDevice: whether it was made for the device that the verifier was told of.
    case transaction(Transaction, isForDevice: Bool = false)
    /// Proof of the app itself: good, and with no purchase in it.
    case appTransaction(AppTransaction)

    /// What it vouches for.
    public var receipt: VerifiedReceipt {
        switch self {
        case .transaction(let transaction, let isForDevice):
            VerifiedReceipt(
                transactions: [transaction],
                evidence: PresentedEvidence(
                    date: transaction.signedDate, transactions: [transaction.id], isForDevice: isForDevice,
                    deviceRemedy: .deviceVerificationID))
        case .appTransaction: VerifiedReceipt(transactions: [])
        }
    }
}
