import Foundation
import InAppPurchase

@testable import AppStore

/// A notification as the store makes it, except for what a test changes.
struct NotificationMaker {
    static let id = "002e14d5-51f5-4503-b5a8-c3a1af68eb20"

    static let renewalInfo: JSONValue = [
        "originalTransactionId": "2000000000000001", "productId": "com.example.hangman.club.monthly",
        "autoRenewProductId": "com.example.hangman.club.yearly", "autoRenewStatus": 1,
        "signedDate": .integer(Date.t0.milliseconds), "environment": "Production",
    ]

    static let appTransaction: JSONValue = [
        "receiptType": "Production", "appAppleId": 1_234_567_890, "bundleId": "com.example.hangman",
        "applicationVersion": "1.2", "originalApplicationVersion": "1.0", "appTransactionId": "704346128300001234",
        "receiptCreationDate": .integer(Date.t0.milliseconds),
        "originalPurchaseDate": .integer(Date.t0.milliseconds - 86_400_000),
    ]

    let authority: SigningAuthority
    var type: JSONValue = "DID_RENEW"
    /// `data`, `summary`, `externalPurchaseToken`, `appData` or `unclaimInfo`.
    var container = "data"
    var subject: [String: JSONValue?] = [:]
    var members: [String: JSONValue?] = [:]

    var payload: JSONValue {
        let subject = JSONValue.object([
            "appAppleId": 1_234_567_890, "bundleId": "com.example.hangman", "bundleVersion": "1.2",
            "environment": "Production",
        ]).with(subject)
        return JSONValue.object([
            "notificationType": type, "notificationUUID": .string(Self.id), "version": "2.0",
            "signedDate": .integer(Date.t0.milliseconds), container: subject,
        ]).with(members)
    }

    /// With these pieces, signed by the same authority.
    func holding(
        transaction: JSONValue? = nil, renewalInfo: JSONValue? = nil, appTransaction: JSONValue? = nil,
        by signer: SigningAuthority? = nil
    ) throws -> NotificationMaker {
        var maker = self
        let signed = [
            "signedTransactionInfo": transaction, "signedRenewalInfo": renewalInfo,
            "signedAppTransactionInfo": appTransaction,
        ]
        for (name, payload) in signed {
            if let payload { maker.subject[name] = .string(try (signer ?? authority).jws(payload)) }
        }
        return maker
    }

    func with(_ members: [String: JSONValue?] = [:], subject: [String: JSONValue?] = [:]) -> NotificationMaker {
        var maker = self
        maker.members.merge(members) { $1 }
        maker.subject.merge(subject) { $1 }
        return maker
    }

    func of(_ type: JSONValue, in container: String) -> NotificationMaker {
        var maker = self
        (maker.type, maker.container) = (type, container)
        return maker
    }

    var signedPayload: String { get throws { try authority.jws(payload) } }

    /// Verified by the authority's own verifier, with a catalog that has the app's number.
    func verified(at now: Date = .t0) async throws -> AppStoreNotification {
        let catalog = try JSONDecoder().decode(
            Catalog.self, from: Data(StoreAnswerTests.catalog.utf8), configuration: [])
        return try await NotificationVerifier(signedData: SignedDataVerifier(anchors: authority.anchors))
            .verify(try signedPayload, catalog: catalog, at: now)
    }
}
