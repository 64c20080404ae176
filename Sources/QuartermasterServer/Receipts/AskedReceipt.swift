import Ledger

/// The result of asking the store about a receipt.
struct AskedReceipt: Sendable {
    /// The answer for the client.
    var answer: ReceiptAnswer
    /// Whether the store could not answer and is asked again. The receipt may be delivered all the same.
    var isAskedAgain = false
}
