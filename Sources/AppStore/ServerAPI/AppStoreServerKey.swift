import Basics
public import Crypto
import Foundation
public import InAppPurchase
import StrictJSON

/// An app's credentials for the App Store Server API: an In-App Purchase key from App Store Connect.
///
/// Its description does not contain the private key.
///
/// Source: Apple, "Creating API keys to authorize API requests".
public struct AppStoreServerKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The maximum size of the PEM text in bytes; a `.p8` file has about 260.
    public static let maximumPEMSize = 16 << 10

    /// An error in a key, described without any part of the key.
    public struct KeyError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The reason, for the operator.
        public let description: String
    }

    /// The issuer ID of the team, a UUID, shown above the keys in App Store Connect.
    public let issuerID: String
    /// The ID of the key: 10 characters, part of the file's name.
    public let keyID: String
    /// The app that the key is used for (`bid` in the token).
    public let bundleID: BundleID
    let privateKey: P256.Signing.PrivateKey

    /// Creates a key from the text of a `.p8` file.
    ///
    /// - Parameter pem: a P-256 private key in PEM (RFC 5958, RFC 7468).
    /// - Throws: ``KeyError`` if it cannot be a key; whether the App Store accepts it, only a request tells.
    public init(issuerID: String, keyID: String, bundleID: BundleID, pem: String) throws(KeyError) {
        guard pem.utf8.count <= Self.maximumPEMSize else { throw KeyError(description: "the private key is too large") }
        let privateKey: P256.Signing.PrivateKey
        do {
            privateKey = try P256.Signing.PrivateKey(pemRepresentation: pem)
        } catch {
            throw KeyError(description: "the private key is no P-256 private key in PEM, as a .p8 file has it")
        }
        try self.init(issuerID: issuerID, keyID: keyID, bundleID: bundleID, privateKey: privateKey)
    }

    /// Creates a key.
    ///
    /// - Throws: ``KeyError`` if an ID is empty, or has spaces or characters other than printable ASCII.
    public init(
        issuerID: String, keyID: String, bundleID: BundleID, privateKey: P256.Signing.PrivateKey
    ) throws(KeyError) {
        for (name, value) in [("issuer ID", issuerID), ("key ID", keyID), ("bundle ID", bundleID.text)] {
            guard !value.isEmpty else { throw KeyError(description: "the \(name) is empty") }
            // A line break that was copied along would be in every token, and the App Store's only response is 401.
            guard value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw KeyError(description: "the \(name) has spaces or other characters that it cannot have")
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

extension AppStoreServerKey {
    private struct Header: Encodable {
        var alg = "ES256"
        var kid: String
        var typ = "JWT"
    }

    /// A JWS in compact serialization that Apple accepts of this key (ES256; RFC 7515, RFC 7518 §3.4).
    ///
    /// - Throws: if there is no randomness for the signature.
    func jws(_ claims: some Encodable) throws -> String {
        let signed = try [JSONEncoder.canonical.encode(Header(kid: keyID)), JSONEncoder.canonical.encode(claims)]
            .map(\.base64URL).joined(separator: ".")
        // r and s, 32 bytes each.
        let signature = try privateKey.signature(for: Data(signed.utf8)).rawRepresentation
        return "\(signed).\(signature.base64URL)"
    }
}
