import Crypto
import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

/// Notifications of the store that contain something of somebody else's (F82), or that are not the store's.
enum HostileNotifications {
    typealias Maker = NotificationMaker

    private static func made(
        _ name: String, _ reason: ReceiptRejection.Reason?, _ make: @escaping @Sendable (Maker) throws -> Maker
    ) -> SignedCase {
        SignedCase(name, reason) { try make(Maker(authority: $0)).signedPayload }
    }

    private static func info(_ change: [String: JSONValue?]) -> JSONValue { Maker.renewalInfo.with(change) }

    static let pieces: [SignedCase] = [
        made("all good", nil) { try $0.holding(transaction: subscription, renewalInfo: info([:])) },
        made("a transaction forged", .chain) { try $0.holding(transaction: hints, by: SigningAuthority()) },
        made("renewal info forged", .chain) { try $0.holding(renewalInfo: info([:]), by: SigningAuthority()) },
        made("an app transaction forged", .chain) {
            try $0.of("RESCIND_CONSENT", in: "appData")
                .holding(appTransaction: Maker.appTransaction, by: SigningAuthority())
        },
        made("a transaction by another key", .signature) {
            $0.with(subject: ["signedTransactionInfo": .string(try $0.authority.jws(hints, key: .init()))])
        },
        made("renewal info by another key", .signature) {
            $0.with(subject: ["signedRenewalInfo": .string(try $0.authority.jws(info([:]), key: .init()))])
        },
        made("a transaction not signed", .signature) {
            let jws = try $0.authority.jws(hints, header: $0.authority.header.with(["alg": "none"]))
            return $0.with(subject: ["signedTransactionInfo": .string(jws)])
        },
        made("a transaction as an object", .unsupported) { $0.with(subject: ["signedTransactionInfo": hints]) },
        made("a transaction empty", .malformed) { $0.with(subject: ["signedTransactionInfo": ""]) },
        made("a transaction of words", .malformed) { $0.with(subject: ["signedTransactionInfo": "not.a.jws"]) },
        made("good transaction, renewal info of words", .malformed) {
            try $0.with(subject: ["signedRenewalInfo": "x"]).holding(transaction: subscription)
        },
        made("a transaction of another app", .bundleID) {
            try $0.holding(transaction: hints.with(["bundleId": "com.example.other"]))
        },
        made("a transaction of Sandbox", .environment) {
            try $0.holding(transaction: hints.with(["environment": "Sandbox"]))
        },
        made("a transaction of Xcode", .environment) {
            try $0.holding(transaction: hints.with(["environment": "Xcode"]))
        },
        made("a transaction of no environment", .environment) {
            try $0.holding(transaction: hints.with(["environment": nil]))
        },
        made("a transaction of Production in Sandbox", .environment) {
            try $0.with(subject: ["environment": "Sandbox"]).holding(transaction: hints)
        },
        made("renewal info of Sandbox", .environment) {
            try $0.holding(transaction: subscription, renewalInfo: info(["environment": "Sandbox"]))
        },
        made("renewal info of another subscription", .malformed) {
            try $0.holding(transaction: subscription, renewalInfo: info(["originalTransactionId": "7"]))
        },
        made("renewal info alone", nil) { try $0.holding(renewalInfo: info([:])) },
        made("renewal info for a transaction", .unsupported) { try $0.holding(transaction: info([:])) },
        made("a transaction for renewal info", .unsupported) { try $0.holding(renewalInfo: hints) },
        made("a notification in a notification", .unsupported) { try $0.holding(transaction: $0.payload) },
        made("a transaction signed in the future", nil) {
            try $0.holding(transaction: hints.with(["signedDate": .integer(Date.t0.milliseconds + 300_001)]))
        }.fromTheFuture,
        made("a transaction backdated", .expiredCertificate) {
            try $0.holding(transaction: hints.with(["signedDate": 0]))
        },
        made("a transaction, and no app", .bundleID) {
            try $0.with(subject: ["bundleId": nil]).holding(transaction: hints)
        },
        made("a transaction, and no environment", .environment) {
            try $0.with(subject: ["environment": nil]).holding(transaction: hints)
        },
    ]

