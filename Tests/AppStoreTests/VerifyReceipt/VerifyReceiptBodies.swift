import Foundation
import InAppPurchase
import StoreClient
import TestSupport
import Testing

@testable import AppStore

/// Bodies as the store sends them.
enum VerifyReceiptBody {
    static func times(_ name: String, _ date: Date) -> [String: JSONValue?] {
        let formatted = date.rfc3339.replacing("T", with: " ").replacing("Z", with: " Etc/GMT")
        return [name: .string(formatted), "\(name)_ms": .string("\(date.milliseconds)"), "\(name)_pst": "ignored"]
    }

    static let entry = JSONValue.object([
        "transaction_id": "1000000100", "original_transaction_id": "1000000001", "quantity": "1",
        "product_id": "com.example.hangman.club.monthly", "is_trial_period": "false",
        "in_app_ownership_type": "FAMILY_SHARED", "subscription_group_identifier": "20123",
        "app_account_token": "0b0e1f6a-3c1d-4a5b-9c8d-7e6f5a4b3c2d",
    ])
    .with(times("purchase_date", .t0 - 100)).with(times("original_purchase_date", .t0 - 1000))
    .with(times("expires_date", .t0 + 100))

    static let unified: JSONValue = [
        "status": 0, "environment": "Production", "latest_receipt": "bm90IHJlYWQ=",
        "receipt": JSONValue.object([
            "bundle_id": "com.example.hangman", "adam_id": 1_234_567_890, "app_item_id": 1_234_567_890,
            "download_id": 9_223_372_036_854_775_807, "in_app": [entry],
        ])
        .with(times("receipt_creation_date", .t0 - 50)).with(times("request_date", .t0 - 1)),
    ]

    static let renewal = JSONValue.object([
        "original_transaction_id": "1000000001", "product_id": "com.example.hangman.club.monthly",
        "auto_renew_product_id": "com.example.hangman.club.yearly", "auto_renew_status": "1",
        "is_in_billing_retry_period": "1", "expiration_intent": "2",
    ])
    .with(times("grace_period_expires_date", .t0 + 7))

    static let iOS6: JSONValue = [
        "status": 0,
        "receipt": [
            "bid": "com.example.hangman", "bvrs": "1.0", "app_item_id": "1234567890", "quantity": "1",
            "product_id": "com.example.hangman.club.monthly", "transaction_id": "1000000100",
            "original_transaction_id": "1000000001", "purchase_date": "2026-11-20 21:36:00 Etc/GMT",
            "original_purchase_date_ms": "1795210000000", "expires_date": "1795210630000",
            "expires_date_formatted": "2026-11-20 21:37:10 Etc/GMT",
        ],
    ]

    /// ``unified`` with other members, at the top and in `receipt`.
    static func unified(_ members: [String: JSONValue?], receipt: [String: JSONValue?] = [:]) -> JSONValue {
        guard case .object(let object) = unified, let inner = object["receipt"] else { return .null }
        return unified.with(["receipt": inner.with(receipt)]).with(members)
    }

    /// ``iOS6`` with other members in `receipt`.
    static func transaction(_ members: [String: JSONValue?]) -> JSONValue {
        guard case .object(let object) = iOS6, let receipt = object["receipt"] else { return .null }
        return receipt.with(members)
    }

    /// The transaction of ``entry``.
    static func subscription(
        id: TransactionID = "1000000100", purchase: Date = .t0 - 100, stated: Date, isSigned: Bool = false
    ) -> InAppPurchase.Transaction {
        var details = PurchaseDetails()
        details.isTrialPeriod = false
        return Transaction(
            id: id, originalID: "1000000001", app: "com.example.hangman", environment: .production,
            productID: "com.example.hangman.club.monthly", purchaseDate: purchase,
            originalPurchaseDate: .t0 - 1000, expirationDate: .t0 + 100, ownershipType: .familyShared,
            appAccountToken: UUID(uuidString: "0b0e1f6a-3c1d-4a5b-9c8d-7e6f5a4b3c2d"), subscriptionGroupID: "20123",
            details: details, signedDate: stated, isSigned: false)
    }

    /// The meaning of the answer, without the network.
    static func result(_ body: JSONValue, from endpoint: Environment = .production) throws -> VerificationResult<
        AppStoreAnswer
    > { try #require(VerifyReceiptAnswer(body.data)).result(from: endpoint, at: .t0) }

    static func answer(_ body: JSONValue, from endpoint: Environment = .production) throws -> AppStoreAnswer {
        try #require(try result(body, from: endpoint).answer)
    }
}

extension VerificationResult<AppStoreAnswer> {
    var answer: AppStoreAnswer? { if case .verified(let answer) = self { answer } else { nil } }
    var rejection: ReceiptRejection? { if case .rejected(let rejection) = self { rejection } else { nil } }
    var unavailability: Unavailability? { if case .unavailable(let cause) = self { cause } else { nil } }

    /// For tables: `verified`, or the reason, or the cause.
    var outcome: String {
        switch self {
        case .verified: "verified"
        case .rejected(let rejection): rejection.reason.rawValue
        case .unavailable(let unavailability): unavailability.cause.rawValue
        }
    }
}
