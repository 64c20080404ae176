import Basics
import Crypto
import Foundation
import InAppPurchase

/// The JWT that authorizes requests (RFC 7519; Apple, "Generating JSON Web Tokens for API requests").
struct ServerToken: Sendable {
    /// The lifetime in seconds. Apple allows 60 minutes; a stolen token is of little use after five.
    static let lifetime = 300
    /// The part of the lifetime, in seconds, that is left for slow requests and clocks that differ.
    static let reserve = 60

    private struct Claims: Encodable {
        var iss: String
        var iat: Int
        var exp: Int
        var aud = "appstoreconnect-v1"
        var bid: BundleID
    }

    var text: String
    private var issuedAt: Date
    private var key: [String]

    /// - Throws: if the date is out of range, or there is no randomness for the signature.
    init(_ key: AppStoreServerKey, at now: Date) throws {
        guard let seconds = Int(exactly: now.timeIntervalSince1970.rounded(.down)) else { throw AppReceiptError() }
        let claims = Claims(
            iss: key.issuerID, iat: seconds, exp: seconds.saturatingAdding(Self.lifetime), bid: key.bundleID)
        text = try key.jws(claims)
        issuedAt = now
        self.key = Self.identity(of: key)
    }

    private static func identity(of key: AppStoreServerKey) -> [String] {
        [key.issuerID, key.keyID, key.bundleID.text, key.privateKey.publicKey.rawRepresentation.base64URL]
    }

    func serves(_ key: AppStoreServerKey, at now: Date) -> Bool {
        let age = now.timeIntervalSince(issuedAt)
        return age >= 0 && age < Double(Self.lifetime - Self.reserve) && self.key == Self.identity(of: key)
    }
}
