import AppStore
import Foundation
import InAppPurchase

/// A transaction receipt in the style of iOS 6, and the property list inside one: to ask the store about it, both are
/// read unverified.
struct TransactionReceiptText: FuzzTarget {
    func test(_ input: Data) {
        read(input)
        let purchase = input.base64EncodedString()
        read(Data("{\"purchase-info\" = \"\(purchase)\"; \"environment\" = \"Sandbox\";}".utf8))
    }

    private func read(_ receipt: Data) {
        guard let hint = try? TransactionReceiptHint(base64: receipt.base64EncodedString()) else { return }
        precondition(hint.environment != .xcode, "an environment that the store does not have")
        precondition(!hint.transactionID.isEmpty && hint.transactionID.allSatisfy(\.isNumber), "no transaction ID")
    }
}
