/// An app's credentials for the App Store Server API: an In-App Purchase key, as App Store Connect issues it.
package struct APIKey: Hashable, Codable, Sendable {
    /// The issuer ID, a UUID; the same for all apps.
    package var issuerID: String
    /// The key ID: ten characters.
    package var keyID: String
    /// The private key in PEM (PKCS#8, P-256): the text of a `.p8` file.
    package var privateKey: String
}
