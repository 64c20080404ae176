import Basics
import Crypto
package import Foundation
package import InAppPurchase

/// A JWS as a client takes it apart, whose signature is valid by one of the keys at `/v1/keys`.
package struct SignedMessage {
    package var header: JSONValue
    package var payload: Data

    package var members: JSONValue { (try? JSONDecoder().decode(JSONValue.self, from: payload)) ?? .null }

    package var sha256: String { Data(SHA256.hash(data: payload)).hex }

    /// The payload; nil if no manifest key signed it.
    package init?(_ text: String?, keys: JSONValue) {
        let parts = (text ?? "").split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Data(base64URL: parts[0]), let payload = Data(base64URL: parts[1]),
            let signature = Data(base64URL: parts[2]),
            let head = try? JSONDecoder().decode(JSONValue.self, from: header),
            let key = keys["keys"].array.first(where: { $0["kid"] == head["kid"] && $0["purpose"] == "manifests" }),
            let bytes = Data(base64URL: Substring(key["x"].text ?? "")),
            let verifying = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes),
            verifying.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
        else { return nil }
        self.header = head
        self.payload = payload
    }
}

extension Data {
    fileprivate init?(base64URL text: Substring) {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }
}
