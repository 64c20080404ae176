import Crypto
import Foundation
import InAppPurchase
import Testing
import X509

@testable import AppStore

/// Certificates that do not sign for the store (F70, F74, F81).
enum HostileChains {
    /// With these of the authority's certificates: leaf, intermediate, root.
    private static func ordered(_ name: String, _ reason: ReceiptRejection.Reason?, _ order: [Int]) -> SignedCase {
        SignedCase(name, reason) { authority in
            let x5c = try authority.x5c
            return try authority.jws(
                hints, header: authority.header.with(["x5c": .array(order.map { .string(x5c[$0]) })]))
        }
    }

    private static func texts(
        _ name: String, _ reason: ReceiptRejection.Reason?, _ change: @escaping @Sendable ([String]) -> [String]
    ) -> SignedCase {
        SignedCase(name, reason) {
            let x5c = change(try $0.x5c).map(JSONValue.string)
            return try $0.jws(hints, header: $0.header.with(["x5c": .array(x5c)]))
        }
    }

    static let orders: [SignedCase] = [
        ordered("no certificate", .chain, []), ordered("the leaf alone", .chain, [0]),
        ordered("the root alone", .chain, [2]), ordered("two certificates", .chain, [0, 1]),
        ordered("four certificates", .chain, [0, 1, 2, 2]), ordered("five certificates", .chain, [0, 1, 1, 2, 2]),
        ordered("reversed", .chain, [2, 1, 0]), ordered("intermediate first", .chain, [1, 0, 2]),
        ordered("no intermediate", .chain, [0, 2, 2]), ordered("the leaf thrice", .chain, [0, 0, 0]),
        ordered("the root thrice", .chain, [2, 2, 2]), ordered("the intermediate as leaf", .chain, [1, 1, 2]),
        ordered("the leaf for a root", nil, [0, 1, 0]), ordered("as it is", nil, [0, 1, 2]),
    ]

    static let bytes: [SignedCase] = [
        texts("the third empty", nil) { [$0[0], $0[1], ""] },
        texts("the third no base64", nil) { [$0[0], $0[1], "☂"] },
        texts("a foreign root in the third", nil) {
            [$0[0], $0[1], (try? SigningAuthority().root.der.base64EncodedString()) ?? ""]
        },
        texts("base64url", .malformed) { $0.map { $0.replacing("+", with: "-").replacing("/", with: "_") + "-_" } },
        texts("line breaks", .malformed) { $0.map { "\($0.prefix(64))\n\($0.dropFirst(64))" } },
        texts("a space", .malformed) { $0.map { " " + $0 } },
        texts("PEM", .malformed) {
            $0.map { "-----BEGIN CERTIFICATE-----\n\($0)\n-----END CERTIFICATE-----" }
        },
        texts("padding too much", .malformed) { $0.map { $0 + "====" } },
        texts("a byte after the leaf", .malformed) { [appended($0[0]), $0[1], $0[2]] },
        texts("a byte after the intermediate", .malformed) { [$0[0], appended($0[1]), $0[2]] },
        texts("a leaf cut short", .malformed) { [cut($0[0]), $0[1], $0[2]] },
        texts("an empty leaf", .malformed) { ["", $0[1], $0[2]] },
        texts("a leaf of zeros", .malformed) { ["AAAA", $0[1], $0[2]] },
        texts("an empty SEQUENCE for a leaf", .malformed) { ["MAA=", $0[1], $0[2]] },
        texts("nested SEQUENCEs for a leaf", .malformed) {
            [Data((0..<2000).flatMap { _ in [0x30, 0x80] as [UInt8] }).base64EncodedString(), $0[1], $0[2]]
        },
        texts("a leaf changed in its signature", .chain) { [flipped($0[0]), $0[1], $0[2]] },
        texts("an intermediate changed in its signature", .chain) { [$0[0], flipped($0[1]), $0[2]] },
    ]

    private static func appended(_ base64: String) -> String {
        ((Data(base64Encoded: base64) ?? Data()) + [0]).base64EncodedString()
    }

    private static func cut(_ base64: String) -> String {
        (Data(base64Encoded: base64) ?? Data()).dropLast().base64EncodedString()
    }

    /// The last byte is part of the signature.
    private static func flipped(_ base64: String) -> String {
        var der = Data(base64Encoded: base64) ?? Data()
        if let last = der.popLast() { der.append(last ^ 1) }
        return der.base64EncodedString()
    }

