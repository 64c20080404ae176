import Foundation
import InAppPurchase

@testable import ServerCore
@testable import ServerHTTP

/// An app receipt in DER or BER.
struct AppReceiptFile: FuzzTarget {
    let signed: SignedData
    private let genuine: [Transaction]?

    init(_ signed: SignedData) {
        self.signed = signed
        genuine = signed.verified(receipt: signed.receipt)
    }

    func test(_ input: Data) {
        // Not everything in a receipt is signed, such as the order of its certificates; but what it says is.
        guard let transactions = signed.verified(receipt: input) else { return }
        precondition(transactions == genuine, "purchases that nobody signed were believed")
    }
}
