import AppStore
package import Basics
package import Foundation

/// The body of a notification. What it is tells its one member that counts; the rest is not decoded before the signature,
/// or the secret, was checked.
package struct NotificationBody: Sendable {
    /// Nil if it is of version 1.
    var signedPayload: String?
    let json: StrictJSON

    /// Scans the body once.
    ///
    /// - Throws: `JSONError`
    package init(_ bytes: Data) throws(JSONError) {
        json = try StrictJSON(bytes, BodyLimits.notification.json, tolerance: .byteOrderMark)
        signedPayload = json.root["signedPayload"]?.string
    }
}
