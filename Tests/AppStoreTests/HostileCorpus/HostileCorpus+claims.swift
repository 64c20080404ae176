import Foundation
import InAppPurchase
import Testing

@testable import AppStore

/// Payloads with claims of a JWT (RFC 7519 §4.1), and with unused members that are not what Apple documents.
enum HostileClaims {
    /// Seconds since 1970.
    private static let now = Int(Date.t0.timeIntervalSince1970)

    static let registeredAndBad: [String] = [
        "\"exp\":\(now)", #""exp":0"#, #""exp":-1"#, #""exp":null"#, #""exp":"4000000000""#, #""exp":4000000000.5"#,
        #""exp":true"#, #""exp":1e300"#, #""nbf":null"#, #""nbf":"0""#,
        #""iat":[]"#, #""iat":9223372036854775808"#,
        #""aud":"somebody""#, #""aud":["somebody"]"#, #""aud":"com.example.hangman""#, #""aud":null"#,
        #""sub":1"#, #""sub":null"#, #""jti":1"#, #""jti":{}"#,
    ]

    static let registeredAndEarly = [
        "\"nbf\":\(now + 1)", "\"iat\":\(now + 1)", #""iat":9223372036854775807"#,
    ]

    static let registeredAndGood: [String] = [
        "\"exp\":\(now + 1)", #""exp":9223372036854775807"#, "\"nbf\":\(now)", #""nbf":-9223372036854775808"#,
        "\"iat\":\(now)", #""sub":"1","jti":"2""#, #""iss":"https://example.com""#, #""iss":1"#, #""EXP":0"#,
    ]

    static let documentedOtherwise: [String] = [
        #""price":"free""#, #""price":"""#, #""price":[]"#, #""price":true"#, #""offerType":"1""#,
        #""commitmentInfo":1"#, #""commitmentInfo":{"commitmentPrice":"x"}"#,
        #""advancedCommerceInfo":true"#, #""advancedCommerceInfo":{"estimatedTax":"x"}"#,
    ]

    static let neededOtherwise = [#""revocationPercentage":{}"#, #""isUpgraded":1"#, #""expiresDate":"never""#]

    static let oddAndUnused: [String] = [
        #""price":null"#, #""price":1990.5"#, #""price":-1"#, #""offerType":99"#, #""advancedCommerceInfo":{}"#,
        #""commitmentInfo":null"#, #""currency":978"#, #""storefront":[]"#, #""isSomethingNew":{"a":[1,"x"]}"#,
    ]

    static let all =
        cases(registeredAndBad, .malformed) + cases(registeredAndGood, nil) + cases(documentedOtherwise, nil)
        + cases(registeredAndEarly, nil).map(\.fromTheFuture) + cases(oddAndUnused, nil)
        + cases(neededOtherwise, .unsupported)

    /// Without what the cases add.
    private static let bare = hints.with(["price": nil, "currency": nil, "storefront": nil])

    private static func cases(_ members: [String], _ reason: ReceiptRejection.Reason?) -> [SignedCase] {
        members.map { text in SignedCase(text, reason) { try $0.jws(rawPayload: "\(bare.open),\(text)}") } }
    }
}

@Suite struct HostileClaimTests {
    @Test(arguments: HostileClaims.all)
    func `Payloads with misleading claims are refused, or read without them`(_ hostile: SignedCase) async throws {
        try await hostile.expect()
    }
}