    static let strangers: [SignedCase] = [
        SignedCase("another authority throughout", .chain) { _ in try SigningAuthority().jws(hints) },
        SignedCase("another authority, our root in the third", .chain) { ours in
            let other = try SigningAuthority()
            let x5c = try other.x5c.prefix(2) + [ours.root.der.base64EncodedString()]
            return try other.jws(hints, header: other.header.with(["x5c": .array(x5c.map(JSONValue.string))]))
        },
        SignedCase("another's leaf, our intermediate", .chain) { ours in
            let other = try SigningAuthority()
            let x5c = [try other.x5c[0], try ours.x5c[1], try ours.x5c[2]]
            return try other.jws(hints, header: other.header.with(["x5c": .array(x5c.map(JSONValue.string))]))
        },
        SignedCase("our leaf, another's intermediate", .chain) { ours in
            let other = try SigningAuthority()
            let x5c = [try ours.x5c[0], try other.x5c[1], try other.x5c[2]]
            return try ours.jws(hints, header: ours.header.with(["x5c": .array(x5c.map(JSONValue.string))]))
        },
        SignedCase("our certificates, another's key", .signature) {
            try $0.jws(hints, key: SigningAuthority().leafKey)
        },
        SignedCase("a leaf that issued a leaf", .chain) { ours in
            let key = P256.Signing.PrivateKey()
            let leaf = try Issuer(name: "Leaf", key: .init(ours.leafKey), algorithm: .ecdsaWithSHA256).certificate(
                "Evil", .init(key.publicKey), isAuthority: false, marker: AppStoreSigningPolicy.leafMarker,
                usage: KeyUsage(digitalSignature: true), notAfter: .t0 + 86_400)
            let x5c = try [leaf.der.base64EncodedString(), ours.x5c[0], ours.x5c[2]]
            return try ours.jws(hints, header: ours.header.with(["x5c": .array(x5c.map(JSONValue.string))]), key: key)
        },
        SignedCase("signed by itself", .chain) { ours in
            let key = P256.Signing.PrivateKey()
            let leaf = try Issuer(name: "Root", key: .init(key), algorithm: .ecdsaWithSHA256).certificate(
                "Root", .init(key.publicKey), isAuthority: true, marker: AppStoreSigningPolicy.leafMarker, usage: nil,
                notAfter: .t0 + 86_400)
            let x5c = try Array(repeating: JSONValue.string(leaf.der.base64EncodedString()), count: 3)
            return try ours.jws(hints, header: ours.header.with(["x5c": .array(x5c)]), key: key)
        },
    ]

    typealias Wished = (name: String, reason: ReceiptRejection.Reason?, options: SigningAuthority.Options)

    /// Authorities whose root is trusted, and which still do not sign for the store.
    static let options: [Wished] = [
        ("as wished", nil, .init()), ("a leaf without the marker", .chain, .init(leafMarker: false)),
        ("an intermediate without the marker", .chain, .init(intermediateMarker: false)),
        ("no markers", .chain, .init(leafMarker: false, intermediateMarker: false)),
        ("an intermediate that is no authority", .chain, .init(intermediateIsAuthority: false)),
        ("a leaf that is an authority", .chain, .init(leafIsAuthority: true)),
        ("a leaf for key agreement", .chain, .init(leafKeyUsage: KeyUsage(keyAgreement: true))),
        ("a leaf for certificates", .chain, .init(leafKeyUsage: KeyUsage(keyCertSign: true))),
        ("an intermediate for signatures", .chain, .init(intermediateKeyUsage: KeyUsage(digitalSignature: true))),
        ("an intermediate for revocation lists", .chain, .init(intermediateKeyUsage: KeyUsage(cRLSign: true))),
        (
            "a leaf for signatures and certificates", .chain,
            .init(leafKeyUsage: KeyUsage(digitalSignature: true, keyCertSign: true))
        ),
        ("a leaf without key usages", nil, .init(leafKeyUsage: nil)),
        ("an intermediate without key usages", nil, .init(intermediateKeyUsage: nil)),
        ("a root without key usages", nil, .init(rootKeyUsage: nil)),
        ("a leaf without key identifiers", nil, .init(leafIdentifiers: .missing)),
        ("a leaf with its issuer's name alone", .chain, .init(leafIdentifiers: .issuerAlone)),
        ("a leaf with another issuer's key identifier", .chain, .init(leafIdentifiers: .another)),
        ("a leaf with another issuer's number", .chain, .init(leafIdentifiers: .anotherNumber)),
        ("a leaf with another issuer's issuer", .chain, .init(leafIdentifiers: .anotherIssuer)),
        ("an intermediate without key identifiers", nil, .init(intermediateIdentifiers: .missing)),
        ("an intermediate with another key identifier", .chain, .init(intermediateIdentifiers: .another)),
        ("an intermediate whose constraints may be ignored", nil, .init(intermediateIsCritical: false)),
        ("a leaf on P-384", .chain, .init(leafPublicKey: .init(P384.Signing.PrivateKey().publicKey))),
        ("a leaf on P-521", .chain, .init(leafPublicKey: .init(P521.Signing.PrivateKey().publicKey))),
        ("a leaf of Ed25519", .chain, .init(leafPublicKey: .init(Curve25519.Signing.PrivateKey().publicKey))),
        (
            "a leaf with another key of P-256", .signature,
            .init(leafPublicKey: .init(P256.Signing.PrivateKey().publicKey))
        ),
        ("a leaf expired a second ago", .expiredCertificate, .init(leafNotAfter: .t0 - 1)),
        ("an intermediate expired a second ago", .expiredCertificate, .init(intermediateNotAfter: .t0 - 1)),
        ("both expired", .expiredCertificate, .init(leafNotAfter: .t0 - 9, intermediateNotAfter: .t0 - 9)),
        ("a leaf that expires now", nil, .init(leafNotAfter: .t0)),
    ]
}

@Suite struct HostileChainTests {
    @Test(arguments: HostileChains.orders + HostileChains.bytes + HostileChains.strangers)
    func `Forged certificate chains are refused`(_ hostile: SignedCase) async throws { try await hostile.expect() }

    @Test(arguments: HostileChains.options.indices)
    func `Certificates of the wrong kind are refused`(_ index: Int) async throws {
        let (name, reason, options) = HostileChains.options[index]
        let authority = try SigningAuthority(options)
        let verifier = try authority.verifier
        try await SignedCase(name, reason) { try $0.jws(hints) }.expect(
            { jws in _ = try await verifier.verify(jws, apps: hangman, at: .t0) },
            of: authority)
    }
}
