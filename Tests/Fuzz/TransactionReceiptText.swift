import AppStore
import Foundation
import InAppPurchase

@testable import AdminPages
@testable import ServerCore
@testable import ServerHTTP

/// A transaction receipt in the style of iOS 6, and the property list inside it: both are read unverified, to decide
/// whether the store is worth asking about it.
struct TransactionReceiptText: FuzzTarget {
    func test(_ input: Data) {
        read(input)
        let purchase = input.base64EncodedString()
        read(Data("{\"purchase-info\" = \"\(purchase)\"; \"environment\" = \"Sandbox\";}".utf8))
    }

    private func read(_ receipt: Data) {
        let text = receipt.base64EncodedString()
        guard let hint = try? TransactionReceiptHint(base64: text) else {
            precondition(Receipt.Kind(of: text) != .transactionReceipt, "taken for what cannot be read")
            return
        }
        let id = hint.transactionID.text
        precondition(!id.isEmpty && id.allSatisfy(\.isNumber), "no transaction ID")
    }
}
