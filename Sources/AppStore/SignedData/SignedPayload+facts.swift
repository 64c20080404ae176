import Foundation
import InAppPurchase

extension SignedPayload {
    /// - Parameter device: `AppStore.deviceVerificationID`; `nil` if the client did not name it.
    /// - Throws: `unsupported` for neither a transaction nor an app transaction, `malformed`, `environment`
    func receipt(for device: UUID? = nil) throws(ReceiptRejection) -> SignedReceipt {
        has("receiptType") && !has("transactionId")
            ? .appTransaction(try appTransaction())
            : .transaction(try transaction(), isForDevice: isMade(for: device))
    }

    func transaction() throws(ReceiptRejection) -> Transaction {
        guard has("transactionId") else { throw ReceiptRejection(.unsupported, "not a transaction") }
        let payload = try TransactionPayload(root)
        return try payload.transaction(in: environment(named: payload.environment)).withUniqueIDs
    }

    func appTransaction() throws(ReceiptRejection) -> AppTransaction {
        guard has("receiptType"), !has("transactionId") else {
            throw ReceiptRejection(.unsupported, "not an app transaction")
        }
        let payload = try decode(AppTransactionPayload.self)
        return payload.transaction(in: try environment(named: payload.receiptType))
    }

    /// - Throws: `environment` for any other than the signer may sign for.
    func environment(named name: String?) throws(ReceiptRejection) -> Environment {
        guard isByXcode else { return try Environment(signed: name) }
        guard name == Environment.xcode.rawValue else {
            throw ReceiptRejection(.environment, "signed by Xcode, and of another environment")
        }
        return .xcode
    }
}
