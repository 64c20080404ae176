import InAppPurchase

extension Receipt.Kind {
    /// The kind in words.
    var words: String {
        switch self {
        case .signedTransaction: "signed transaction (StoreKit 2)"
        case .appReceipt: "app receipt (StoreKit 1)"
        case .transactionReceipt: "receipt of one transaction (iOS 6)"
        case .transactionID: "transaction ID"
        }
    }
}
