import Crypto
import Foundation
import InAppPurchase
import Testing

@testable import AppStore

/// Payloads with a good signature that say what no transaction says, or say it oddly (F72, F73, F76, F78).
enum HostilePayloads {
    private static func changed(
        _ reason: ReceiptRejection.Reason?, _ cases: [(String, [String: JSONValue?])]
    ) -> [SignedCase] {
        cases.map { name, change in SignedCase(name, reason) { try $0.jws(hints.with(change)) } }
    }

    static let long = JSONValue.string(String(repeating: "x", count: 6000))

    static let members =
        changed(
            .malformed,
            [
                ("purchased before 1970", ["purchaseDate": -1]),
                ("purchased in year 1", ["purchaseDate": -62_135_769_600_000]),
                ("purchased in year 10,000", ["purchaseDate": 253_402_300_800_000]),
                ("purchased at the last of 64 bits", ["purchaseDate": .integer(.max)]),
                ("purchased at the first of 64 bits", ["purchaseDate": .integer(.min)]),

                ("date null", ["purchaseDate": .null]),
                ("no purchase date", ["purchaseDate": nil]),
                ("no signed date", ["signedDate": nil]), ("signed at a fraction", ["signedDate": 1_795_210_620_000.5]),
                ("signed before 1970", ["signedDate": -1]), ("expires before 1970", ["expiresDate": -1]),
                ("revoked before 1970", ["revocationDate": -1]),
                ("ID empty", ["transactionId": ""]),
                ("ID negative", ["transactionId": "-1"]), ("ID signed", ["transactionId": "+1"]),
                ("ID with a space", ["transactionId": "1 "]), ("ID hexadecimal", ["transactionId": "0x1F"]),
                ("ID of 21 digits", ["transactionId": "123456789012345678901"]),
                ("ID of 6,000 characters", ["transactionId": long]),
                ("ID in Arabic digits", ["transactionId": "٣٤٥٦"]), ("ID of SQL", ["transactionId": "1' OR 1=1 --"]),
                ("original ID missing", ["originalTransactionId": nil]),
                ("product empty", ["productId": ""]), ("product missing", ["productId": nil]),
                ("quantity 0", ["quantity": 0]), ("quantity negative", ["quantity": -1]),
                ("quantity above a million", ["quantity": 1_000_001]),
                ("quantity the most of 64 bits", ["quantity": .integer(.max)]),
                ("bundle missing", ["bundleId": nil]),
                ("a subscription without an end", ["type": "Auto-Renewable Subscription"]),

            ])
        + changed(
            .bundleID,
            [
                ("other app", ["bundleId": "com.example.other"]), ("other case", ["bundleId": "com.example.Hangman"]),
                ("bundle with a space", ["bundleId": "com.example.hangman "]),
                ("bundle with a zero", ["bundleId": "com.example.hangman\u{0}"]),
                ("bundle empty", ["bundleId": ""]), ("bundle in look-alikes", ["bundleId": "com.exаmple.hangman"]),
                ("wildcard", ["bundleId": "*"]), ("bundle of 6,000 characters", ["bundleId": long]),
            ])
        + changed(
            .environment,
            [
                ("Xcode", ["environment": "Xcode"]), ("LocalTesting", ["environment": "LocalTesting"]),
                ("environment missing", ["environment": nil]), ("environment empty", ["environment": ""]),
                ("environment in lower case", ["environment": "production"]), ("PROD", ["environment": "PROD"]),
            ])
        + changed(
            .expiredCertificate,
            [
                (
                    "backdated before the signer's certificate",
                    ["signedDate": .integer(Date.t0.milliseconds - 86_401_000)]
                ),
                ("backdated to 1970", ["signedDate": 0]),
            ])
        + changed(
            .unsupported,
            [
                ("no transaction ID", ["transactionId": nil]),
                ("ID a number", ["transactionId": 2_000_000_847_061_981]),
                ("bundle a number", ["bundleId": 1]),
                ("date an array", ["purchaseDate": [1]]),
                ("date as text", ["purchaseDate": "1795210620000"]),
                ("date of RFC 3339", ["purchaseDate": "2026-11-20T21:37:00Z"]),
                ("date true", ["purchaseDate": true]),
                ("date with a fraction", ["purchaseDate": 1.5]),
                ("environment a number", ["environment": 1]),
                ("original ID a number", ["originalTransactionId": 1]),
                ("product a number", ["productId": 7]),
                ("purchased at 1e300", ["purchaseDate": 1e300]),
                ("quantity 1e300", ["quantity": 1e300]),
                ("quantity a fraction", ["quantity": 1.5]),
                ("quantity as text", ["quantity": "2"]),
                ("revoked at no date", ["revocationDate": "yes"]),
                ("type a number", ["type": 1]),
                ("upgraded as text", ["isUpgraded": "true"]),
            ])
        + changed(nil, [("reason as text", ["revocationReason": "1"])])
        + changed(nil, [("signed in the future", ["signedDate": .integer(Date.t0.milliseconds + 300_001)])])
        .map(\.fromTheFuture)
        + changed(
            nil,
            [
                ("refunded", ["revocationDate": .integer(Date.t0.milliseconds), "revocationReason": 1]),
                ("upgraded", ["isUpgraded": true]), ("a type yet unknown", ["type": "Something New"]),
                ("a token that is no UUID", ["appAccountToken": "' OR 1=1"]), ("date with .0", ["quantity": 1.0]),
                ("seats by the thousand", ["quantity": 1_000_000]), ("sandbox", ["environment": "Sandbox"]),
                ("product of 6,000 characters", ["productId": long]),
                ("purchased after signing", ["purchaseDate": .integer(Date.t0.milliseconds + 33_000)]),
                ("signedDate and receiptCreationDate", ["receiptCreationDate": 0]),
                ("the largest ID", ["transactionId": "18446744073709551615"]), ("ID 0", ["transactionId": "0"]),
            ])

