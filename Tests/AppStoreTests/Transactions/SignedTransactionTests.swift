import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

@Suite struct SignedTransactionTests {
    let authority: SigningAuthority
    let verifier: SignedTransactionVerifier

    init() throws {
        authority = try SigningAuthority()
        verifier = try authority.verifier
    }

    /// Those of ``hints``.
    private var details: PurchaseDetails {
        var details = PurchaseDetails()
        details.price = 1_990
        details.storefront = "DEU"
        return details
    }

    private func verify(_ payload: JSONValue) async throws -> Transaction {
        try await verifier.verify(try authority.jws(payload), apps: hangman, expecting: nil, at: .t0)
    }

    @Test func `A signed consumable is read with all its facts`() async throws {
        #expect(
            try await verify(hints)
                == Transaction(
                    id: "2000000847061981", originalID: "2000000847061981", app: "com.example.hangman",
                    environment: .production, productID: "com.example.hangman.tenhints", productType: .consumable,
                    quantity: 2, purchaseDate: .t0 - 1, originalPurchaseDate: .t0 - 2, details: details,
                    signedDate: .t0, isSigned: true))
    }

    @Test func `A signed subscription is read with its account and end`() async throws {
        #expect(
            try await verify(subscription)
                == Transaction(
                    id: "2000000847061981", originalID: "2000000000000001", app: "com.example.hangman",
                    environment: .production, productID: "com.example.hangman.club.monthly",
                    productType: .autoRenewable, quantity: 1, purchaseDate: .t0 - 1, originalPurchaseDate: .t0 - 2,
                    expirationDate: .t0 + 86_400,
                    appAccountToken: UUID(uuidString: "0b0e1f6a-3c1d-4a5b-9c8d-7e6f5a4b3c2d"),
                    subscriptionGroupID: "20123", details: details, signedDate: .t0, isSigned: true))
    }

    @Test(
        arguments: [
            ("Consumable", ProductType.consumable), ("Non-Consumable", .nonConsumable),
            ("Non-Renewing Subscription", .nonRenewing), ("consumable", nil), ("A Type Yet Unknown", nil), (nil, nil),
        ] as [(String?, ProductType?)])
    func `The product type of a transaction is read`(_ name: String?, _ type: ProductType?) async throws {
        #expect(try await verify(hints.with(["type": name.map(JSONValue.string)])).productType == type)
    }

    @Test(
        arguments: [
            ("PURCHASED", Transaction.OwnershipType.purchased), ("FAMILY_SHARED", .familyShared),
            ("ASSIGNED", .assigned), ("LENT_OUT", .init(rawValue: "LENT_OUT")), (nil, .purchased),
            ("two\nlines", .init(rawValue: "UNKNOWN")),
        ] as [(String?, Transaction.OwnershipType)])
    func `The ownership type of a transaction is read`(_ name: String?, _ type: Transaction.OwnershipType) async throws
    {
        let payload = hints.with(["inAppOwnershipType": name.map(JSONValue.string)])
        #expect(try await verify(payload).ownershipType == type)
    }

    @Test func `Refunds, partial refunds and upgrades are read`() async throws {
        let refunded = try await verify(
            hints.with(["revocationDate": .integer(Date.t0.milliseconds), "revocationReason": 1]))
        #expect(refunded.revocation == Transaction.Revocation(date: .t0, reason: 1))
        for (percentage, expected) in [(0, 0), (50_000, 50_000), (100_000, 100_000), (-1, nil), (100_001, nil)] {
            let partly = try await verify(
                hints.with([
                    "revocationDate": .integer(Date.t0.milliseconds), "revocationPercentage": .integer(percentage),
                ]))
            #expect(partly.revocation == Transaction.Revocation(date: .t0, percentage: expected))
        }
        #expect(try await verify(hints.with(["isUpgraded": true])).isUpgraded)
    }

    @Test func `An app account token that is no UUID is ignored`() async throws {
        #expect(try await verify(hints.with(["appAccountToken": "player 7"])).appAccountToken == nil)
    }

    @Test func `The sandbox environment of a transaction is read`() async throws {
        #expect(try await verify(hints.with(["environment": "Sandbox"])).environment == .sandbox)
    }

    /// Genuine data of 2021 lacks many members.
    @Test func `Optional members of a transaction may be absent`() async throws {
        let sparse = hints.with([
            "quantity": nil, "originalPurchaseDate": nil, "inAppOwnershipType": nil, "type": nil,
        ])
        #expect(try await verify(sparse).quantity == 1)
    }

    /// The clocks of two machines differ, and a renewal may be signed before its period begins.
    @Test func `A transaction signed a few minutes ahead is accepted`() async throws {
        let ahead = Date.t0.milliseconds + Int(SignedDataVerifier.clockSkew) * 1000
        let payload = hints.with(["signedDate": .integer(ahead), "purchaseDate": .integer(ahead + 3_600_000)])
        #expect(try await verify(payload).signedDate.milliseconds == ahead)
    }

    /// Signed while the certificates were valid, presented when they are not.
    @Test func `Old data stays valid after its signer has expired`() async throws {
        let jws = try authority.jws(hints)
        let transaction = try await verifier.verify(
            jws, apps: hangman, expecting: "com.example.hangman", at: .t0 + 50 * 365 * 86_400)
        #expect(transaction.signedDate == .t0)
    }

    @Test func `The root that the sender includes is not read`() async throws {
        for third in ["", "no base64 at all ☂", try authority.leaf.der.base64EncodedString()] {
            var x5c = try authority.x5c
            x5c[2] = third
            let header: JSONValue = ["alg": "ES256", "x5c": .array(x5c.map(JSONValue.string)), "kid": "x", "jku": "y"]
            _ = try await verifier.verify(try authority.jws(hints, header: header), apps: hangman, at: .t0)
        }
    }

    @Test func `A leaf certificate without key usages does not restrict its key`() async throws {
        let authority = try SigningAuthority(.init(leafKeyUsage: nil))
        _ = try await authority.verifier.verify(try authority.jws(hints), apps: hangman, at: .t0)
    }

    @Test func `A transaction is verified with one of several roots`() async throws {
        let anchors = try TrustAnchors.apple().adding(try SigningAuthority().anchors).adding(try authority.anchors)
        let verifier = SignedTransactionVerifier(anchors: anchors)
        _ = try await verifier.verify(try authority.jws(hints), apps: hangman, at: .t0)
    }
}

