import Basics
import Crypto
import Foundation
import InAppPurchase

/// The keys that this simulator issued, one for each app, in the key/value store.
struct APIKeys: Sendable {
    private static let keyIDLength = 10

    let store: any KeyValueStore

    /// The app's key, created at first use.
    func establish(for app: BundleID) async throws -> APIKey {
        if let key = try await key(of: app) { return key }
        let issuer = try await store.establish(Data(UUID().text.utf8), forKey: "simulator/keys/issuer")
        let made = APIKey(
            issuerID: String(decoding: issuer, as: UTF8.self),
            keyID: String(UUID().uuidString.replacing("-", with: "").prefix(Self.keyIDLength)),
            privateKey: P256.Signing.PrivateKey().pemRepresentation)
        let standing = try await store.establish(JSONEncoder().encode(made), forKey: Self.storeKey(app))
        return try JSONDecoder().decode(APIKey.self, from: standing)
    }

    /// The app's key; `nil` if it was not created yet.
    func key(of app: BundleID) async throws -> APIKey? {
        try await store.value(forKey: Self.storeKey(app)).map { try JSONDecoder().decode(APIKey.self, from: $0) }
    }

    private static func storeKey(_ app: BundleID) -> String {
        "simulator/keys/api/\(AppPlace(app: app, environment: .production).key)"
    }
}

/// An app's credentials for the App Store Server API: an In-App Purchase key, as App Store Connect issues it.
package struct APIKey: Hashable, Codable, Sendable {
    /// The issuer ID, a UUID; the same for all apps.
    package var issuerID: String
    /// The key ID: ten characters.
    package var keyID: String
    /// The private key in PEM (PKCS#8, P-256): the text of a `.p8` file.
    package var privateKey: String
}
