import Foundation
public import InAppPurchase

/// The claims of a transaction receipt (iOS 6 style). **Nothing of it is verified**: anybody can write one, and its
/// signer's certificate expired in 2014. It tells whether a request to the App Store makes sense, and which app's
/// secret it needs.
public struct TransactionReceiptHint: Hashable, Sendable {
    /// The maximum size in bytes; genuine receipts have 3 to 6 kB.
    public static let maximumSize = 64 << 10

    /// The ID of the transaction: 1 to 20 decimal digits.
    public var transactionID: TransactionID
    /// The app's bundle ID; `nil` if the receipt names none.
    public var bundleID: BundleID?

    /// Reads a transaction receipt.
    ///
    /// - Parameter base64: the receipt as the client sent it.
    /// - Throws: `malformed` if no transaction ID can be read, `environment` for any but Production and Sandbox.
    public init(base64: String) throws(ReceiptRejection) {
        guard base64.utf8.count <= Self.maximumSize, let receipt = Data(receiptBase64: base64),
            let members = OpenStepPropertyList.members(of: receipt),
            let encoded = members["purchase-info"], let text = Data(receiptBase64: encoded),
            let purchase = OpenStepPropertyList.members(of: text),
            let transactionID = purchase["transaction-id"], transactionID.isStoreID
        else { throw ReceiptRejection(.malformed, "no transaction receipt") }
        self.transactionID = TransactionID(stored: transactionID)
        bundleID = purchase["bid"].map(BundleID.init(stored:))
        // Only sandbox receipts name it. Production is asked first all the same, and says where the receipt belongs.
        _ = try Environment(signed: members["environment"] ?? Environment.production.rawValue)
    }
}
