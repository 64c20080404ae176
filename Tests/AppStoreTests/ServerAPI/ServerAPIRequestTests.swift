import Foundation
import Hummingbird
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

// Every case runs a server: one after the other, so that other tests get their time.
/// The request of every call: method, path, query and body.
@Suite(.serialized) struct ServerAPIRequestTests {
    private static let id: TransactionID = "2000000847061981"
    private static let account = UUID()

    struct Row: Sendable {
        var request: String
        var query: String?
        var body: JSONValue?
        var ask: @Sendable (AppStoreServerCall) async throws -> Void
    }

    private static var filter: HistoryFilter {
        var filter = HistoryFilter()
        filter.startDate = Date(milliseconds: 1_700_000_000_000)
        filter.endDate = Date(milliseconds: 1_800_000_000_001)
        filter.productIDs = ["com.example.a", "ä&b=c d"]
        filter.productTypes = [.autoRenewable, .consumable]
        filter.subscriptionGroupIDs = ["20123"]
        filter.ownershipType = .familyShared
        filter.isRevoked = false
        filter.order = .descending
        return filter
    }

    private static let filterQuery = [
        "startDate=1700000000000", "endDate=1800000000001", "inAppOwnershipType=FAMILY_SHARED", "revoked=false",
        "sort=DESCENDING", "productId=com.example.a", "productId=%C3%A4%26b%3Dc%20d", "productType=AUTO_RENEWABLE",
        "productType=CONSUMABLE", "subscriptionGroupIdentifier=20123", "revision=a%2Bb%2F%3D",
    ].joined(separator: "&")

    private static var notifications: NotificationFilter {
        NotificationFilter(from: Date(milliseconds: 1), to: Date(milliseconds: 2))
    }

    private static let reading: [Row] = [
        Row(request: "GET /inApps/v1/transactions/\(id)") { _ = try await $0.transaction(id) },
        Row(request: "GET /inApps/v2/history/\(id)", query: "sort=ASCENDING") { _ = try await $0.history(of: id) },
        Row(request: "GET /inApps/v2/history/\(id)", query: filterQuery) {
            _ = try await $0.history(of: id, matching: filter, since: "a+b/=")
        },
        Row(request: "GET /inApps/v1/transactions/appTransactions/\(id)") { _ = try await $0.appTransaction(of: id) },
        Row(request: "GET /inApps/v2/refund/lookup/\(id)") { _ = try await $0.refunds(of: id) },
        Row(request: "GET /inApps/v2/refund/lookup/\(id)", query: "revision=1_2") {
            _ = try await $0.refunds(of: id, since: "1_2", upTo: 1)
        },
        Row(request: "GET /inApps/v1/subscriptions/\(id)") { _ = try await $0.subscriptions(of: id) },
        Row(request: "GET /inApps/v1/subscriptions/\(id)", query: "status=1&status=4") {
            _ = try await $0.subscriptions(of: id, in: [.gracePeriod, .active])
        },
        Row(request: "GET /inApps/v1/lookup/MK5TTTLNJR") { _ = try await $0.order("MK5TTTLNJR") },
    ]

    private static let notifying: [Row] = [
        Row(
            request: "POST /inApps/v1/notifications/history", query: "paginationToken=t",
            body: ["startDate": 1, "endDate": 2]
        ) { _ = try await $0.notifications(matching: notifications, from: "t") },
        Row(
            request: "POST /inApps/v1/notifications/history",
            body: [
                "startDate": 1, "endDate": 2, "notificationType": "SUBSCRIBED",
                "notificationSubtype": "RESUBSCRIBE", "onlyFailures": true,
            ]
        ) {
            var filter = notifications
            (filter.subject, filter.onlyFailures) = (.type("SUBSCRIBED", subtype: "RESUBSCRIBE"), true)
            _ = try await $0.notifications(matching: filter)
        },
        Row(
            request: "POST /inApps/v1/notifications/history",
            body: ["startDate": 1, "endDate": 2, "transactionId": .string(id.text)]
        ) {
            var filter = notifications
            filter.subject = .transaction(id)
            _ = try await $0.notifications(matching: filter)
        },
        Row(request: "POST /inApps/v1/notifications/test") { _ = try await $0.requestTestNotification() },
        Row(request: "GET /inApps/v1/notifications/test/ce3af791-365e") {
            _ = try await $0.testNotification("ce3af791-365e")
        },
    ]

