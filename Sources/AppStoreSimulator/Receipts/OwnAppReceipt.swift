import Foundation
import InAppPurchase
import SwiftASN1

/// An app receipt that this simulator signed, decoded.
struct OwnAppReceipt {
    var environment: Environment
    var app: BundleID
    /// The customer's key in the key/value store.
    var customer: String
    var creationDate: Date
    /// The transactions in the receipt when it was made.
    var transactionIDs: [TransactionID]

    /// Decodes a receipt; `nil` if the signature is not this simulator's.
    ///
    /// - Throws: if it is not a PKCS#7 receipt.
    init?(_ octets: [UInt8], key: ReceiptKey) throws {
        let message = try SignedContent(berEncoded: octets)
        guard key.isValidSignature(message.signature, for: message.content) else { return nil }
        let attributes = try SimulatorReceiptAttribute.set(berEncoded: message.content)
        guard let type = try attributes.first(0)?.text, let app = try attributes.first(2)?.text,
            let customer = attributes.first(6)?.value, let date = attributes.first(12)?.value,
            let creationDate = Date(rfc3339: String(try ASN1IA5String(berEncoded: date)))
        else { throw ReceiptDataError() }
        environment = type == SimulatorAppReceipt.type(of: .production) ? .production : .sandbox
        self.app = BundleID(stored: app)
        self.customer = Customer.key(customer)
        self.creationDate = creationDate
        transactionIDs = try attributes.filter { $0.type == 17 }.compactMap { entry in
            try SimulatorReceiptAttribute.set(berEncoded: entry.value).first(1703).map {
                TransactionID(stored: try $0.text)
            }
        }
    }
}

extension Array where Element == SimulatorReceiptAttribute {
    fileprivate func first(_ type: Int) -> SimulatorReceiptAttribute? { first { $0.type == type } }
}
