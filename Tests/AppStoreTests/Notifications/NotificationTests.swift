import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

@Suite struct NotificationTests {
    let maker: NotificationMaker

    init() throws { maker = NotificationMaker(authority: try SigningAuthority()) }

    private func expect(
        _ reason: ReceiptRejection.Reason, _ maker: NotificationMaker, at now: Date = .t0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(throws: ReceiptRejection(reason), sourceLocation: sourceLocation) {
            try await maker.verified(at: now)
        }
    }

    @Test func `A notification of a renewal is read with its facts`() async throws {
        let maker = try maker.with(["subtype": "BILLING_RECOVERY"], subject: ["status": 1])
            .holding(transaction: subscription, renewalInfo: NotificationMaker.renewalInfo)
        let notification = try await maker.verified()
        #expect(notification.id == NotificationMaker.id)
        #expect(notification.type == "DID_RENEW" && notification.subtype == "BILLING_RECOVERY")
        #expect(notification.app == "com.example.hangman" && notification.environment == .production)
        #expect(notification.signedDate == .t0)
        #expect(notification.facts.transactions.map(\.id) == ["2000000847061981"])
        let line = OriginalTransaction.Key(
            app: "com.example.hangman", environment: .production, originalID: "2000000000000001")
        #expect(notification.facts.transactions.map(\.originalTransactionKey) == [line])
        #expect(notification.facts.renewals.keys.map { $0 } == [line])
        #expect(notification.facts.renewals[line]?.autoRenewProductID == "com.example.hangman.club.yearly")
        #expect(notification.facts.renewals[line]?.status == RenewalFacts.Status(number: 1, date: .t0))
    }

    @Test func `The content of a notification is stored as it came`() async throws {
        let authority = try SigningAuthority()
        let jws = try NotificationMaker(authority: authority).signedPayload
        let notification = try await NotificationVerifier(signedData: SignedDataVerifier(anchors: authority.anchors))
            .verify(jws, catalog: Catalog(), at: .t0)
        #expect(notification.content == jws)
    }

    @Test func `A notification of a refund is read with its date and reason`() async throws {
        let refund = hints.with(["revocationDate": .integer(Date.t0.milliseconds), "revocationReason": 1])
        let facts = try await maker.of("REFUND", in: "data").holding(transaction: refund).verified().facts
        #expect(facts.transactions.first?.revocation == .init(date: .t0, reason: 1))
        #expect(facts.renewals.isEmpty)
    }

    @Test func `The reason of a consumption request is read`() async throws {
        let maker = try maker.of("CONSUMPTION_REQUEST", in: "data")
            .with(subject: ["consumptionRequestReason": "UNINTENDED_PURCHASE"]).holding(transaction: hints)
        #expect(try await maker.verified().consumptionRequestReason == "UNINTENDED_PURCHASE")
    }

    @Test(arguments: ["TEST", "A_TYPE_YET_UNKNOWN", ""])
    func `Unknown types of notifications are stored as they are`(_ type: String) async throws {
        let notification = try await maker.of(.string(type), in: "data").with(["subtype": "NEW_TOO"]).verified()
        #expect(notification.type == type && notification.subtype == "NEW_TOO")
        #expect(notification.facts.transactions.isEmpty && notification.facts.renewals.isEmpty)
    }

