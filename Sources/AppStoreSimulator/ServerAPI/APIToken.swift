import Foundation
import InAppPurchase

/// The bearer token of a call to the Server API: a JWT that the app's server signed (Apple, "Generating JSON Web Tokens
/// for API requests").
struct APIToken {
    private struct Claims: Decodable {
        var iss: String
        /// Apple requires it, but accepts tokens of its own libraries, which leave it out.
        var iat: Double?
        var exp: Double
        var aud: String
        var bid: String
    }

    /// The maximum lifetime in seconds; Apple refuses tokens that live longer.
    static let maximumLifetime = 3_600.0

    private var signed: SignedClaims<Claims>

    /// Decodes the token; `nil` if it is not such a token.
    ///
    /// - Parameter authorization: the value of the header.
    init?(authorization: String?) {
        guard let words = authorization?.split(separator: " "), words.count == 2, let text = words.last,
            words.first?.lowercased() == "bearer", let signed = SignedClaims<Claims>(String(text))
        else { return nil }
        self.signed = signed
    }

    /// The app that the token is for (`bid`).
    var app: BundleID { BundleID(stored: signed.claims.bid) }

    /// Whether `key` signed it, and it is valid at `date`.
    func isValid(for key: APIKey, at date: Date) -> Bool {
        let (claims, now) = (signed.claims, date.timeIntervalSince1970)
        guard claims.iss == key.issuerID, claims.aud == "appstoreconnect-v1",
            claims.iat ?? now <= now + SignedClaimsLimits.leeway, claims.exp > now,
            claims.exp - (claims.iat ?? now) <= Self.maximumLifetime
        else { return false }
        return signed.isSigned(by: key)
    }
}
