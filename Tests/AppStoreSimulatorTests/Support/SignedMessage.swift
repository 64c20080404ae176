import Crypto
import Foundation
import InAppPurchase
import SwiftASN1
import Testing
import X509

/// A JWS of the store, taken apart.
struct SignedMessage {
    var headerText: String
    var header: JSONValue
    var payload: JSONValue
    var certificates: [Certificate]
    var isSignatureValid: Bool

    init(_ value: JSONValue) throws {
        let parts = value.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 3)
        let bytes = try parts.map { try #require(Data(base64URLEncoded: $0)) }
        headerText = String(decoding: bytes[0], as: UTF8.self)
        header = try JSONDecoder().decode(JSONValue.self, from: bytes[0])
        payload = try JSONDecoder().decode(JSONValue.self, from: bytes[1])
        certificates = try header["x5c"].elements.map {
            try Certificate(derEncoded: [UInt8](#require(Data(base64Encoded: $0.text))))
        }
        let signer = try #require(certificates.first).publicKey
        let leaf = try #require(P256.Signing.PublicKey(signer))
        isSignatureValid = leaf.isValidSignature(
            try P256.Signing.ECDSASignature(rawRepresentation: bytes[2]), for: Data("\(parts[0]).\(parts[1])".utf8))
    }

    /// Only the payload.
    static func payload(_ value: JSONValue) throws -> JSONValue { try SignedMessage(value).payload }
}

extension Data {
    fileprivate init?(base64URLEncoded text: String) {
        guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    }
}
