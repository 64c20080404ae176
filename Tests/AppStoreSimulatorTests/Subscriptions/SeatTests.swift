import Foundation
import HTTPTypes
import InAppPurchase
import Testing

@testable import AppStoreSimulator

/// Subscriptions that one customer buys for a group.
@Suite struct SeatTests {
    static let group: [String: JSONValue] = [
        "quantity": 10, "price": 4_990, "invitationManagement": "DEVELOPER",
    ]
    static let claim = "0a1b2c3d-0000-4000-8000-0123456789ab"

    private static func tier(_ price: Int, _ quantity: Int) -> JSONValue {
        .array([["price": .integer(price), "quantity": .integer(quantity)]])
    }

    /// The one who invites, as the transaction says; null without seats.
    @Test(
        arguments: [
            (["quantity": 3], "APPLE"), (["quantity": 3, "invitationManagement": "APPLE"], "APPLE"),
            (["quantity": 1, "invitationManagement": "DEVELOPER"], "DEVELOPER"), (["quantity": 1], .null),
            (["quantity": 3, "ownershipType": "ASSIGNED"], "APPLE"),
        ] as [([String: JSONValue], JSONValue)])
    func `A purchase for a group states its seats and the price of one`(
        order: [String: JSONValue], invitations: JSONValue
    ) async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("auto-renewable", "club", order.merging(["price": 4_990]) { $1 })
            let transaction = try SignedMessage.payload(bought["signedTransaction"])
            let renewal = try SignedMessage.payload(bought["signedRenewalInfo"])
            let quantity = try #require(order["quantity"])
            let tiers: JSONValue = .array([["price": 4_990, "quantity": quantity]])
            #expect(transaction["quantity"] == quantity && transaction["price"] == 4_990)
            #expect(renewal["renewalPrice"] == 4_990)
            guard invitations != .null else {
                #expect(!transaction.names.contains("multiSeatInfo"))
                #expect(renewal.names.isDisjoint(with: ["multiSeatInfo", "renewalQuantity"]))
                return
            }
            #expect(transaction["multiSeatInfo"] == ["invitationManagement": invitations, "priceTiers": tiers])
            #expect(renewal["multiSeatInfo"] == ["renewalPriceTiers": tiers])
            #expect(renewal["renewalQuantity"] == quantity)
            #expect(!transaction.names.contains("additionalTransactionReason"))
        }
    }

    @Test func `Added seats are a transaction of their own in the same period`() async throws {
        try await Shop.opened { shop, receiver in
            let bought = try await shop.buy("auto-renewable", "club", Self.group)
            let first = try SignedMessage.payload(bought["signedTransaction"])
            let id = bought["transactionID"].text
            #expect(try await receiver.nextKind() == "SUBSCRIBED/INITIAL_BUY")
            // Half of the 30 days are left.
            shop.clock.advance(by: 15 * Shop.day)
            let answer = try await shop.act("subscriptions/\(id)/add-seats", ["quantity": 4])
            let added = try SignedMessage.payload(answer["signedTransaction"])
            for name in ["originalTransactionId", "productId", "expiresDate", "subscriptionGroupIdentifier"] {
                #expect(added[name] == first[name], "\(name)")
            }
            for name in ["transactionId", "webOrderLineItemId"] { #expect(added[name] != first[name], "\(name)") }
            #expect(added["purchaseDate"] == .integer(shop.clock.now.milliseconds))
            #expect(added["transactionReason"] == "PURCHASE" && added["quantity"] == 4 && added["price"] == 2_495)
            #expect(added["additionalTransactionReason"] == "SEAT_ADDITION" && !added.names.contains("isUpgraded"))
            #expect(added["multiSeatInfo"]["priceTiers"] == Self.tier(2_495, 4))
            let renewal = try SignedMessage.payload(answer["signedRenewalInfo"])
            #expect(renewal["renewalQuantity"] == 14 && renewal["renewalPrice"] == 4_990)
            let told = try await receiver.next()
            #expect(told["notificationType"] == "DID_CHANGE_RENEWAL_PREF" && told["subtype"] == "INCREASE_QUANTITY")
            #expect(told["data"]["status"] == 1)
            #expect(try SignedMessage.payload(told["data"]["signedTransactionInfo"]) == added)
            #expect(try SignedMessage.payload(told["data"]["signedRenewalInfo"]) == renewal)
            // The first transaction says so, too.
            let caller = try await Caller(shop)
            let info = try await caller.get("v1/transactions/\(id)")
            let now = try SignedMessage.payload(info["signedTransactionInfo"])
            #expect(now["additionalTransactionReason"] == "SEAT_ADDITION" && now["quantity"] == 10)
            #expect(now["price"] == 4_990 && !now.names.contains("isUpgraded"))
            #expect(try await Self.ids(shop) == [id, answer["transactionID"].text].sorted())
            // The newest transaction of the subscription is that of the period.
            let statuses = try await caller.get("v1/subscriptions/\(id)")
            let last = try #require(statuses["data"].elements.first?["lastTransactions"].elements.first)
            #expect(try Caller.ids(.array([last["signedTransactionInfo"]])) == [id])
            let renewed = try await shop.act("subscriptions/\(id)/renew")
            let next = try SignedMessage.payload(renewed["signedTransaction"])
            #expect(next["quantity"] == 14 && next["multiSeatInfo"]["priceTiers"] == Self.tier(4_990, 14))
            #expect(next["price"] == 4_990 && !next.names.contains("additionalTransactionReason"))
            #expect(try await Self.ids(shop) == [renewed["transactionID"].text])
        }
    }

    /// The transactions that StoreKit has on the customer's device.
    private static func ids(_ shop: Shop) async throws -> [String] {
        let path = "/simulator/v1/customers/\(Customer.common)/transactions?bundleID=\(Shop.app)"
        return try Caller.ids(try await shop.send(.get, path).json["transactions"]).sorted()
    }

    @Test func `Added seats end and are extended with their period`() async throws {
        try await Shop.open { shop in
            let id = try await shop.buy("auto-renewable", "club", Self.group)["transactionID"].text
            shop.clock.advance(by: 60)
            let added = try await shop.act("subscriptions/\(id)/add-seats", ["quantity": 4])["transactionID"].text
            for (act, body) in [("extend", ["days": 7]), ("expire", nil)] as [(String, JSONValue?)] {
                let period = try SignedMessage.payload(
                    try await shop.act("subscriptions/\(id)/\(act)", body)["signedTransaction"])
                let info = try await Caller(shop).get("v1/transactions/\(added)")
                let seats = try SignedMessage.payload(info["signedTransactionInfo"])
                #expect(seats["expiresDate"] == period["expiresDate"], "\(act)")
            }
        }
    }

    @Test func `Fewer seats renew, and some of them again`() async throws {
        try await Shop.opened { shop, receiver in
            let id = try await shop.buy("auto-renewable", "club", Self.group)["transactionID"].text
            #expect(try await receiver.nextKind() == "SUBSCRIBED/INITIAL_BUY")
            shop.clock.advance(by: 60)
            for (act, quantity, renewing, subtype) in [
                ("renewal-seats", 6, 6, "DECREASE_QUANTITY"), ("renewal-seats", 8, 8, "INCREASE_QUANTITY"),
                ("add-seats", 3, 11, "INCREASE_QUANTITY"),
            ] {
                let answer = try await shop.act("subscriptions/\(id)/\(act)", ["quantity": .integer(quantity)])
                let renewal = try SignedMessage.payload(answer["signedRenewalInfo"])
                #expect(renewal["renewalQuantity"] == .integer(renewing))
                #expect(renewal["multiSeatInfo"]["renewalPriceTiers"] == Self.tier(4_990, renewing))
                #expect(try await receiver.nextKind() == "DID_CHANGE_RENEWAL_PREF/\(subtype)")
            }
            let renewed = try SignedMessage.payload(
                try await shop.act("subscriptions/\(id)/renew")["signedTransaction"])
            #expect(renewed["quantity"] == 11)
        }
    }

    @Test func `A refund of seats revokes the transaction with the last of them`() async throws {
        try await Shop.opened { shop, receiver in
            let id = try await shop.buy("auto-renewable", "club", Self.group)["transactionID"].text
            #expect(try await receiver.nextKind() == "SUBSCRIBED/INITIAL_BUY")
            for (seats, revoked, subtype, status) in [(2, 2, "SEATS", 1), (8, 10, .null, 5)]
                as [(Int, Int, JSONValue, Int)]
            {
                shop.clock.advance(by: 60)
                let answer = try await shop.act("transactions/\(id)/refund", ["seats": .integer(seats)])
                let refunded = try SignedMessage.payload(answer["signedTransaction"])
                let date: JSONValue = status == 5 ? .integer(shop.clock.now.milliseconds) : .null
                #expect(refunded["multiSeatInfo"]["revokedSeatQuantity"] == .integer(revoked))
                #expect(refunded["quantity"] == 10)
                #expect(refunded["revocationDate"] == date)
                #expect(refunded["revocationType"].text == (status == 5 ? "REFUND_FULL" : ""))
                let told = try await receiver.next()
                #expect(told["notificationType"] == "REFUND" && told["subtype"] == subtype)
                #expect(told["data"]["status"] == .integer(status))
                #expect(try SignedMessage.payload(told["data"]["signedTransactionInfo"]) == refunded)
            }
        }
    }

    /// The purchaser has access while one transaction of the period is not revoked (Apple, revokedSeatQuantity).
    @Test(arguments: [true, false])
    func `The subscription is revoked with the last transaction of its period`(isFirstFirst: Bool) async throws {
        try await Shop.opened { shop, receiver in
            let id = try await shop.buy("auto-renewable", "club", Self.group)["transactionID"].text
            shop.clock.advance(by: 60)
            let added = try await shop.act("subscriptions/\(id)/add-seats", ["quantity": 4])["transactionID"].text
            for _ in 0..<2 { _ = try await receiver.next() }
            for (refunded, status) in zip(isFirstFirst ? [id, added] : [added, id], [1, 5]) {
                _ = try await shop.act("transactions/\(refunded)/refund")
                let told = try await receiver.next()
                #expect(told["notificationType"] == "REFUND" && told["data"]["status"] == .integer(status))
            }
        }
    }

    @Test func `Unclaimed seats are told without a transaction`() async throws {
        try await Shop.opened(appAppleID: 42) { shop, receiver in
            let id = try await shop.buy("auto-renewable", "club", Self.group)["transactionID"].text
            #expect(try await receiver.nextKind() == "SUBSCRIBED/INITIAL_BUY")
            let claims: JSONValue = .array([.string(Self.claim), .string(UUID().text)])
            _ = try await shop.act("subscriptions/\(id)/unclaim-seats", ["seatClaimIDs": claims])
            let told = try await receiver.next()
            #expect(told["notificationType"] == "UNCLAIM_SEATS")
            #expect(told.names.isDisjoint(with: ["data", "subtype"]))
            #expect(
                told["unclaimInfo"] == [
                    "appAppleId": 42, "bundleId": .string(Shop.app), "environment": "Production",
                    "unclaimSeatIds": claims,
                ])
        }
    }

    @Test(arguments: ["subscriptions", "transactions"])
    func `An organisation takes away what it assigned`(kind: String) async throws {
        try await Shop.opened { shop, receiver in
            let order: [String: JSONValue] = ["ownershipType": "ASSIGNED", "quantity": 10]
            let id = try await shop.buy("auto-renewable", "club", order)["transactionID"].text
            #expect(try await receiver.nextKind() == "SUBSCRIBED/INITIAL_BUY")
            let answer = try await shop.act("\(kind)/\(id)/revoke")
            let revoked = try SignedMessage.payload(answer["signedTransaction"])
            #expect(revoked["revocationType"] == "ASSIGNMENT_REVOKE" && revoked.names.contains("revocationDate"))
            // Only the purchaser's transaction says how many seats are revoked.
            #expect(!revoked["multiSeatInfo"].names.contains("revokedSeatQuantity"))
            #expect(try await receiver.nextKind() == "REVOKE")
        }
    }

    /// Purchases and acts on them, with the code of the refusal.
    @Test(
        arguments: [
            ([:], "subscriptions/{id}/add-seats", ["quantity": 1], "not_multiseat"),
            ([:], "subscriptions/{id}/renewal-seats", ["quantity": 1], "not_multiseat"),
            ([:], "subscriptions/{id}/unclaim-seats", ["seatClaimIDs": .array([.string(claim)])], "not_multiseat"),
            ([:], "transactions/{id}/refund", ["seats": 1], "not_multiseat"),
            (
                ["quantity": 3, "ownershipType": "ASSIGNED"], "subscriptions/{id}/add-seats", ["quantity": 1],
                "not_multiseat"
            ),
            (["quantity": 3], "transactions/{id}/share", ["customer": "bert"], "not_shareable"),
            (
                ["quantity": 3], "subscriptions/{id}/unclaim-seats", ["seatClaimIDs": .array([.string(claim)])],
                "invitations_by_apple"
            ),
            (group, "subscriptions/{id}/add-seats", ["quantity": 991], "too_many_seats"),
            (group, "subscriptions/{id}/renewal-seats", ["quantity": 11], "too_many_seats"),
            (group, "transactions/{id}/refund", ["seats": 11], "too_many_seats"),
            (group, "subscriptions/{id}/renewal-seats", ["quantity": 10], "invalid_request"),
            (group, "subscriptions/{id}/add-seats", ["quantity": 0], "invalid_request"),
            (group, "subscriptions/{id}/add-seats", ["quantity": 1_001], "invalid_request"),
            (group, "subscriptions/{id}/renewal-seats", [:], "invalid_request"),
            (group, "subscriptions/{id}/unclaim-seats", ["seatClaimIDs": .array([])], "invalid_request"),
            (group, "subscriptions/{id}/unclaim-seats", ["seatClaimIDs": .array(["x"])], "invalid_request"),
            (group, "transactions/{id}/refund", ["seats": 0], "invalid_request"),
            (group, "transactions/{id}/refund", ["seats": 1, "percentage": 50_000], "invalid_request"),
            (
                ["quantity": 3, "purchaseDate": "2020-01-01T00:00:00Z"], "subscriptions/{id}/add-seats",
                ["quantity": 1], "no_running_period"
            ),
            (
                ["quantity": 3, "purchaseDate": "2020-01-01T00:00:00Z"], "subscriptions/{id}/renewal-seats",
                ["quantity": 1], "no_running_period"
            ),
            (
                ["quantity": 3, "purchaseDate": "2030-01-01T00:00:00Z"], "subscriptions/{id}/add-seats",
                ["quantity": 1], "no_running_period"
            ),
        ] as [([String: JSONValue], String, JSONValue, String)])
    func `An act on seats that are not there is refused`(
        order: [String: JSONValue], path: String, body: JSONValue, code: String
    ) async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("auto-renewable", "club", order)
            let id = bought["transactionID"].text
            let answer = try await shop.send(.post, "/simulator/v1/\(path.replacing("{id}", with: id))", body)
            #expect(answer.status == (code == "invalid_request" ? .unprocessableContent : .conflict))
            #expect(answer.json["code"].text == code)
            let info = try await Caller(shop).get("v1/transactions/\(id)")
            let before = try SignedMessage.payload(bought["signedTransaction"])
            let after = try SignedMessage.payload(info["signedTransactionInfo"])
            #expect(before.names == after.names)
            for name in before.names { #expect(before[name] == after[name], "\(name)") }
        }
    }

    @Test func `Planned acts add and refund seats`() async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            let id = try await shop.buy("auto-renewable", "club", Self.group)["transactionID"].text
            let plan: JSONValue = [
                "acts": .array([
                    ["act": "add-seats", "after": "P3D", "body": ["quantity": 2]],
                    ["act": "refund", "after": "P4D", "body": ["seats": 1]],
                ])
            ]
            #expect(try await shop.send(.post, "/simulator/v1/subscriptions/\(id)/plan", plan).status == .accepted)
            try await shop.advance(days: 5)
            #expect(
                try await shop.reported().map(\.kind) == [
                    "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF/INCREASE_QUANTITY", "REFUND/SEATS",
                ])
        }
    }
}