    @Test func `A notification with a summary is read`() async throws {
        let maker = maker.of("RENEWAL_EXTENSION", in: "summary")
        #expect(try await maker.verified().app == "com.example.hangman")
        let bare = try await maker.with(subject: ["bundleId": nil, "environment": nil]).verified()
        #expect(bare.app == nil && bare.environment == nil)
        let request = UUID()
        let members: [String: JSONValue?] = [
            "requestIdentifier": .string(request.uuidString), "productId": "club", "succeededCount": 5,
            "failedCount": 2,
        ]
        #expect(
            try await maker.with(subject: members).verified().extensionSummary
                == ExtensionSummary(request: request, product: "club", extended: 5, failed: 2))
        #expect(try await maker.verified().extensionSummary == nil, "without a request")
    }

    @Test(
        arguments: [
            ("SANDBOX_b2158121", Environment.sandbox), ("b2158121", .production), (nil, nil),
        ] as [(String?, InAppPurchase.Environment?)])
    func `The environment of an external purchase token follows from its ID`(
        _ id: String?, _ environment: InAppPurchase.Environment?
    ) async throws {
        let members: [String: JSONValue?] = ["environment": nil, "externalPurchaseId": id.map(JSONValue.string)]
        let notification = try await maker.of("EXTERNAL_PURCHASE_TOKEN", in: "externalPurchaseToken")
            .with(subject: members).verified()
        #expect(notification.environment == environment)
    }

    @Test func `A notification of rescinded consent names its app`() async throws {
        let maker = maker.of("RESCIND_CONSENT", in: "appData")
        #expect(try await maker.holding(appTransaction: NotificationMaker.appTransaction).verified().app != nil)
        for (change, reason) in [
            (["bundleId": "com.example.other"], ReceiptRejection.Reason.bundleID),
            (["receiptType": "Sandbox"], .environment),
            (["receiptType": "Xcode"], .environment), (["appAppleId": 5], .appAppleID),
            (["receiptType": nil], .unsupported), (["originalPurchaseDate": nil], .malformed),
        ] as [([String: JSONValue?], ReceiptRejection.Reason)] {
            await expect(reason, try maker.holding(appTransaction: NotificationMaker.appTransaction.with(change)))
        }
    }

    @Test func `A notification of unclaimed seats names its app`() async throws {
        let claims: JSONValue = ["0b0e1f6a-3c1d-4a5b-9c8d-7e6f5a4b3c2e"]
        let notification = try await maker.of("UNCLAIM_SEATS", in: "unclaimInfo")
            .with(subject: ["unclaimSeatIds": claims]).verified()
        #expect(notification.app == "com.example.hangman" && notification.environment == .production)
    }

    /// It is for the caller to say whom it concerns.
    @Test func `A notification for an app that is not served is read`() async throws {
        #expect(try await maker.with(subject: ["bundleId": "com.example.other"]).verified().app == "com.example.other")
    }

    @Test func `A notification about something unknown is read without an app`() async throws {
        let notification = try await maker.of("NEW", in: "somethingNew").verified()
        #expect(notification.app == nil && notification.environment == nil)
    }

    @Test func `A wrong number of the app is refused in Production only`() async throws {
        let other = maker.with(subject: ["appAppleId": 5])
        await expect(.appAppleID, other)
        for good in [
            other.with(subject: ["environment": "Sandbox"]), other.with(subject: ["bundleId": "com.example.nonumber"]),
            maker.with(subject: ["appAppleId": nil, "environment": "Sandbox"]),
        ] { _ = try await good.verified() }
    }

    /// The store always gives it in Production; without it, somebody else wrote the notification.
    @Test func `A notification of Production without the app's number is refused`() async throws {
        let without = maker.with(subject: ["appAppleId": nil])
        await expect(.appAppleID, without)
        await expect(.appAppleID, without.with(subject: ["bundleId": "com.example.nonumber"]))
        await expect(.appAppleID, without.with(subject: ["bundleId": "com.example.other"]))
    }

    /// Notification history and retries bring it long after.
    @Test func `A notification is accepted however old it is`() async throws {
        _ = try await maker.holding(transaction: hints).verified(at: .t0 + 50 * 365 * 86_400)
    }

    @Test func `Other data that the store signed is no notification`() async throws {
        let authority = try SigningAuthority()
        for payload in [hints, NotificationMaker.renewalInfo, NotificationMaker.appTransaction] {
            await #expect(throws: ReceiptRejection(.unsupported)) {
                try await NotificationVerifier(signedData: SignedDataVerifier(anchors: authority.anchors))
                    .verify(authority.jws(payload), catalog: Catalog(), at: .t0)
            }
        }
    }

    @Test func `A notification above the maximum size is refused`() async throws {
        let padding = JSONValue.string(String(repeating: "x", count: NotificationVerifier.maximumSize * 3 / 4))
        await expect(.malformed, maker.with(["padding": padding]))
        let large = JSONValue.string(String(repeating: "x", count: NotificationVerifier.maximumSize / 3))
        _ = try await maker.holding(transaction: hints.with(["offerIdentifier": large])).verified()
    }
}
