import Crypto
import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

@Suite struct SignedTransactionRefusalTests {
    let authority: SigningAuthority

    init() throws { authority = try SigningAuthority() }

    // MARK: the header

    @Test(arguments: ["none", "HS256", "es256", "RS256", "ES384", "ES256 ", ""])
    func `A transaction signed by another algorithm is refused`(_ algorithm: JSONValue) async throws {
        try await authority.expect(.signature, authority.jws(hints, header: authority.header.with(["alg": algorithm])))
    }

    @Test(arguments: [0, 1, 2, 4])
    func `A transaction with other than three certificates is refused`(_ count: Int) async throws {
        let x5c = try (authority.x5c + authority.x5c).prefix(count).map(JSONValue.string)
        try await authority.expect(.chain, authority.jws(hints, header: authority.header.with(["x5c": .array(x5c)])))
    }

    @Test(
        arguments: [
            ["alg": 256], ["alg": nil], ["alg": ["ES256"]], ["x5c": nil], ["x5c": "MIIB"], ["x5c": [1, 2, 3]],
            ["x5c": ["", "", ""]], ["x5c": ["AAAA", "AAAA", "AAAA"]], ["crit": ["b64"], "b64": false], ["crit": []],
        ] as [[String: JSONValue?]])
    func `A transaction with an unreadable header is refused`(_ members: [String: JSONValue?]) async throws {
        try await authority.expect(.malformed, authority.jws(hints, header: authority.header.with(members)))
    }

    @Test(arguments: ["\n", " ", "=", "-", "☂"])
    func `Certificates that are not exact base64 are refused`(_ suffix: String) async throws {
        let x5c = try authority.x5c.map { JSONValue.string($0 + suffix) }
        try await authority.expect(
            .malformed, authority.jws(hints, header: authority.header.with(["x5c": .array(x5c)])))
    }

    // MARK: the signature

    @Test func `A transaction signed by another key is refused`() async throws {
        try await authority.expect(.signature, authority.jws(hints, key: P256.Signing.PrivateKey()))
    }

    @Test func `A signature of another form is refused`() async throws {
        let jws = try authority.jws(hints)
        let signed = jws.prefix(upTo: try #require(jws.lastIndex(of: ".")))
        let inDER = try authority.leafKey.signature(for: Data(signed.utf8)).derRepresentation
        for signature in [inDER, Data(count: 64), Data(count: 63), Data(count: 65), Data(repeating: 0xFF, count: 64)] {
            try await authority.expect(.signature, "\(signed).\(signature.base64URL)")
        }
    }

    /// Certificates of a known signer, signature of a forger: the cache vouches for the chain and not for the message.
    @Test func `The known chain of a signer does not vouch for a forgery`() async throws {
        let verifier = try authority.verifier
        _ = try await verifier.verify(try authority.jws(hints), apps: hangman, at: .t0)
        let forged = try authority.jws(hints, key: P256.Signing.PrivateKey())
        await #expect(throws: ReceiptRejection(.signature)) {
            try await verifier.verify(forged, apps: hangman, at: .t0)
        }
    }

    // MARK: the payload

    @Test(
        arguments: [
            ["signedDate": 253_402_300_800_000], ["signedDate": -1], ["signedDate": nil], ["signedDate": "1"],
            ["signedDate": 1_795_210_620_000.5], ["signedDate": true], ["purchaseDate": nil],
            ["expiresDate": -62_135_769_600_000],
            ["quantity": 0], ["quantity": -1], ["quantity": 1_000_001],
            ["transactionId": ""], ["transactionId": "20000x"],
            ["transactionId": "123456789012345678901"], ["transactionId": .null], ["originalTransactionId": nil],
            ["originalTransactionId": "-1"], ["productId": nil], ["productId": ""], ["bundleId": nil],
            ["type": "Auto-Renewable Subscription"],
        ] as [[String: JSONValue?]])
    func `A transaction with impossible members is refused`(_ members: [String: JSONValue?]) async throws {
        try await authority.expect(.malformed, authority.jws(hints.with(members)))
    }

