package import Basics
import Crypto
import Foundation
public import InAppPurchase

/// An App Store Server Notification, version 1 (deprecated in 2023): JSON that nobody signed.
///
/// A secret shared with the store tells that it comes from there, and of what it says nothing is believed: the receipt
/// in it is to be verified like any other. It hints at something new, that is all.
public struct LegacyNotification: Hashable, Sendable {
    /// In bytes: the receipt in it has at most ``InAppPurchase/Receipt/maximumSize``, and beside it stand its latest
    /// 100 transactions.
    public static let maximumSize = Receipt.maximumSize + (1 << 20)

    /// `v1-` and the SHA-256 of the body in lower-case hexadecimal: the same for every delivery.
    public var id: String
    /// The store's word (`notification_type`).
    public var type: String
    public var app: BundleID
    public var environment: Environment
    /// An app receipt or transaction receipt in base64, not verified. Nil where the notification has none.
    public var latestReceipt: String?

    /// Reads a body that was scanned.
    ///
    /// - Parameters:
    ///   - json: the body as it came, at most ``maximumSize`` bytes.
    ///   - secret: the app's shared secret; nil if it has none, and then no notification of it is taken.
    /// - Throws: `malformed`; `signature` if the password is not the app's secret; `environment`.
    package init(json: StrictJSON, secret: (BundleID) -> String?) throws(ReceiptRejection) {
        guard json.bytes.count <= Self.maximumSize else { throw Self.malformed }
        let content = Content(json.root)
        guard let type = content.top.text("notification_type"), let app = content.top.text("bid") else {
            throw Self.malformed
        }
        guard let secret = secret(app), !secret.isEmpty,
            // Digests are compared in constant time, and do not tell the length either.
            SHA256.hash(data: Data((content.top.text("password") ?? "").utf8)) == SHA256.hash(data: Data(secret.utf8))
        else { throw ReceiptRejection(.signature, "not the app's shared secret") }
        self.type = type
        self.app = app
        id = "v1-" + Data(SHA256.hash(data: json.bytes)).hex
        environment = try content.environment
        latestReceipt = content.latestReceipt
    }

    private static let malformed = ReceiptRejection(.malformed, "no notification")

    /// Scalars of any type, as in answers of verifyReceipt.
    private struct Content {
        var top: VerifyReceiptEntry
        var unified: VerifyReceiptEntry

        init(_ root: JSONPart) {
            top = VerifyReceiptEntry(root)
            unified = VerifyReceiptEntry(root["unified_receipt"])
        }

        var environment: Environment {
            get throws(ReceiptRejection) {
                let name = top.text("environment") ?? unified.text("environment")
                return name == "PROD" ? .production : try Environment(signed: name)
            }
        }

        /// Before `unified_receipt` came (2019) the receipt stood at the top, in the iOS 6 style.
        var latestReceipt: String? {
            unified.text("latest_receipt") ?? top.text("latest_receipt") ?? top.text("latest_expired_receipt")
        }
    }
}
