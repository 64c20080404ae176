import Basics
import Crypto
import Foundation
public import InAppPurchase
package import StrictJSON

/// An App Store Server Notification, version 1 (deprecated in 2023): unsigned JSON.
///
/// A secret shared with the App Store authenticates the sender, but no statement in it is trusted: the receipt in it is
/// to be verified like any other. The notification only indicates that there is something new.
public struct LegacyNotification: Hashable, Sendable {
    /// The maximum size in bytes: the receipt in it has at most ``InAppPurchase/Receipt/maximumSize``, and its latest
    /// 100 transactions come on top.
    public static let maximumSize = Receipt.maximumSize + (1 << 20)

    /// `v1-` and the SHA-256 of the body in lower-case hexadecimal: the same for every attempt to send it.
    public var id: String
    /// Apple's `notification_type`; may be a value that this version does not know.
    public var type: String
    /// Apple's `bid`: the app's bundle ID.
    public var app: BundleID
    /// Production or Sandbox; any other is rejected.
    public var environment: Environment
    /// An app receipt or transaction receipt in base64, not verified; `nil` if the notification has none.
    public var latestReceipt: String?

    /// Reads the scanned body of a notification.
    ///
    /// - Parameters:
    ///   - json: the body as received, at most ``maximumSize`` bytes.
    ///   - secret: the app's shared secret; `nil` if it has none, and then all its notifications are rejected.
    /// - Throws: `malformed`; `signature` if the password is not the app's secret; `environment`.
    package init(json: StrictJSON, secret: (BundleID) -> String?) throws(ReceiptRejection) {
        guard json.bytes.count <= Self.maximumSize else { throw Self.malformed }
        let content = Content(json.root)
        guard let type = content.top.text("notification_type"),
            let app = content.top.text("bid").map(BundleID.init(stored:))
        else { throw Self.malformed }
        guard let secret = secret(app), !secret.isEmpty,
            // Digests are compared in constant time, and do not reveal the length either.
            SHA256.hash(data: Data((content.top.text("password") ?? "").utf8)) == SHA256.hash(data: Data(secret.utf8))
        else { throw ReceiptRejection(.signature, "not the app's shared secret") }
        self.type = type
        self.app = app
        id = "v1-" + Data(SHA256.hash(data: json.bytes)).hex
        environment = try content.environment
        latestReceipt = content.latestReceipt
    }

    private static let malformed = ReceiptRejection(.malformed, "no notification")

    /// The members, scalars of any type as in responses of verifyReceipt.
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

        /// The receipt. Before `unified_receipt` was introduced (2019) it was at the top level, in the iOS 6 style.
        var latestReceipt: String? {
            unified.text("latest_receipt") ?? top.text("latest_receipt") ?? top.text("latest_expired_receipt")
        }
    }
}
