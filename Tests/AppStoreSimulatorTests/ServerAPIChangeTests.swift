import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import Testing

@testable import AppStoreSimulator

@Suite struct ServerAPIChangeTests {
    @Test func `A renewal date is extended once per request and twice a year`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            let bought = try await shop.buy("auto-renewable", "club", ["period": "P5Y"])
            let id = bought["transactionID"].text
            let path = "v1/subscriptions/extend/\(id)"
            let before = try SignedMessage.payload(bought["signedTransaction"])["expiresDate"]
            guard case .integer(let end) = before else { throw Missing() }
            func order(_ days: Int, _ name: String) -> JSONValue {
                ["extendByDays": .integer(days), "extendReasonCode": 1, "requestIdentifier": .string(name)]
            }
            for (days, name, extended) in [(7, "a", 7), (7, "a", 7), (3, "b", 10), (3, "b", 10)] {
                let answer = try await caller.send(.put, path, order(days, name))
                #expect(answer.status == .ok)
                #expect(answer.json["effectiveDate"] == .integer(end + extended * 86_400_000))
                #expect(answer.json["success"] == .bool(true))
                #expect(answer.json["originalTransactionId"].text == id)
            }
            #expect(try await caller.code(.put, path, order(1, "c")) == 4_030_005)
            shop.clock.advance(by: 365 * 86_400)
            let later = try await Caller(shop)
            #expect(try await later.send(.put, path, order(1, "c")).status == .ok)
            let wrong: [(JSONValue, Int)] = [
                (order(0, "d"), 4_000_009), (order(91, "d"), 4_000_009), (order(1, ""), 4_000_011),
                (order(1, String(repeating: "x", count: 129)), 4_000_011),
                (["extendByDays": 1, "extendReasonCode": 4, "requestIdentifier": "d"], 4_000_010),
                (["extendByDays": "1", "extendReasonCode": 0, "requestIdentifier": "d"], 4_000_009),
            ]
            for (body, code) in wrong { #expect(try await later.code(.put, path, body) == code) }
            let renewed = try await shop.act("subscriptions/\(id)/renew")["transactionID"].text
            let other = "v1/subscriptions/extend/"
            #expect(try await later.code(.put, other + renewed, order(1, "d")) == 4_000_187)
            #expect(try await later.code(.put, other + "2000", order(1, "d")) == 4_040_005)
        }
    }

    @Test(
        arguments: [
            (["ownershipType": "FAMILY_SHARED"], nil, 4_030_007),
            (["offerType": 1, "offerDiscountType": "FREE_TRIAL"], nil, 4_030_004),
            ([:], "expire", 4_030_004), ([:], "grace", 4_030_004), ([:], "billing-retry", 4_030_004),
        ] as [([String: JSONValue], String?, Int)])
    func `A renewal date is extended only where the rules allow it`(
        purchase: [String: JSONValue], act: String?, code: Int
    ) async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            let id = try await shop.buy("auto-renewable", "club", purchase)["transactionID"].text
            if let act { _ = try await shop.act("subscriptions/\(id)/\(act)") }
            let order: JSONValue = ["extendByDays": 1, "extendReasonCode": 0, "requestIdentifier": "a"]
            #expect(try await caller.code(.put, "v1/subscriptions/extend/\(id)", order) == code)
        }
    }

    /// Of the others one is in a free trial, one abroad, one has left, and one has another product.
    @Test func `All active subscribers of a product are extended once`() async throws {
        try await Shop.opened { shop, _ in
            let caller = try await Caller(shop)
            let (path, request) = ("v1/subscriptions/extend/mass", "0a1b2c3d-0000-4000-8000-0123456789ab")
            var ids: [String] = []
            for (name, more) in [
                ("a", [:]), ("b", [:]), ("trial", ["offerType": 1, "offerDiscountType": "FREE_TRIAL"]),
                ("abroad", ["storefront": "DEU"]), ("left", [:]),
            ] as [(String, [String: JSONValue])] {
                let order = more.merging(["customer": .string(name), "period": "P1Y"]) { $1 }
                ids.append(try await shop.buy("auto-renewable", "club", order)["transactionID"].text)
            }
            _ = try await shop.buy("auto-renewable", "other", ["customer": "c"])
            _ = try await shop.act("subscriptions/\(try #require(ids.last))/expire")
            let body: JSONValue = [
                "extendByDays": 3, "extendReasonCode": 3, "requestIdentifier": .string(request), "productId": "club",
                "storefrontCountryCodes": .array(["USA"]),
            ]
            for _ in 0..<2 {
                let answer = try await caller.send(.post, path, body)
                #expect(answer.status == .ok && answer.json == ["requestIdentifier": .string(request)])
            }
            let status = try await caller.get("\(path)/club/\(request)")
            #expect(status["complete"] == .bool(true) && status["requestIdentifier"].text == request)
            #expect(status["succeededCount"] == 2 && status["failedCount"] == 1, "\(status)")
            let told = try await caller.history(["notificationType": "RENEWAL_EXTENSION"]).map {
                try SignedMessage.payload($0["signedPayload"])
            }
            #expect(told.map { $0["subtype"].text } == ["FAILURE", "SUMMARY"])
            let summary = try #require(told.last)["summary"]
            #expect(summary["succeededCount"] == 2 && summary["failedCount"] == 1 && summary["productId"] == "club")
            #expect(try await caller.history(["notificationType": "RENEWAL_EXTENDED"]).count == 2)
        }
    }

    @Test func `An extension for all subscribers is refused by the rules of Apple`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            let (path, request) = ("v1/subscriptions/extend/mass", "0a1b2c3d-0000-4000-8000-0123456789ab")
            let good: [String: JSONValue] = [
                "extendByDays": 3, "extendReasonCode": 3, "requestIdentifier": .string(request), "productId": "club",
            ]
            for (change, code) in [
                (["extendByDays": 91], 4_000_009), (["extendReasonCode": 4], 4_000_010),
                (["requestIdentifier": "a"], 4_000_011), (["productId": ""], 4_000_023), (["productId": 1], 4_000_023),
                (["storefrontCountryCodes": .array([])], 4_000_027),
                (["storefrontCountryCodes": .array(["DE"])], 4_000_028),
            ] as [([String: JSONValue], Int)] {
                let body = JSONValue.object(good.merging(change) { $1 })
                #expect(try await caller.code(.post, path, body) == code, "\(change)")
            }
            #expect(try await caller.code(.get, "\(path)/club/\(request)") == 4_040_009)
            #expect(try await caller.code(.get, "\(path)/club/a") == 4_000_011)
        }
    }

    @Test func `An account token is set for later renewals too`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            let id = try await shop.buy("auto-renewable", "club")["transactionID"].text
            let token = "0a1b2c3d-0000-4000-8000-0123456789ab"
            let body: JSONValue = ["appAccountToken": .string(token)]
            let path = "v1/transactions/\(id)/appAccountToken"
            #expect(try await caller.send(.put, path, body).status == .ok)
            let renewed = try await shop.act("subscriptions/\(id)/renew")
            let payload = try SignedMessage.payload(renewed["signedTransaction"])
            #expect(payload["appAccountToken"].text == token)
            #expect(try await caller.code(.put, path, ["appAccountToken": "x"]) == 4_000_183)
            #expect(try await caller.code(.put, path, [:]) == 4_000_000)
            let another = "v1/transactions/\(renewed["transactionID"].text)/appAccountToken"
            #expect(try await caller.code(.put, another, body) == 4_000_187)
            let shared = try await shop.buy("non-consumable", "words", ["ownershipType": "FAMILY_SHARED"])
            let family = "v1/transactions/\(shared["transactionID"].text)/appAccountToken"
            #expect(try await caller.code(.put, family, body) == 4_000_185)
        }
    }

    @Test func `A consumable finished by the server leaves the receipt`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            let id = try await shop.buy("consumable")["transactionID"].text
            for _ in 0..<2 { #expect(try await caller.send(.post, "v1/transactions/\(id)/finish").status == .ok) }
            let uri = "/simulator/v1/customers/common/receipt?bundleID=\(Shop.app)"
            let receipt = try await shop.send(.get, uri).json["appReceipt"]
            #expect(try await shop.verifyReceipt(receipt)["receipt"]["in_app"].elements.isEmpty)
            #expect(try await caller.send(.get, "v1/transactions/\(id)").status == .ok)
        }
    }

    /// Every error of a call has a code (Apple, "Error codes"), also when the bytes are no JSON.
    @Test(arguments: [
        (HTTPRequest.Method.put, "v1/transactions/consumption/"), (.put, "v2/transactions/consumption/"),
        (.put, "v1/subscriptions/extend/"), (.post, "v1/subscriptions/extend/mass"),
        (.post, "v1/notifications/history"),
    ])
    func `A call with a body that is not JSON has the error code of Apple`(method: HTTPRequest.Method, path: String)
        async throws
    {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            let type = path.contains("consumption") ? "consumable" : "auto-renewable"
            let id = path.hasSuffix("/") ? try await shop.buy(type)["transactionID"].text : ""
            for bytes in ["", "{", "nonsense"] {
                let answer = try await caller.send(method, path + id, bytes: ByteBuffer(string: bytes))
                #expect(answer.status == .badRequest && answer.json["errorCode"] == 4_000_000)
            }
        }
    }

    @Test func `Consumption information is accepted by the rules of Apple`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            let id = try await shop.buy("consumable")["transactionID"].text
            let words = try await shop.buy("non-consumable")["transactionID"].text
            let club = try await shop.buy("auto-renewable")["transactionID"].text
            let body: [String: JSONValue] = [
                "customerConsented": .bool(true), "deliveryStatus": "DELIVERED", "sampleContentProvided": .bool(false),
            ]
            func path(_ version: Int, _ id: String) -> String { "v\(version)/transactions/consumption/\(id)" }
            let answer = try await caller.send(.put, path(2, id), .object(body))
            #expect(answer.status == .accepted)
            #expect(answer.body.isEmpty)
            let reported = try await shop.send(.get, "/simulator/v1/transactions/\(id)/consumption")
            #expect(reported.json == .object(body))
            let wrong: [(String, [String: JSONValue], Int)] = [
                (id, ["customerConsented": .bool(false)], 4_000_035), (id, ["deliveryStatus": "X"], 4_000_036),
                (id, ["sampleContentProvided": .null], 4_000_041), (id, ["refundPreference": "X"], 4_000_044),
                (id, ["consumptionPercentage": 100_001], 4_000_000), (club, ["consumptionPercentage": 1], 4_000_209),
                (id, ["refundPreference": "GRANT_PRORATED", "consumptionPercentage": 0], 4_000_000),
                (id, ["deliveryStatus": "UNDELIVERED_OTHER", "consumptionPercentage": 1], 4_000_000),
            ]
            for (id, change, code) in wrong {
                let changed = JSONValue.object(body.merging(change) { $1 })
                #expect(try await caller.code(.put, path(2, id), changed) == code, "\(change)")
            }
            let old: [String: JSONValue] = [
                "customerConsented": .bool(true), "sampleContentProvided": .bool(false), "deliveryStatus": 0,
            ]
            #expect(try await caller.send(.put, path(1, id), .object(old)).status == .accepted)
            #expect(try await caller.code(.put, path(1, words), .object(old)) == 4_000_047)
            let wrongNumbers = [
                ("accountTenure", 4_000_032), ("consumptionStatus", 4_000_034), ("deliveryStatus", 4_000_036),
                ("lifetimeDollarsPurchased", 4_000_037), ("lifetimeDollarsRefunded", 4_000_038),
                ("platform", 4_000_039), ("playTime", 4_000_040), ("userStatus", 4_000_042),
                ("refundPreference", 4_000_044), ("appAccountToken", 4_000_033),
            ]
            for (name, code) in wrongNumbers {
                let changed = JSONValue.object(old.merging([name: 8]) { $1 })
                #expect(try await caller.code(.put, path(1, id), changed) == code, "\(name)")
            }
        }
    }

    struct Missing: Error {}
}
