import Basics
import Crypto
import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

@Suite struct ServerAPIKeyTests {
    private let key: AppStoreServerKey
    private let publicKey: P256.Signing.PublicKey

    init() throws {
        let privateKey = P256.Signing.PrivateKey()
        key = try Self.key(pem: privateKey.pemRepresentation)
        publicKey = privateKey.publicKey
    }

    private static func key(
        issuer: String = AppStoreServerKey.issuer, keyID: String = "2X9R4HXF34",
        bundleID: BundleID = "com.example.hangman", pem: String
    ) throws -> AppStoreServerKey {
        try AppStoreServerKey(issuerID: issuer, keyID: keyID, bundleID: bundleID, pem: pem)
    }

    // MARK: the key

    @Test func `A key is described without its secret`() {
        for text in ["\(key)", String(reflecting: key), String(describing: key)] {
            #expect(text == "key 2X9R4HXF34 of com.example.hangman")
        }
    }

    @Test func `The lines of a private key may end as on any system`() throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        for pem in [pem + "\n", pem.replacing("\n", with: "\r\n")] {
            #expect(throws: Never.self) { try Self.key(pem: pem) }
        }
    }

    @Test func `A text that is no private key, or too large, is refused`() {
        let good = P256.Signing.PrivateKey()
        let bad = [
            "", "key", good.publicKey.pemRepresentation, P384.Signing.PrivateKey().pemRepresentation,
            good.pemRepresentation.replacing("M", with: "N"), good.rawRepresentation.base64EncodedString(),
        ]
        for pem in bad {
            let error = #expect(throws: AppStoreServerKey.KeyError.self) { try Self.key(pem: pem) }
            #expect(error?.description.hasPrefix("the private key is no P-256") == true)
        }
        let long = good.pemRepresentation + String(repeating: "\n", count: AppStoreServerKey.maximumPEMSize)
        let error = #expect(throws: AppStoreServerKey.KeyError.self) { try Self.key(pem: long) }
        #expect(error?.description == "the private key is too large")
    }

    @Test(arguments: ["", " ", "2X9R4HXF34\n", "☂", "a b"])
    func `Wrong IDs of a key are refused by name`(_ text: String) {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        for (name, make) in [
            ("issuer ID", { try Self.key(issuer: text, pem: pem) }),
            ("key ID", { try Self.key(keyID: text, pem: pem) }),
            ("bundle ID", { try Self.key(bundleID: BundleID(stored: text), pem: pem) }),
        ] as [(String, () throws -> AppStoreServerKey)] {
            let error = #expect(throws: AppStoreServerKey.KeyError.self) { try make() }
            #expect(error?.description.hasPrefix("the \(name) ") == true)
        }
    }

    // MARK: the token

    @Test func `A token has the header, claims and signature that Apple documents`() throws {
        let token = try ServerToken(key, at: .t0 + 0.9).text
        let parts = token.split(separator: ".")
        try #require(parts.count == 3)
        let json = try parts.prefix(2).map {
            String(decoding: try #require(Data(base64URL: Array($0.utf8))), as: UTF8.self)
        }
        #expect(
            json == [
                #"{"alg":"ES256","kid":"2X9R4HXF34","typ":"JWT"}"#,
                #"{"aud":"appstoreconnect-v1","bid":"com.example.hangman","exp":1795210920,"iat":1795210620,"#
                    + #""iss":"57246542-96fe-1a63-e053-0824d011072a"}"#,
            ])
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: try #require(Data(base64URL: Array(parts[2].utf8))))
        #expect(publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test(arguments: [(0, true), (239, true), (239.9, true), (240, false), (300, false), (-1, false)])
    func `A token is used again until it is four minutes old`(_ later: TimeInterval, _ isSame: Bool) throws {
        let tokens = ServerTokens()
        let first = try tokens.token(for: key, at: .t0)
        #expect(try (tokens.token(for: key, at: .t0 + later) == first) == isSame)
    }

    @Test func `Each app has tokens of its own, of which the last is kept`() throws {
        let tokens = ServerTokens()
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let others = [
            key, try Self.key(bundleID: "com.example.other", pem: pem), try Self.key(pem: pem),
            try Self.key(keyID: "OTHER", pem: pem), try Self.key(issuer: "other", pem: pem),
        ]
        let first = try others.map { try tokens.token(for: $0, at: .t0) }
        #expect(Set(first).count == others.count)
        // The last one of each app is kept.
        #expect(try tokens.token(for: others[4], at: .t0) == first[4])
        #expect(try tokens.token(for: others[1], at: .t0) == first[1])
        tokens.discard(for: others[4])
        #expect(try tokens.token(for: others[4], at: .t0) != first[4])
    }

    @Test func `An impossible date gives no token`() {
        #expect(throws: (any Error).self) { try ServerToken(key, at: Date(timeIntervalSince1970: 1e300)) }
    }
}

extension AppStoreServerKey {
    static let issuer = "57246542-96fe-1a63-e053-0824d011072a"
}
