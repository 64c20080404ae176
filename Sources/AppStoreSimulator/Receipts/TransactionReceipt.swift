import Foundation
import InAppPurchase

/// The receipt of a single transaction in apps of iOS 6 and earlier (`transactionReceipt`).
///
/// A property list whose `purchase-info` is another one, in base64, and whose `signature` is: one byte version, the RSA
/// signature over that byte and the purchase info, four bytes length of the certificate (big-endian), the certificate.
struct TransactionReceipt {
    /// The layout with a signature of 256 bytes.
    static let version: UInt8 = 3
    static let signatureLength = 256

    var purchase: StoredPurchase
    /// The app's number; 0 in the sandbox, where the receipt leaves it out.
    var appAppleID: Int?

    func signed(with key: ReceiptKey) throws -> Data {
        let info = PropertyListText.encode(members)
        let certificate = key.certificates.first ?? Data()
        var signature = Data([Self.version])
        signature += try key.legacySignature(for: Data([Self.version]) + info)
        signature += withUnsafeBytes(of: UInt32(truncatingIfNeeded: certificate.count).bigEndian) { Data($0) }
        signature += certificate
        var receipt = [
            "signature": signature.base64EncodedString(),
            "purchase-info": info.base64EncodedString(),
            "pod": "100",
            "signing-status": "0",
        ]
        if purchase.transaction.environment != .production {
            receipt["environment"] = purchase.transaction.environment.rawValue
        }
        return PropertyListText.encode(receipt)
    }

    private var members: [String: String] {
        let (transaction, customer) = (purchase.transaction, purchase.customer)
        var members = [
            "bid": transaction.app.text, "bvrs": SimulatorAppReceipt.applicationVersion,
            "product-id": transaction.productID.text, "quantity": String(transaction.quantity),
            "transaction-id": transaction.id.text, "original-transaction-id": transaction.originalID.text,
            "unique-identifier": Customer.key(customer.deviceIdentifier),
            "unique-vendor-identifier": customer.vendorIdentifier,
        ]
        func set(_ name: String, _ date: StoreDate) {
            members[name] = date.gmt
            members["\(name)-ms"] = date.milliseconds
            members["\(name)-pst"] = date.pacific
        }
        set("purchase-date", StoreDate(transaction.purchaseDate))
        set("original-purchase-date", StoreDate(transaction.originalPurchaseDate ?? transaction.purchaseDate))
        if let expiration = transaction.expirationDate.map(StoreDate.init) {
            members["expires-date"] = expiration.milliseconds
            members["expires-date-formatted"] = expiration.gmt
            members["expires-date-formatted-pst"] = expiration.pacific
        }
        if let appAppleID, appAppleID > 0 { members["app-item-id"] = String(appAppleID) }
        members["web-order-line-item-id"] = purchase.subscription?.webOrderLineItemID
        return members
    }

    /// The transaction of a receipt that this simulator signed; `nil` if it has another signature.
    ///
    /// - Throws: if it is not a transaction receipt.
    static func transactionID(in data: Data, key: ReceiptKey) throws -> TransactionID? {
        guard let receipt = PropertyListText.decode(data),
            let signature = receipt["signature"].flatMap({ Data(base64Encoded: $0) }),
            let info = receipt["purchase-info"].flatMap({ Data(base64Encoded: $0) })
        else { throw ReceiptDataError() }
        guard signature.first == version else { return nil }
        let signed = Data([version]) + info
        guard key.isValidLegacySignature(Data(signature.dropFirst().prefix(signatureLength)), for: signed) else {
            return nil
        }
        return PropertyListText.decode(info)?["transaction-id"].map(TransactionID.init(stored:))
    }
}

/// The old-style (OpenStep) property list of iOS 6 receipts: a flat dictionary of strings.
enum PropertyListText {
    /// The maximum size in bytes. Genuine ones have about 4 KiB; the parser is not meant for more.
    static let maximumSize = 64 * 1_024

    /// The text `{ "key" = "value"; … }`, with keys in order.
    static func encode(_ members: [String: String]) -> Data {
        let lines = members.sorted { $0.key < $1.key }.map { "\t\(quoted($0.key)) = \(quoted($0.value));\n" }
        return Data("{\n\(lines.joined())}".utf8)
    }

    /// The dictionary; `nil` if it is not one of strings, or too large. The system's parser bounds nesting itself.
    static func decode(_ data: Data) -> [String: String]? {
        guard data.count <= maximumSize else { return nil }
        var format = PropertyListSerialization.PropertyListFormat.openStep
        let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: &format)
        return list as? [String: String]
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
