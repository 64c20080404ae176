import Crypto
import Foundation
import InAppPurchase
import SwiftASN1

/// The attributes of an app receipt (Apple, "Validating receipts on the device"). Nothing of it is verified yet.
struct AppReceipt {
    /// The maximum number of purchases. No customer has more: ten years of weekly renewals are 520.
    static let maximumPurchases = 10_000

    /// `Production`, `ProductionSandbox`, the same for volume purchases, or `Xcode`.
    var type: String?
    var bundleID: BundleID
    /// The number in the app's App Store address; `nil` in the sandbox.
    var appAppleID: Int?
    /// The date when the App Store signed it; the certificates must have been valid then.
    var creationDate: Date
    /// The version of the app that the receipt was made for; `nil` if it cannot be read.
    var appVersion: AppVersion?
    /// The version of the app that the customer first obtained; always `1.0` in the sandbox.
    var originalAppVersion: String?
    /// The end of a volume purchase; `nil` for other receipts.
    var expirationDate: Date?
    var purchases: [InAppPurchaseReceipt]
    private var device: DeviceHash

    /// The hash that ties the receipt to the device that it was made for.
    private struct DeviceHash {
        var opaqueValue: [UInt8]
        /// The bundle ID with tag and length, as it is hashed.
        var bundleID: [UInt8]
        var sha1: [UInt8]
    }

    /// - Parameter content: the signed content; an octet string around it is removed.
    /// - Throws: `malformed`
    init(content: [UInt8]) throws(ReceiptRejection) {
        do {
            var otherNodes = ReceiptAttributes.maximumOtherNodes
            let attributes = try ReceiptAttributes(berEncoded: content.unwrapped, otherNodes: &otherNodes)
            guard let bundleID = try attributes.text(2), let creationDate = try attributes.date(12) else {
                throw AppReceiptError()
            }
            self.bundleID = BundleID(stored: bundleID)
            self.creationDate = creationDate
            type = try attributes.text(0)
            expirationDate = try attributes.date(21)
            originalAppVersion = try? attributes.text(19)
            appVersion = (try? attributes.text(3)).map {
                AppVersion(app: BundleID(stored: bundleID), text: $0, externalID: try? attributes.integer(16))
            }
            appAppleID = try attributes.integer(1).flatMap { $0 > 0 ? $0 : nil }
            guard attributes.octets(17).count <= Self.maximumPurchases else { throw AppReceiptError() }
            purchases = try attributes.octets(17).map {
                try InAppPurchaseReceipt(berEncoded: $0, otherNodes: &otherNodes)
            }
            device = DeviceHash(
                opaqueValue: attributes.octets(4).first ?? [], bundleID: attributes.octets(2).first ?? [],
                sha1: attributes.octets(5).first ?? [])
        } catch {
            throw ReceiptRejection(.malformed, "no app receipt")
        }
    }

    /// Rejects a receipt that was made for another device.
    ///
    /// - Parameter identifier: the 16 bytes of `identifierForVendor`, or a Mac's primary MAC address; `nil` accepts any
    ///   device.
    /// - Throws: `otherDevice`
    func check(device identifier: Data?) throws(ReceiptRejection) {
        guard let identifier else { return }
        let sha1 = Array(Insecure.SHA1.hash(data: identifier + device.opaqueValue + device.bundleID))
        guard sha1 == device.sha1 else { throw ReceiptRejection(.otherDevice, "made for another device") }
    }

    /// The environment that the type stands for.
    /// - Throws: `environment` for a receipt of an unknown type.
    var environment: Environment {
        get throws(ReceiptRejection) {
            switch type {
            case "Production", "ProductionVPP": .production
            case "ProductionSandbox", "ProductionVPPSandbox": .sandbox
            case "Xcode": .xcode
            default: throw ReceiptRejection(.environment, "neither Production nor Sandbox")
            }
        }
    }
}

extension [UInt8] {
    /// The octets without the octet string that some receipts have inside the octet string.
    fileprivate var unwrapped: [UInt8] {
        get throws {
            guard first == 0x04 else { return self }
            return Array(try ASN1OctetString(berEncoded: self).bytes)
        }
    }
}

/// Malformed input. Without details, since the position of the wrong octet would help nobody.
struct AppReceiptError: Error {}