@Suite struct SignedRenewalInfoTests {
    static let info: JSONValue = [
        "originalTransactionId": "2000000000000001", "productId": "com.example.hangman.club.monthly",
        "autoRenewProductId": "com.example.hangman.club.yearly", "autoRenewStatus": 1,
        "isInBillingRetryPeriod": true, "gracePeriodExpiresDate": .integer(Date.t0.milliseconds + 1000),
        "expirationIntent": 2, "signedDate": .integer(Date.t0.milliseconds), "environment": "Sandbox",
    ]

    @Test func `Signed renewal info is read`() async throws {
        let authority = try SigningAuthority()
        let info = try await authority.verifier.verifyRenewalInfo(try authority.jws(Self.info), at: .t0)
        #expect(
            info
                == SignedRenewalInfo(
                    originalTransactionID: "2000000000000001", environment: .sandbox,
                    facts: RenewalFacts(
                        willAutoRenew: true, autoRenewProductID: "com.example.hangman.club.yearly",
                        isInBillingRetry: true, gracePeriodExpirationDate: .t0 + 1, expirationReason: 2,
                        details: RenewalDetails(signedDate: .t0), signedDate: .t0)))
    }

    @Test(arguments: [
        (hints, ReceiptRejection.Reason.unsupported), (info.with(["transactionId": "1"]), .unsupported),
        (info.with(["autoRenewStatus": nil]), .unsupported), (info.with(["environment": "Xcode"]), .environment),
        (info.with(["signedDate": nil]), .malformed), (info.with(["originalTransactionId": "x"]), .malformed),
    ])
    func `Wrong renewal info is refused`(_ payload: JSONValue, _ reason: ReceiptRejection.Reason) async throws {
        let authority = try SigningAuthority()
        await #expect(throws: ReceiptRejection(reason)) {
            try await authority.verifier.verifyRenewalInfo(try authority.jws(payload), at: .t0)
        }
    }
}
