import Foundation
import HTTPTypes
import InAppPurchase
import Testing

@testable import AppStoreSimulator

@Suite struct PurchaseRequestTests {
    @Test(
        arguments: [
            ("type", "lottery"), ("type", .null), ("type", 7), ("bundleID", ""), ("bundleID", .null),
            ("productID", ""), ("productID", "a\u{0}b"), ("productID", .string(String(repeating: "x", count: 256))),
            ("quantity", 0), ("quantity", 1_001), ("quantity", .integer(.max)), ("quantity", .number(1.5)),
            ("quantity", "2"), ("appAccountToken", "me"), ("environment", "Xcode"), ("environment", "sandbox"),
            ("purchaseDate", "yesterday"), ("purchaseDate", 1_795_210_620), ("purchaseDate", "3001-01-01T00:00:00Z"),
            ("purchaseDate", "1969-12-31T23:59:59Z"), ("customer", ""), ("ownershipType", "RENTED"),
            ("device", "my phone"), ("offerIdentifier", 7), ("offerIdentifier", ""),
            ("period", "P0D"), ("period", "1 month"), ("period", "P101Y"), ("outcome", "lost"),
            ("invitationManagement", "ME"), ("billingPlanType", "YEARLY"),
        ] as [(String, JSONValue)])
    func `A wrong member of a purchase request is named`(member: String, value: JSONValue) async throws {
        try await Shop.open { shop in
            var order: [String: JSONValue] = ["bundleID": "a", "productID": "b", "type": "auto-renewable"]
            order[member] = value
            let answer = try await shop.send(.post, "/simulator/v1/purchases", .object(order))
            #expect(answer.status == .unprocessableContent)
            #expect(answer.headers[.contentType] == "application/problem+json")
            #expect(answer.json["code"] == "invalid_request")
            #expect(answer.json["status"] == 422)
            // The JSON decoder does not say where a number is that does not fit.
            if value != .number(1.5) { #expect(answer.json["detail"].text.hasPrefix("\(member): ")) }
            #expect(answer.json.names == ["type", "title", "status", "detail", "code"])
        }
    }

    /// If an offer is given in both forms the object counts; an error in the other is still reported.
    @Test(
        arguments: [
            ("offerIdentifier", ""), ("offerType", 9), ("offerPeriod", "P0D"), ("offerDiscountType", "GIFT"),
        ] as [(String, JSONValue)])
    func `A mistake beside an offer is reported`(member: String, value: JSONValue) async throws {
        try await Shop.open { shop in
            let order: [String: JSONValue] = [
                "bundleID": "a", "productID": "b", "type": "auto-renewable", "offer": ["type": 2], member: value,
            ]
            let answer = try await shop.send(.post, "/simulator/v1/purchases", .object(order))
            #expect(answer.status == .unprocessableContent && answer.json["detail"].text.hasPrefix("\(member): "))
        }
    }

    @Test(arguments: ["", "{", "nonsense", "{\"bundleID\": \"a\""])
    func `A purchase request that is not JSON is a bad request`(body: String) async throws {
        try await Shop.open { shop in
            let answer = try await shop.send(.post, "/simulator/v1/purchases", body: Data(body.utf8))
            #expect(answer.status == .badRequest)
        }
    }

    @Test(arguments: ["[]", "7", "\"text\"", "null"])
    func `A purchase request that is no object is refused`(body: String) async throws {
        try await Shop.open { shop in
            let answer = try await shop.send(.post, "/simulator/v1/purchases", body: Data(body.utf8))
            #expect(answer.status == .unprocessableContent)
        }
    }

    @Test func `A purchase request that is too large is refused`() async throws {
        try await Shop.open { shop in
            let spaces = Data(repeating: UInt8(ascii: " "), count: SimulatorLimits.body + 1)
            let answer = try await shop.send(.post, "/simulator/v1/purchases", body: spaces)
            #expect(answer.status == .contentTooLarge)
            #expect(answer.json["code"] == "too_large")
        }
    }

    @Test(arguments: [
        "transactions/2000000000000001/refund", "transactions/../refund", "transactions/%00/refund",
        "subscriptions/2000000000000001/renew", "subscriptions/x/expire", "subscriptions/1/grace",
        "subscriptions/1/billing-retry", "subscriptions/1/revoke", "subscriptions/1/dance", "nowhere",
    ])
    func `An act on an unknown transaction, or an unknown act, is not found`(path: String) async throws {
        try await Shop.open { shop in
            let answer = try await shop.send(.post, "/simulator/v1/\(path)")
            #expect(answer.status == .notFound)
            #expect(answer.json["code"] == "not_found")
            #expect(answer.headers.contains { $0.name.canonicalName == "x-request-id" })
        }
    }

    @Test(arguments: ["consumable", "non-consumable", "non-renewing"])
    func `Only a subscription can be renewed, expired or revoked`(type: String) async throws {
        try await Shop.open { shop in
            let id = try await shop.buy(type)["transactionID"].text
            for act in ["renew", "expire", "revoke"] {
                let answer = try await shop.send(.post, "/simulator/v1/subscriptions/\(id)/\(act)")
                #expect(answer.status == .notFound)
            }
        }
    }
}