    @Test(
        arguments: [
            ["purchaseDate": 1e300], ["revocationDate": 9_300_000_000_000_000_000.0], ["quantity": "1"],
            ["quantity": 1.5], ["transactionId": 2_000_000_847], ["isUpgraded": "no"],
        ] as [[String: JSONValue?]])
    func `A transaction with a member of another type that decides something is not supported`(
        _ members: [String: JSONValue?]
    ) async throws {
        try await authority.expect(.unsupported, authority.jws(hints.with(members)))
    }

    @Test func `A genuine transaction from the future is not judged, and a forged one is refused`() async throws {
        let signed = Date.t0.milliseconds + 301_000
        let jws = try authority.jws(hints.with(["signedDate": .integer(signed)]))
        let verifier = try authority.verifier
        await #expect(throws: VerifierUnavailable(until: Date.t0 + 1)) {
            try await verifier.verify(jws, apps: hangman, at: .t0)
        }
        _ = try await verifier.verify(jws, apps: hangman, at: .t0 + 1)
        let other = try SigningAuthority().verifier
        await #expect(throws: ReceiptRejection(.chain)) { try await other.verify(jws, apps: hangman, at: .t0) }
    }

    @Test(arguments: [[], "text", 1, .null, [["transactionId": "1"]]] as [JSONValue])
    func `A payload that is no object is malformed`(_ payload: JSONValue) async throws {
        try await authority.expect(.malformed, authority.jws(payload))
    }

    @Test(
        arguments: [
            [:], ["notificationType": "TEST", "signedDate": 1_795_210_620_000], SignedRenewalInfoTests.info,
            ["receiptType": "Production", "bundleId": "com.example.hangman", "receiptCreationDate": 1_795_210_620_000],
        ] as [JSONValue])
    func `Other data that the store signed is no transaction`(_ payload: JSONValue) async throws {
        try await authority.expect(.unsupported, authority.jws(payload))
        try await authority.expect(.signature, authority.jws(payload, key: P256.Signing.PrivateKey()))
    }

    @Test func `A transaction of another app is refused`() async throws {
        try await authority.expect(.bundleID, authority.jws(hints.with(["bundleId": "com.example.Hangman"])))
        try await authority.expect(.bundleID, authority.jws(hints), expecting: "com.example.other")
    }

    @Test(arguments: ["Xcode", "LocalTesting", "production", "", nil] as [String?])
    func `A transaction of another environment is refused`(_ name: String?) async throws {
        let payload = hints.with(["environment": name.map(JSONValue.string)])
        try await authority.expect(.environment, authority.jws(payload))
    }

    // MARK: the form

    @Test func `A transaction above the maximum size is refused`() async throws {
        func jws(padding: Int) throws -> String {
            let padding = JSONValue.string(String(repeating: "x", count: padding))
            return try authority.jws(hints.with(["padding": padding]))
        }
        let room = try SignedTransactionVerifier.maximumSize - jws(padding: 0).utf8.count
        let verifier = try authority.verifier
        let large = try jws(padding: room / 4 * 3 - 3)
        #expect(large.utf8.count <= SignedTransactionVerifier.maximumSize)
        _ = try await verifier.verify(large, apps: hangman, at: .t0)
        try await authority.expect(.malformed, jws(padding: room))
    }

    @Test(arguments: ["", ".", "..", "...", "a.b.c", "e30.e30.AA", "☂.☂.☂", "e30.e30.AA.e30"])
    func `A text that is no JWS is malformed`(_ text: String) async throws {
        try await authority.expect(.malformed, text)
    }

    @Test(arguments: ["\u{0}", " ", "\n", "=", ".", ".AA"])
    func `A transaction with anything appended is malformed`(_ text: String) async throws {
        try await authority.expect(.malformed, authority.jws(hints) + text)
    }
}
