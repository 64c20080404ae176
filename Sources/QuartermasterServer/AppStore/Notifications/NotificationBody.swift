package import Basics
package import Foundation

/// The body of a notification. Only the member that tells its version is decoded before the signature, or the secret,
/// is verified.
package struct NotificationBody: Sendable {
    /// The JWS of a version 2 notification; `nil` for version 1.
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
