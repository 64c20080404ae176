import AppStore
import Foundation
import InAppPurchase
import StrictJSON

extension LegacyNotification {
    /// Scans and reads a body, as the server does.
    init(body: Data, secret: (BundleID) -> String?) throws(ReceiptRejection) {
        guard let json = try? StrictJSON(body, .notification, tolerance: .byteOrderMark) else {
            throw ReceiptRejection(.malformed, "no JSON")
        }
        try self.init(json: json, secret: secret)
    }
}
