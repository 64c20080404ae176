import InAppPurchase

/// What came of a receipt.
struct ReceiptOutcome: Equatable {
    var status: ReceiptAnswer.Status
    var rejection: ReceiptRejection.Reason?
}
