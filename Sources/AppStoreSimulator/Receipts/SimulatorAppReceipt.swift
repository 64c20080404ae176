import Crypto
import Foundation
import InAppPurchase
import SwiftASN1

/// The app receipt on a customer's device, of one app and environment.
///
/// Source: Apple, "Validating receipts on the device"; the attributes without a documented meaning are as in genuine
/// receipts, except 6, which names the customer here.
struct SimulatorAppReceipt {
    /// The version of the app that the customer has, and had first.
    static let applicationVersion = "1.0"
    /// The date when every customer first got the app, as in Apple's sandbox.
    static let originalPurchaseDate = Date(timeIntervalSince1970: 1_375_340_400)

    var customer: Customer
    /// The device that it is made for; `nil` for the one that is derived from the customer.
    var device: UUID?
    /// The app's number in the App Store; `nil` if it is not known.
    var appAppleID: Int?
    var creationDate: Date
    var purchases: [StoredPurchase]

    static func type(of environment: Environment) -> String {
        environment == .production ? "Production" : "ProductionSandbox"
    }

    /// The signed file, in DER.
    func signed(with key: ReceiptKey) throws -> [UInt8] {
        let content = try SimulatorReceiptAttribute.serialize(attributes())
        let message = SimulatorSignedDataMessage(
            content: content, signature: try key.signature(for: content), signer: key.chain.leaf,
            certificates: key.certificates)
        return try DER.bytes(of: message)
    }

    private func attributes() throws -> [SimulatorReceiptAttribute] {
        let bundle = try DER.bytes(of: ASN1UTF8String(customer.app.text))
        var attributes = try [
            SimulatorReceiptAttribute(0, text: Self.type(of: customer.environment)),
            SimulatorReceiptAttribute(2, octets: bundle),
            SimulatorReceiptAttribute(3, text: Self.applicationVersion),
            SimulatorReceiptAttribute(4, octets: opaque),
            SimulatorReceiptAttribute(5, octets: deviceHash(bundle)),
            SimulatorReceiptAttribute(6, octets: customer.digest),
            SimulatorReceiptAttribute(12, date: creationDate.rfc3339),
            SimulatorReceiptAttribute(15, 0),
            SimulatorReceiptAttribute(16, 0),
            SimulatorReceiptAttribute(18, date: Self.originalPurchaseDate.rfc3339),
            SimulatorReceiptAttribute(19, text: Self.applicationVersion),
        ]
        if let appAppleID { attributes.append(try SimulatorReceiptAttribute(1, appAppleID)) }
        return try attributes + purchases.map { SimulatorReceiptAttribute(17, octets: try $0.receiptEntry()) }
    }

    /// The opaque value in the hash; any value is allowed.
    private var opaque: [UInt8] { Array(customer.digest.suffix(16)) }

    /// The hash that ties the receipt to the device (attribute 5): SHA-1 of device identifier, opaque value and encoded
    /// bundle ID.
    private func deviceHash(_ bundle: [UInt8]) -> [UInt8] {
        let identifier = device.map { device in withUnsafeBytes(of: device.uuid) { Array($0) } }
        return Array(Insecure.SHA1.hash(data: (identifier ?? customer.deviceIdentifier) + opaque + bundle))
    }
}

extension StoredPurchase {
    /// The fields of an in-app purchase (attributes 1701 to 1719). An empty date means none.
    fileprivate func receiptEntry() throws -> [UInt8] {
        let order = subscription.flatMap { Int($0.webOrderLineItemID) } ?? 0
        return try SimulatorReceiptAttribute.serialize([
            SimulatorReceiptAttribute(1701, transaction.quantity),
            SimulatorReceiptAttribute(1702, text: transaction.productID.text),
            SimulatorReceiptAttribute(1703, text: transaction.id.text),
            SimulatorReceiptAttribute(1704, date: transaction.purchaseDate.rfc3339),
            SimulatorReceiptAttribute(1705, text: transaction.originalID.text),
            SimulatorReceiptAttribute(
                1706, date: (transaction.originalPurchaseDate ?? transaction.purchaseDate).rfc3339),
            SimulatorReceiptAttribute(1707, transaction.productType?.receiptNumber ?? 0),
            SimulatorReceiptAttribute(1708, date: transaction.expirationDate?.rfc3339 ?? ""),
            SimulatorReceiptAttribute(1711, order),
            SimulatorReceiptAttribute(1712, date: transaction.revocation?.date.rfc3339 ?? ""),
            SimulatorReceiptAttribute(1713, offer?.isFreeTrial == true ? 1 : 0),
            SimulatorReceiptAttribute(1719, offer?.type == Offer.introductory && offer?.isFreeTrial == false ? 1 : 0),
        ])
    }
}
