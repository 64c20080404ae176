import Basics
import Crypto
import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

/// The JWS that Apple documents for offers, with the claims of each kind and no others.
@Suite struct OfferSignatureTests {
    private let privateKey = P256.Signing.PrivateKey()
    private let nonce = UUID()
    private let now = Date(timeIntervalSince1970: 1_795_000_000.75)

    private func key() throws -> AppStoreServerKey {
        try AppStoreServerKey(
            issuerID: AppStoreServerKey.issuer, keyID: "2X9R4HXF34", bundleID: "com.example.hangman",
            pem: privateKey.pemRepresentation)
    }

    /// Checks the signature and the header, and returns the claims.
    private func claims(of signature: OfferSignature) throws -> JSONValue {
        let parts = signature.text.split(separator: ".").map(String.init)
        #expect(parts.count == 3)
        let decoded = try parts.map { try #require(Data(base64URL: $0.utf8)) }
        let isValid = try privateKey.publicKey.isValidSignature(
            P256.Signing.ECDSASignature(rawRepresentation: decoded[2]), for: Data("\(parts[0]).\(parts[1])".utf8))
        #expect(isValid)
        let header = try JSONDecoder().decode(JSONValue.self, from: decoded[0])
        #expect(header == .object(["alg": "ES256", "typ": "JWT", "kid": "2X9R4HXF34"]))
        return try JSONDecoder().decode(JSONValue.self, from: decoded[1])
    }

    private func claims(_ audience: String, _ more: [String: JSONValue]) -> JSONValue {
        .object(
            [
                "nonce": .string(nonce.uuidString.lowercased()), "iss": .string(AppStoreServerKey.issuer),
                "bid": "com.example.hangman", "aud": .string(audience), "iat": .integer(1_795_000_000),
                "productId": "club", "transactionId": "7",
            ].merging(more) { $1 })
    }

    @Test func `A promotional offer is signed with its documented claims`() throws {
        let signature = try OfferSignature(
            promotionalOffer: "back", of: "club", customerWith: "7", by: key(), nonce: nonce, at: now)
        let signed = try claims(of: signature)
        #expect(signed == claims("promotional-offer", ["offerIdentifier": "back"]))
    }

    @Test func `Eligibility for an introductory offer is signed with its documented claims`() throws {
        let signature = try OfferSignature(
            introductoryOfferOf: "club", customerWith: "7", by: key(), nonce: nonce, at: now)
        let signed = try claims(of: signature)
        #expect(signed == claims("introductory-offer-eligibility", ["allowIntroductoryOffer": .bool(true)]))
    }
}
