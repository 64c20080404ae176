import Crypto
import Foundation
import InAppPurchase
import Testing

@testable import AppStore

/// JOSE headers that mislead (F75 algorithm confusion; RFC 8725 §2.1, §2.4, §3.1).
enum HostileHeaders {
    static let algorithms: [SignedCase] = [
        "none", "None", "NONE", "nOnE", "HS256", "HS384", "HS512", "RS256", "PS256", "ES384", "ES512", "ES256K",
        "EdDSA", "es256", "Es256", "ES256 ", " ES256", "ES256\u{0}", "ＥＳ256", "",
    ].map { name in
        SignedCase("alg is \"\(name)\"", .signature) {
            try $0.jws(hints, header: $0.header.with(["alg": .string(name)]))
        }
    }

    static let unreadable: [SignedCase] = [
        ("alg missing", ["alg": nil]), ("alg null", ["alg": .null]), ("alg a number", ["alg": 256]),
        ("alg true", ["alg": true]), ("alg an array", ["alg": ["ES256"]]), ("alg an object", ["alg": ["ES256": true]]),
        ("crit names an extension", ["crit": ["exp"]]), ("crit names b64", ["crit": ["b64"], "b64": false]),
        ("crit empty", ["crit": []]), ("crit a string", ["crit": "b64"]), ("crit of numbers", ["crit": [1]]),
        ("crit null", ["crit": .null]), ("b64 without crit", ["b64": false]), ("b64 true", ["b64": true]),
        ("kid a number", ["kid": 1]), ("kid null", ["kid": .null]), ("kid an array", ["kid": ["1"]]),
        ("x5c missing", ["x5c": nil]), ("x5c null", ["x5c": .null]), ("x5c a string", ["x5c": "MIIB"]),
        ("x5c an object", ["x5c": ["0": "MIIB"]]), ("x5c of numbers", ["x5c": [1, 2, 3]]),
        ("x5c of arrays", ["x5c": [["MIIB"], ["MIIB"], ["MIIB"]]]), ("x5c of nulls", ["x5c": [.null, .null, .null]]),
    ].map { name, change in
        SignedCase(name, .malformed) { try $0.jws(hints, header: $0.header.with(change as [String: JSONValue?])) }
    }

    /// Members of a header other than the certificates count for nothing.
    static let ignored: [SignedCase] = [
        ("kid", ["kid": "Apple_Xcode_Key"]), ("jku", ["jku": "https://evil.example/keys"]),
        ("x5u", ["x5u": "https://evil.example/chain.pem"]), ("x5t", ["x5t": "AAAA"]), ("typ", ["typ": "JWT"]),
        ("cty", ["cty": "JWT"]), ("zip", ["zip": "DEF"]), ("ALG beside alg", ["ALG": "none"]),
    ].map { name, change in
        SignedCase("\(name) is ignored", nil) {
            try $0.jws(hints, header: $0.header.with(change as [String: JSONValue?]))
        }
    }

    static let keys: [SignedCase] = [
        SignedCase("HS256 with the public key in DER", .signature) {
            try hmac($0, SymmetricKey(data: $0.leafKey.publicKey.derRepresentation))
        },
        SignedCase("HS256 with the public key in PEM", .signature) {
            try hmac($0, SymmetricKey(data: Data($0.leafKey.publicKey.pemRepresentation.utf8)))
        },
        SignedCase("HS256 with the public point", .signature) {
            try hmac($0, SymmetricKey(data: $0.leafKey.publicKey.x963Representation))
        },
        SignedCase("HS256 with an empty key", .signature) { try hmac($0, SymmetricKey(data: Data())) },
        SignedCase("HMAC under the name ES256", .signature) {
            try hmac($0, SymmetricKey(data: $0.leafKey.publicKey.derRepresentation), name: "ES256")
        },
        SignedCase("none, and no signature", .malformed) {
            let jws = try $0.jws(hints, header: $0.header.with(["alg": "none"]))
            return jws.split(separator: ".").prefix(2).joined(separator: ".") + "."
        },
        SignedCase("jwk of the forger", .signature) {
            let key = P256.Signing.PrivateKey()
            let point = key.publicKey.rawRepresentation
            let jwk: JSONValue = [
                "kty": "EC", "crv": "P-256", "x": .string(point.prefix(32).base64URL),
                "y": .string(point.suffix(32).base64URL),
            ]
            return try $0.jws(hints, header: $0.header.with(["jwk": jwk]), key: key)
        },
        SignedCase("signed by a key of nobody", .signature) { try $0.jws(hints, key: P256.Signing.PrivateKey()) },
    ]

