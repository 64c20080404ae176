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

    @Test(
        "A transaction signed by another algorithm is refused",
        arguments: ["none", "HS256", "es256", "RS256", "ES384", "ES256 ", ""])
    func otherAlgorithms(_ algorithm: JSONValue) async throws {
        try await authority.expect(.signature, authority.jws(hints, header: authority.header.with(["alg": algorithm])))
    }

    @Test("A transaction with other than three certificates is refused", arguments: [0, 1, 2, 4])
    func aTransactionWithOtherThanThreeCertificatesIsRefused(_ count: Int) async throws {
        let x5c = try (authority.x5c + authority.x5c).prefix(count).map(JSONValue.string)
        try await authority.expect(.chain, authority.jws(hints, header: authority.header.with(["x5c": .array(x5c)])))
    }

    @Test(
        "A transaction with an unreadable header is refused",
        arguments: [
            ["alg": 256], ["alg": nil], ["alg": ["ES256"]], ["x5c": nil], ["x5c": "MIIB"], ["x5c": [1, 2, 3]],
            ["x5c": ["", "", ""]], ["x5c": ["AAAA", "AAAA", "AAAA"]], ["crit": ["b64"], "b64": false], ["crit": []],
        ] as [[String: JSONValue?]])
    func aTransactionWithAnUnreadableHeaderIsRefused(_ members: [String: JSONValue?]) async throws {
        try await authority.expect(.malformed, authority.jws(hints, header: authority.header.with(members)))
    }

    @Test("Certificates that are not exact base64 are refused", arguments: ["\n", " ", "=", "-", "☂"])
    func certificatesThatAreNotExactBase64AreRefused(_ suffix: String) async throws {
        let x5c = try authority.x5c.map { JSONValue.string($0 + suffix) }
        try await authority.expect(
            .malformed, authority.jws(hints, header: authority.header.with(["x5c": .array(x5c)])))
    }

    // MARK: the signature

    @Test("A transaction signed by another key is refused")
    func aTransactionSignedByAnotherKeyIsRefused() async throws {
        try await authority.expect(.signature, authority.jws(hints, key: P256.Signing.PrivateKey()))
    }

    @Test("A signature of another form is refused")
    func signaturesOfAnotherForm() async throws {
        let jws = try authority.jws(hints)
        let signed = jws.prefix(upTo: try #require(jws.lastIndex(of: ".")))
        let inDER = try authority.leafKey.signature(for: Data(signed.utf8)).derRepresentation
        for signature in [inDER, Data(count: 64), Data(count: 63), Data(count: 65), Data(repeating: 0xFF, count: 64)] {
            try await authority.expect(.signature, "\(signed).\(signature.base64URL)")
        }
    }

    /// Certificates of a known signer, signature of a forger: the cache vouches for the chain and not for the message.
    @Test("The known chain of a signer does not vouch for a forgery")
    func aKnownSignersChainDoesNotVouchForAForgery() async throws {
        let verifier = try authority.verifier
        _ = try await verifier.verify(try authority.jws(hints), apps: hangman, at: .t0)
        let forged = try authority.jws(hints, key: P256.Signing.PrivateKey())
        await #expect(throws: ReceiptRejection(.signature)) {
            try await verifier.verify(forged, apps: hangman, at: .t0)
        }
    }

    // MARK: the payload

    @Test(
        "A transaction with impossible members is refused",
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
    func aTransactionWithImpossibleMembersIsRefused(_ members: [String: JSONValue?]) async throws {
        try await authority.expect(.malformed, authority.jws(hints.with(members)))
    }

    @Test(
        "A transaction with a member of another type that decides something is not supported",
        arguments: [
            ["purchaseDate": 1e300], ["revocationDate": 9_300_000_000_000_000_000.0], ["quantity": "1"],
            ["quantity": 1.5], ["transactionId": 2_000_000_847], ["isUpgraded": "no"],
        ] as [[String: JSONValue?]])
    func aTransactionWithAMemberOfAnotherTypeIsNotSupported(_ members: [String: JSONValue?]) async throws {
        try await authority.expect(.unsupported, authority.jws(hints.with(members)))
    }

    @Test("A genuine transaction from the future is not judged, and a forged one is refused")
    func aTransactionFromTheFutureIsNotJudged() async throws {
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

    @Test(
        "A payload that is no object is malformed",
        arguments: [[], "text", 1, .null, [["transactionId": "1"]]] as [JSONValue])
    func aPayloadThatIsNoObjectIsMalformed(_ payload: JSONValue) async throws {
        try await authority.expect(.malformed, authority.jws(payload))
    }

    @Test(
        "Other data that the store signed is no transaction",
        arguments: [
            [:], ["notificationType": "TEST", "signedDate": 1_795_210_620_000], SignedRenewalInfoTests.info,
            ["receiptType": "Production", "bundleId": "com.example.hangman", "receiptCreationDate": 1_795_210_620_000],
        ] as [JSONValue])
    func otherDataThatTheStoreSignedIsNoTransaction(_ payload: JSONValue) async throws {
        try await authority.expect(.unsupported, authority.jws(payload))
        try await authority.expect(.signature, authority.jws(payload, key: P256.Signing.PrivateKey()))
    }

    @Test("A transaction of another app is refused")
    func anotherApp() async throws {
        try await authority.expect(.bundleID, authority.jws(hints.with(["bundleId": "com.example.Hangman"])))
        try await authority.expect(.bundleID, authority.jws(hints), expecting: "com.example.other")
    }

    @Test(
        "A transaction of another environment is refused",
        arguments: ["Xcode", "LocalTesting", "production", "", nil] as [String?])
    func aTransactionOfAnotherEnvironmentIsRefused(_ name: String?) async throws {
        let payload = hints.with(["environment": name.map(JSONValue.string)])
        try await authority.expect(.environment, authority.jws(payload))
    }

    // MARK: the form

    @Test("A transaction above the maximum size is refused")
    func aTransactionAboveTheMaximumSizeIsRefused() async throws {
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

    @Test(
        "A text that is no JWS is malformed",
        arguments: ["", ".", "..", "...", "a.b.c", "e30.e30.AA", "☂.☂.☂", "e30.e30.AA.e30"])
    func aTextThatIsNoJWSIsMalformed(_ text: String) async throws {
        try await authority.expect(.malformed, text)
    }

    @Test("A transaction with anything appended is malformed", arguments: ["\u{0}", " ", "\n", "=", ".", ".AA"])
    func aTransactionWithAnythingAppendedIsMalformed(_ text: String) async throws {
        try await authority.expect(.malformed, authority.jws(hints) + text)
    }
}