    private static func raw(
        _ name: String, _ reason: ReceiptRejection.Reason?, _ text: @escaping @Sendable (_ open: String) -> String
    ) -> SignedCase {
        SignedCase(name, reason) { try $0.jws(rawPayload: text(hints.open)) }
    }

    static let texts: [SignedCase] = [
        raw("as it is", nil) { $0 + "}" }, raw("cut short", .malformed) { $0 },
        raw("empty object", .unsupported) { _ in "{}" },
        raw("an array", .malformed) { "[\($0)}]" }, raw("null", .malformed) { _ in "null" },
        raw("a number", .malformed) { _ in "7" },
        raw("a string", .malformed) { _ in "\"x\"" }, raw("a byte after it", .malformed) { $0 + "}x" },
        raw("two objects", .malformed) { $0 + "}" + $0 + "}" }, raw("a zero after it", .malformed) { $0 + "}\u{0}" },
        // Foundation reads these, and other parsers do not.
        raw("a comma too many", .malformed) { $0 + ",}" }, raw("a comment", .malformed) { $0 + "/**/}" },
        raw("single quotes", .malformed) { _ in "{'transactionId':'1'}" },
        raw("NaN", .malformed) { $0 + ",\"price\":NaN}" },
        raw("a lone surrogate that is not used", nil) { $0 + ",\"x\":\"\\ud800\"}" },
        raw("1,000 objects deep", .malformed) {
            $0 + ",\"x\":" + String(repeating: "{\"a\":", count: 1000) + "1" + String(repeating: "}", count: 1001)
        },
        raw("30 arrays deep", nil) {
            $0 + ",\"x\":" + String(repeating: "[", count: 30) + String(repeating: "]", count: 30) + "}"
        },
        raw("100 arrays deep", .malformed) {
            $0 + ",\"x\":" + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + "}"
        },
        raw("more members than the store writes", .malformed) {
            $0 + ",\"x\":[0" + String(repeating: ",0", count: 2_000) + "]}"
        },
        raw("a number of 5,000 digits that is not used", .malformed) {
            $0 + ",\"x\":1" + String(repeating: "0", count: 5000) + "}"
        },
        // Of two members of one name, some parsers use the first and others the last.
        raw("bundle twice, the second another", .malformed) { $0 + ",\"bundleId\":\"com.example.other\"}" },
        raw("bundle twice, the first another", .malformed) {
            "{\"bundleId\":\"com.example.other\"," + $0.dropFirst() + "}"
        },
        raw("environment twice, the first Xcode", .malformed) {
            "{\"environment\":\"Xcode\"," + $0.dropFirst() + "}"
        },
        raw("signedDate twice, the first in the future", .malformed) {
            "{\"signedDate\":9000000000000," + $0.dropFirst() + "}"
        },
        raw("bundle twice, once in escapes", .malformed) {
            "{\"\\u0062undleId\":\"com.example.hangman\"," + $0.dropFirst() + "}"
        },
        raw("a name in escapes", nil) { $0.replacing("\"bundleId\"", with: "\"\\u0062undleId\"") + "}" },
        raw("twice in an object that is not used", .malformed) { $0 + ",\"x\":[{\"y\":1,\"y\":1}]}" },
        raw("a byte order mark", .malformed) { "\u{FEFF}" + $0 + "}" },
        SignedCase("no UTF-8", .malformed) { try $0.jws(payloadBytes: Data([0x7B, 0xFF, 0xFE, 0x7D])) },
        SignedCase("no UTF-8 in what is not read", .malformed) {
            try $0.jws(payloadBytes: Data(hints.open.utf8) + Data(",\"x\":\"".utf8) + [0xFF] + Data("\"}".utf8))
        },
    ]
}

@Suite struct HostilePayloadTests {
    @Test(arguments: HostilePayloads.members + HostilePayloads.texts)
    func `Malformed payloads are refused though their signature is good`(_ hostile: SignedCase) async throws {
        try await hostile.expect()
    }
}