    static let outer: [SignedCase] = [
        SignedCase("forged throughout", .chain) { _ in try Maker(authority: SigningAuthority()).signedPayload },
        SignedCase("a stranger's around genuine ones", .chain) {
            let stranger = Maker(authority: try SigningAuthority())
            return try stranger.holding(transaction: hints, by: $0).signedPayload
        },
        SignedCase("by another key", .signature) { try $0.jws(Maker(authority: $0).payload, key: .init()) },
        SignedCase("not signed", .signature) {
            try $0.jws(Maker(authority: $0).payload, header: $0.header.with(["alg": "none"]))
        },
        SignedCase("a transaction", .unsupported) { try $0.jws(hints) },
        SignedCase("no JWS", .malformed) { _ in "{\"notificationType\":\"TEST\"}" },
        made("no type", .unsupported) { $0.with(["notificationType": nil]) },
        made("no ID", .unsupported) { $0.with(["notificationUUID": nil]) },
        made("an ID that is no UUID", .malformed) { $0.with(["notificationUUID": "1' OR 1=1"]) },
        made("an ID of version 1", .malformed) { $0.with(["notificationUUID": "v1-00"]) },
        made("type a number", .unsupported) { $0.with(["notificationType": 1]) },
        made("no signed date", .malformed) { $0.with(["signedDate": nil]) },
        made("signed in the future", nil) {
            $0.with(["signedDate": .integer(Date.t0.milliseconds + 300_001)])
        }.fromTheFuture,
        made("backdated", .expiredCertificate) { $0.with(["signedDate": 0]) },
        made("data missing", nil) { $0.with(["data": nil]) }, made("data null", nil) { $0.with(["data": .null]) },
        made("data a string", .unsupported) { $0.with(["data": "x"]) },
        made("data an array", .unsupported) { $0.with(["data": []]) },
        made("data empty", nil) { $0.with(["data": [:]]) },
        made("Xcode", .environment) { $0.with(subject: ["environment": "Xcode"]) },
        made("LocalTesting", .environment) { $0.with(subject: ["environment": "LocalTesting"]) },
        made("environment empty", .environment) { $0.with(subject: ["environment": ""]) },
        made("another number in the App Store", .appAppleID) { $0.with(subject: ["appAppleId": 1]) },
        made("the number as text", .unsupported) { $0.with(subject: ["appAppleId": "1234567890"]) },
        made("the number negative", .appAppleID) { $0.with(subject: ["appAppleId": -1]) },
        made("an app that is not served", nil) { $0.with(subject: ["bundleId": "com.example.other"]) },
        made("a subtype of 10,000 characters", nil) {
            $0.with(["subtype": .string(String(repeating: "x", count: 10_000))])
        },
        made("data and summary", nil) { $0.with(["summary": ["bundleId": "com.example.other"]]) },
    ]

    /// Bodies of version 1; the secret of every app is `shared secret`.
    static let legacy: [SignedCase] = [
        ("the secret", nil, [:]), ("a wrong password", .signature, ["password": "guess"]),
        ("an empty password", .signature, ["password": ""]), ("no password", .signature, ["password": nil]),
        ("password null", .signature, ["password": .null]), ("password true", .signature, ["password": true]),
        ("password an array", .signature, ["password": ["shared secret"]]),
        ("password in other case", .signature, ["password": "SHARED SECRET"]),
        ("password with a zero", .signature, ["password": "shared secret\u{0}"]),
        ("password cut short", .signature, ["password": "shared secre"]),
        ("an app without a secret", .signature, ["bid": "com.example.other"]),
        ("no app", .malformed, ["bid": nil]), ("no type", .malformed, ["notification_type": nil]),
        ("LocalTesting", .environment, ["environment": "LocalTesting"]),
        ("an environment yet unknown", .environment, ["environment": "STAGE"]),
        ("the receipt an object", nil, ["unified_receipt": ["latest_receipt": ["x": 1]]]),
        ("unified_receipt an array", nil, ["unified_receipt": [1, 2]]),
    ].map { name, reason, change in
        SignedCase(name, reason) { _ in
            try HostileHeaders.text(LegacyNotificationTests.body.with(change as [String: JSONValue?]))
        }
    }
}

@Suite struct HostileNotificationTests {
    private static let known = Result {
        let authority = try SigningAuthority()
        let catalog = try JSONDecoder().decode(
            Catalog.self, from: Data(StoreAnswerTests.catalog.utf8), configuration: [])
        return (
            authority, NotificationVerifier(signedData: SignedDataVerifier(anchors: try authority.anchors)), catalog
        )
    }

    @Test(arguments: HostileNotifications.pieces + HostileNotifications.outer)
    func `Forged notifications are refused`(_ hostile: SignedCase) async throws {
        let (authority, verifier, catalog) = try Self.known.get()
        try await hostile.expect(
            { jws in _ = try await verifier.verify(jws, catalog: catalog, at: .t0) },
            of: authority)
    }

    @Test(arguments: HostileNotifications.legacy)
    func `Forged notifications of version 1 are refused`(_ hostile: SignedCase) async throws {
        try await hostile.expect(
            { body in
                _ = try LegacyNotification(body: Data(body.utf8)) {
                    $0 == "com.example.hangman" ? "shared secret" : nil
                }
            }, of: Self.known.get().0)
    }
}
