import Foundation
public import InAppPurchase

/// What a transaction receipt (iOS 6 style) says of itself. **Nothing of it is verified**: anybody can write one, and
/// its signer's certificate expired in 2014. It tells whether the store is worth asking, and with which app's secret.
public struct TransactionReceiptHint: Hashable, Sendable {
    /// In bytes; genuine ones have 3 to 6 kB.
    public static let maximumSize = 64 << 10

    public var transactionID: TransactionID
    public var bundleID: BundleID?

    /// - Parameter base64: as the client sent it.
    /// - Throws: `malformed` where no transaction ID can be read, `environment` for one that is not the store's.
    public init(base64: String) throws(ReceiptRejection) {
        guard base64.utf8.count <= Self.maximumSize, let receipt = Data(receiptBase64: base64),
            let members = OpenStepPropertyList.members(of: receipt),
            let encoded = members["purchase-info"], let text = Data(receiptBase64: encoded),
            let purchase = OpenStepPropertyList.members(of: text),
            let transactionID = purchase["transaction-id"], transactionID.isStoreID
        else { throw ReceiptRejection(.malformed, "no transaction receipt") }
        self.transactionID = transactionID
        bundleID = purchase["bid"]
        // Only receipts of the sandbox name it. Production is asked first all the same, and says where it belongs.
        _ = try Environment(signed: members["environment"] ?? Environment.production.rawValue)
    }
}