    static let texts: [SignedCase] = [
        SignedCase("an array", .malformed) { try $0.jws(rawHeader: "[\"ES256\"]", rawPayload: text(hints)) },
        SignedCase("a string", .malformed) { try $0.jws(rawHeader: "\"ES256\"", rawPayload: text(hints)) },
        SignedCase("null", .malformed) { try $0.jws(rawHeader: "null", rawPayload: text(hints)) },
        SignedCase("an empty object", .malformed) { try $0.jws(rawHeader: "{}", rawPayload: text(hints)) },
        SignedCase("no JSON", .malformed) { try $0.jws(rawHeader: "alg=ES256", rawPayload: text(hints)) },
        SignedCase("cut short", .malformed) { try $0.jws(rawHeader: $0.header.open, rawPayload: text(hints)) },
        SignedCase("a byte after it", .malformed) {
            try $0.jws(rawHeader: text($0.header) + "x", rawPayload: text(hints))
        },
        SignedCase("two objects", .malformed) {
            try $0.jws(rawHeader: text($0.header) + text($0.header), rawPayload: text(hints))
        },
        SignedCase("a comment", .malformed) {
            try $0.jws(rawHeader: "/* */" + text($0.header), rawPayload: text(hints))
        },
        SignedCase("a zero byte", .malformed) {
            try $0.jws(rawHeader: text($0.header) + "\u{0}", rawPayload: text(hints))
        },
        SignedCase("1,000 arrays deep", .malformed) {
            let deep = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
            return try $0.jws(rawHeader: $0.header.open + ",\"a\":\(deep)}", rawPayload: text(hints))
        },
        SignedCase("whitespace around it", nil) {
            try $0.jws(rawHeader: " \n" + text($0.header) + "\r\n\t", rawPayload: text(hints))
        },
        // Of two members of one name, some parsers use the first and others the last.
        SignedCase("alg twice, the first none", .malformed) {
            try $0.jws(rawHeader: "{\"alg\":\"none\",\"alg\":\"ES256\",\"x5c\":\($0.x5cText)}", rawPayload: text(hints))
        },
        SignedCase("alg twice, the second none", .malformed) {
            try $0.jws(rawHeader: "{\"alg\":\"ES256\",\"alg\":\"none\",\"x5c\":\($0.x5cText)}", rawPayload: text(hints))
        },
        SignedCase("x5c twice, the first empty", .malformed) {
            try $0.jws(rawHeader: "{\"alg\":\"ES256\",\"x5c\":[],\"x5c\":\($0.x5cText)}", rawPayload: text(hints))
        },
        SignedCase("a member twice that is not read", .malformed) {
            try $0.jws(rawHeader: $0.header.open + ",\"x\":1,\"x\":1}", rawPayload: text(hints))
        },
        SignedCase("a comma too many", .malformed) {
            try $0.jws(rawHeader: $0.header.open + ",}", rawPayload: text(hints))
        },
        SignedCase("no UTF-8 in what is not read", .malformed) {
            let header = try Data($0.header.open.utf8) + Data(",\"x\":\"".utf8) + [0xFF] + Data("\"}".utf8)
            return try $0.jws(headerBytes: header, payloadBytes: hints.data)
        },
        SignedCase("alg in escapes", nil) {
            try $0.jws(rawHeader: "{\"\\u0061lg\":\"\\u0045S256\",\"x5c\":\($0.x5cText)}", rawPayload: text(hints))
        },
    ]

    static func text(_ value: JSONValue) throws -> String { String(decoding: try value.data, as: UTF8.self) }

    private static func hmac(_ authority: SigningAuthority, _ key: SymmetricKey, name: String = "HS256") throws
        -> String
    {
        let header = try authority.header.with(["alg": .string(name)])
        let signed = try [header, hints].map { try $0.data.base64URL }.joined(separator: ".")
        return "\(signed).\(Data(HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)).base64URL)"
    }
}

@Suite struct HostileHeaderTests {
    @Test(
        arguments: HostileHeaders.algorithms + HostileHeaders.unreadable + HostileHeaders.ignored + HostileHeaders.keys
            + HostileHeaders.texts)
    func `Misleading headers are refused, or ignored`(_ hostile: SignedCase) async throws { try await hostile.expect() }
}
