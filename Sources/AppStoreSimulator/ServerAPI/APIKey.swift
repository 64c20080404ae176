/// What an app's server calls the App Store Server API with: an In-App Purchase key, as App Store Connect gives it out.
package struct APIKey: Hashable, Codable, Sendable {
    /// A UUID; the same for all apps.
    package var issuerID: String
    /// Ten characters.
    package var keyID: String
    /// PEM (PKCS#8, P-256): the text of a `.p8` file.
    package var privateKey: String
}
