public import Crypto
public import InAppPurchase

/// What an app shows the App Store Server API: an In-App Purchase key from App Store Connect.
///
/// It describes itself without the private key.
///
/// Source: Apple, "Creating API keys to authorize API requests".
public struct AppStoreServerKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// A `.p8` file has about 260 bytes.
    public static let maximumPEMSize = 16 << 10

    /// What is wrong with a key, in words that hold nothing of it.
    public struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// Of the team, a UUID; App Store Connect shows it above the keys.
    public let issuerID: String
    /// 10 characters; part of the name of the file.
    public let keyID: String
    public let bundleID: BundleID
    let privateKey: P256.Signing.PrivateKey

    /// - Parameter pem: the text of the `.p8` file: a P-256 private key in PEM (RFC 5958, RFC 7468).
    /// - Throws: ``Invalid`` for what cannot be a key; whether the store knows it, only a request tells.
    public init(issuerID: String, keyID: String, bundleID: BundleID, pem: String) throws(Invalid) {
        guard pem.utf8.count <= Self.maximumPEMSize else { throw Invalid(description: "the private key is too large") }
        let privateKey: P256.Signing.PrivateKey
        do {
            privateKey = try P256.Signing.PrivateKey(pemRepresentation: pem)
        } catch {
            throw Invalid(description: "the private key is no P-256 private key in PEM, as a .p8 file has it")
        }
        try self.init(issuerID: issuerID, keyID: keyID, bundleID: bundleID, privateKey: privateKey)
    }

    /// - Throws: ``Invalid`` where one of the names is empty, or has characters that no such name has.
    public init(
        issuerID: String, keyID: String, bundleID: BundleID, privateKey: P256.Signing.PrivateKey
    ) throws(Invalid) {
        for (name, value) in [("issuer ID", issuerID), ("key ID", keyID), ("bundle ID", bundleID)] {
            guard !value.isEmpty else { throw Invalid(description: "the \(name) is empty") }
            // A line's end that came with a copy would be in every token, and the store says nothing but 401.
            guard value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Invalid(description: "the \(name) has spaces or other characters that it cannot have")
            }
        }
        self.issuerID = issuerID
        self.keyID = keyID
        self.bundleID = bundleID
        self.privateKey = privateKey
    }

    public var description: String { "key \(keyID) of \(bundleID)" }
    public var debugDescription: String { description }
}
