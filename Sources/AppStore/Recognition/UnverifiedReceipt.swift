import Foundation
public import InAppPurchase

/// The claims of a receipt that the App Store is to verify. **Nothing of it is verified.**
///
/// Read before a receipt is stored and sent to the App Store: one that cannot be read is `malformed` in any case.
public struct UnverifiedReceipt: Hashable, Sendable {
    /// The app that the receipt names; `nil` if it names none, as in some transaction receipts.
    public var bundleID: BundleID?

    /// Reads an app receipt or a transaction receipt.
    ///
    /// - Parameter base64: the receipt as the client sent it; at most ``InAppPurchase/Receipt/maximumSize`` bytes, for
    ///   a transaction receipt ``TransactionReceiptHint/maximumSize``.
    /// - Throws: `malformed`, and for a transaction receipt `environment`.
    public init(base64: String, kind: Receipt.Kind) throws(ReceiptRejection) {
        guard kind == .appReceipt else {
            bundleID = try TransactionReceiptHint(base64: base64).bundleID
            return
        }
        guard base64.utf8.count <= Receipt.maximumSize, let file = Data(receiptBase64: base64) else {
            throw ReceiptRejection(.malformed, "no base64")
        }
        bundleID = try AppReceipt(content: SignedDataMessage(berEncoded: Array(file)).content).bundleID
    }
}