    private static let changing: [Row] = [
        Row(
            request: "PUT /inApps/v2/transactions/consumption/\(id)",
            body: [
                "customerConsented": true, "deliveryStatus": "UNDELIVERED_SERVER_OUTAGE",
                "sampleContentProvided": false,
            ]
        ) {
            let consumption = ConsumptionInformation(
                customerConsented: true, deliveryStatus: .serverOutage, sampleContentProvided: false)
            try await $0.send(consumption, about: id)
        },
        Row(
            request: "PUT /inApps/v2/transactions/consumption/\(id)",
            body: [
                "customerConsented": true, "deliveryStatus": "DELIVERED", "sampleContentProvided": true,
                "consumptionPercentage": 50000, "refundPreference": "GRANT_PRORATED",
            ]
        ) {
            let consumption = ConsumptionInformation(
                customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: true,
                consumptionPercentage: 50_000, refundPreference: .grantProrated)
            try await $0.send(consumption, about: id)
        },
        Row(request: "POST /inApps/v1/transactions/\(id)/finish") { try await $0.finish(id) },
        Row(
            request: "PUT /inApps/v1/transactions/\(id)/appAccountToken",
            body: ["appAccountToken": .string(account.text)]
        ) { try await $0.set(appAccountToken: account, of: id) },
        Row(
            request: "PUT /inApps/v1/subscriptions/extend/\(id)",
            body: ["extendByDays": 90, "extendReasonCode": 3, "requestIdentifier": "r-1"]
        ) { _ = try await $0.extendRenewalDate(of: id, byDays: 90, for: .serviceIssue, requestID: "r-1") },
        Row(
            request: "POST /inApps/v1/subscriptions/extend/mass",
            body: [
                "extendByDays": 3, "extendReasonCode": 3, "requestIdentifier": .string(account.text),
                "productId": "com.example.a_b",
            ]
        ) {
            try await $0.extendRenewalDates(
                ofAllSubscribersOf: "com.example.a_b", byDays: 3, for: .serviceIssue, requestID: account)
        },
        Row(request: "GET /inApps/v1/subscriptions/extend/mass/com.example.a_b/\(account.text)") {
            _ = try await $0.subscriberExtension(account, of: "com.example.a_b")
        },
    ]

    @Test(arguments: reading + notifying + changing)
    func `Every call sends the documented request`(_ row: Row) async throws {
        // A refusal, so that only the request matters.
        let server = ServerAPIServer(.error(4_000_000))
        await #expect(throws: AppStoreServerError.refused(.generalBadRequest)) {
            try await server.run { try await row.ask($0.asking()) }
        }
        let call = try #require(server.calls.first)
        #expect(server.calls.count == 1 && call.environment == .production)
        #expect("\(call.method) \(call.path)" == row.request)
        #expect(call.query == row.query)
        #expect(call.headers[.accept] == "application/json")
        #expect(call.headers[.userAgent] == "quartermaster")
        #expect(call.headers[.contentType] == (row.body == nil ? nil : "application/json"))
        let body = call.body.isEmpty ? nil : try JSONDecoder().decode(JSONValue.self, from: call.body)
        #expect(body == row.body)
    }

    @Test func `Every request has the token of its app`() async throws {
        let server = ServerAPIServer(.error(4_040_001))
        let key = try AppStoreServerKey.hangman()
        try await server.run { client in
            for later in [0.0, 100, 240] {
                let call = client.asking(for: key, in: .production, within: .seconds(60), at: .t0 + later)
                _ = await failure { try await call.finish(Self.id) }
            }
        }
        let tokens = server.calls.map { $0.headers[.authorization] ?? "" }
        #expect(tokens.count == 3 && tokens[0] == tokens[1] && tokens[1] != tokens[2])
        for token in tokens { #expect(token.hasPrefix("Bearer ") && token.split(separator: ".").count == 3) }
    }

    @Test(arguments: ["", "1/2", "..", "12a", "123456789012345678901", "1 ", "%31", "-1", "١"])
    func `The store is not asked about an invalid transaction ID`(_ id: String) async throws {
        let server = ServerAPIServer(.json([:]))
        try await server.run { client in
            let asks: [@Sendable (AppStoreServerCall) async throws -> Void] = [
                { call in _ = try await call.transaction(TransactionID(stored: id)) },
                { call in _ = try await call.history(of: TransactionID(stored: id)) },
                { call in _ = try await call.refunds(of: TransactionID(stored: id)) },
                { call in _ = try await call.appTransaction(of: TransactionID(stored: id)) },
                { call in _ = try await call.subscriptions(of: TransactionID(stored: id)) },
                { call in try await call.finish(TransactionID(stored: id)) },
            ]
            for ask in asks {
                let call = try client.asking()
                let refusal = await failure { try await ask(call) }
                #expect(refusal == .refused(.invalidTransactionID))
            }
        }
        #expect(server.calls.isEmpty)
    }

    @Test(arguments: ["", "a/b", "..", "ä", "a?b", "a b", String(repeating: "A", count: 129)])
    func `The store is not asked about an invalid order ID, test token or product`(_ name: String) async throws {
        let server = ServerAPIServer(.json([:]))
        try await server.run { client in
            let call = try client.asking()
            #expect(await failure { try await call.order(name) } == .notFound(nil))
            #expect(await failure { try await call.testNotification(name) } == .notFound(nil))
            let product = ProductID(stored: name)
            #expect(await failure { try await call.subscriberExtension(UUID(), of: product) } == .notFound(nil))
        }
        #expect(server.calls.isEmpty)
    }

    @Test func `The Server API has the endpoints of Apple`() {
        #expect(AppStoreServerClient.Endpoints.apple.production == "https://api.storekit.apple.com")
        #expect(AppStoreServerClient.Endpoints.apple.sandbox == "https://api.storekit-sandbox.apple.com")
    }
}
