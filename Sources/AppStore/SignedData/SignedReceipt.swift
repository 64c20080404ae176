public import InAppPurchase

/// A verified receipt of StoreKit 2: a signed transaction or app transaction.
public enum SignedReceipt: Hashable, Sendable {
    /// A transaction.
    ///
    /// - Parameter isForDevice: whether it was made for the device that was passed to the verifier.
    case transaction(Transaction, isForDevice: Bool = false)
    /// Proof of the app itself: valid, but without a purchase.
    case appTransaction(AppTransaction)

    /// The facts in the receipt; without transactions for an app transaction.
    public var receipt: VerifiedReceipt {
        switch self {
        case .transaction(let transaction, let isForDevice):
            VerifiedReceipt(
                transactions: [transaction],
                evidence: PresentedEvidence(
                    date: transaction.signedDate, transactions: [transaction.id], isForDevice: isForDevice,
                    deviceRemedy: .deviceVerificationID))
        case .appTransaction(let transaction): VerifiedReceipt(transactions: [], appTransaction: transaction)
        }
    }
}
