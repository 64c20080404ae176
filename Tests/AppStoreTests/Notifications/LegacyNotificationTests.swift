import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

/// Notifications of version 1.
@Suite struct LegacyNotificationTests {
    static let body: JSONValue = [
        "notification_type": "DID_RENEW", "password": "shared secret", "environment": "PROD",
        "bid": "com.example.hangman", "bvrs": "7", "auto_renew_status": "true",
        "original_transaction_id": 2_000_000_001,
        "unified_receipt": [
            "status": 0, "environment": "Production", "latest_receipt": "MIIB",
            "latest_receipt_info": [["transaction_id": "1"]],
        ],
    ]

    private func read(_ body: JSONValue) throws(ReceiptRejection) -> LegacyNotification {
        let data = (try? body.data) ?? Data()
        return try LegacyNotification(body: data) { $0 == "com.example.hangman" ? "shared secret" : nil }
    }

    @Test func `A notification of version 1 is read with its type, app and latest receipt`() throws {
        let notification = try read(Self.body)
        #expect(notification.type == "DID_RENEW" && notification.app == "com.example.hangman")
        #expect(notification.environment == .production)
        #expect(notification.latestReceipt == "MIIB")
    }

    @Test func `The ID of a notification of version 1 is a hash of its body`() throws {
        let body = Data(#"{"notification_type":"CANCEL","bid":"a","password":"s","environment":"Sandbox"}"#.utf8)
        let notification = try LegacyNotification(body: body) { _ in "s" }
        #expect(notification.id == "v1-401fa27a4a6aee57f027664267e8bcc1a122915bfa2ec8297af2bfad9bb262f2")
        #expect(try LegacyNotification(body: body + [0x20]) { _ in "s" }.id != notification.id)
        #expect(notification.latestReceipt == nil)
    }

    @Test(
        arguments: [
            (["environment": "Sandbox"], Environment.sandbox), (["environment": "Production"], .production),
            (["environment": nil], .production), (["environment": ""], .production),
        ] as [([String: JSONValue?], InAppPurchase.Environment)])
    func `The environment of a notification of version 1 is read`(
        _ change: [String: JSONValue?], _ environment: InAppPurchase.Environment
    ) throws {
        #expect(try read(Self.body.with(change)).environment == environment)
    }

    /// Before `unified_receipt` the receipt was at the top.
    @Test(arguments: ["latest_receipt", "latest_expired_receipt"])
    func `A latest receipt at the top of an old notification is read`(_ name: String) throws {
        #expect(try read(Self.body.with(["unified_receipt": nil, name: "ewo="])).latestReceipt == "ewo=")
    }

    @Test(
        arguments: [
            (["password": "Shared secret"], ReceiptRejection.Reason.signature), (["password": ""], .signature),
            (["password": nil], .signature), (["password": ["shared secret"]], .signature),
            (["password": "shared secret "], .signature), (["bid": "com.example.other"], .signature),
            (["bid": nil], .malformed), (["bid": ""], .malformed), (["bid": [1]], .malformed),
            (["notification_type": nil], .malformed), (["unified_receipt": 7, "environment": "PROD2"], .environment),
            (["environment": "Xcode"], .environment), (["environment": "prod"], .environment),
            (["environment": nil, "unified_receipt": nil], .environment),
        ] as [([String: JSONValue?], ReceiptRejection.Reason)])
    func `A notification of version 1 with a wrong password or content is refused`(
        _ change: [String: JSONValue?], _ reason: ReceiptRejection.Reason
    ) throws {
        #expect(throws: ReceiptRejection(reason)) { try read(Self.body.with(change)) }
    }

    @Test(arguments: ["", "[]", "null", "\"x\"", "{", "{}", "\u{FEFF}{}", String(repeating: "[", count: 1000)])
    func `A body that is no notification of version 1 is malformed`(_ body: String) {
        #expect(throws: ReceiptRejection(.malformed)) { try LegacyNotification(body: Data(body.utf8)) { _ in "s" } }
    }

    /// An app without a secret accepts no password, not even an empty one.
    @Test(arguments: [nil, ""] as [String?])
    func `A notification of version 1 for an app without a secret is refused`(_ secret: String?) throws {
        let body = try Self.body.with(["password": ""]).data
        #expect(throws: ReceiptRejection(.signature)) { try LegacyNotification(body: body) { _ in secret } }
    }

    @Test func `A notification of version 1 above the maximum size is refused`() throws {
        let padding = String(repeating: "x", count: LegacyNotification.maximumSize)
        #expect(throws: ReceiptRejection(.malformed)) { try read(Self.body.with(["padding": .string(padding)])) }
    }
}
