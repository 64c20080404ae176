import Foundation
import HTTPTypes
import InAppPurchase
import Testing

@testable import AppStoreSimulator

/// Consequences of a purchase: approval, decline, copies on other devices and for the family.
@Suite struct CustomerTests {
    private static let order: JSONValue = [
        "bundleID": .string(Shop.app), "productID": "words", "type": "non-consumable", "customer": "child",
        "outcome": "pending",
    ]

    @Test func `A purchase that somebody else approves is made at the approval`() async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            let asked = try await shop.send(.post, "/simulator/v1/purchases", Self.order)
            #expect(asked.status == .accepted && asked.json.names == ["purchase"])
            let path = "/simulator/v1/purchases/\(asked.json["purchase"].text)"
            #expect(asked.json["purchase"].text.hasPrefix("p_"))
            let receipt = "/simulator/v1/customers/child/transactions?bundleID=\(Shop.app)"
            #expect(try await shop.send(.get, receipt).json["transactions"] == .array([]))
            try await shop.advance(days: 1)
            let bought = try await shop.send(.post, path + "/approve")
            #expect(bought.status == .created && bought.json.names.contains("appReceipt"))
            let payload = try SignedMessage.payload(bought.json["signedTransaction"])
            #expect(payload["purchaseDate"] == .integer((TestClock.start + Shop.day).milliseconds))
            #expect(try await shop.reported().map(\.kind) == ["ONE_TIME_CHARGE"])
            for decision in ["approve", "decline"] {
                let again = try await shop.send(.post, "\(path)/\(decision)")
                #expect(again.status == .conflict && again.json["code"] == "already_decided")
            }
        }
    }

    @Test func `A purchase that is declined is not made`() async throws {
        try await Shop.open { shop in
            let asked = try await shop.send(.post, "/simulator/v1/purchases", Self.order)
            let path = "/simulator/v1/purchases/\(asked.json["purchase"].text)"
            let answer = try await shop.send(.post, path + "/decline")
            #expect(answer.status == .ok && answer.json == asked.json)
            #expect(try await shop.send(.post, path + "/approve").status == .conflict)
            for unknown in ["p_1", "p_\(UUID().uuidString)", "x"] {
                #expect(try await shop.send(.post, "/simulator/v1/purchases/\(unknown)/approve").status == .notFound)
            }
            var declined = Self.order
            if case .object(var members) = declined {
                members["outcome"] = "declined"
                declined = .object(members)
            }
            let refused = try await shop.send(.post, "/simulator/v1/purchases", declined)
            #expect(refused.status.code == 402 && refused.json["code"] == "payment_declined")
            let receipt = "/simulator/v1/customers/child/transactions?bundleID=\(Shop.app)"
            #expect(try await shop.send(.get, receipt).json["transactions"] == .array([]))
        }
    }

    @Test(arguments: ["non-consumable", "auto-renewable", "non-renewing"])
    func `A restored copy has an ID of its own and the facts of the original`(type: String) async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy(type, "words", ["customer": "anna"])
            let id = bought["transactionID"].text
            shop.clock.advance(by: 60)
            let device = UUID()
            let path = "/simulator/v1/transactions/\(id)/restore"
            let answer = try await shop.send(.post, path, ["customer": "anna", "device": .string(device.uuidString)])
            #expect(answer.status == .created)
            let before = try SignedMessage.payload(bought["signedTransaction"])
            let copy = try SignedMessage.payload(answer.json["signedTransaction"])
            #expect(copy["transactionId"] != before["transactionId"])
            #expect(copy["purchaseDate"] == .integer(shop.clock.now.milliseconds))
            for name in ["originalTransactionId", "originalPurchaseDate", "productId", "appTransactionId", "price"] {
                #expect(copy[name] == before[name], "\(name)")
            }
            #expect(copy.names.contains("deviceVerification"))
            // The store finds both, and the original stays the newest.
            let caller = try await Caller(shop)
            for transaction in [before, copy] {
                let found = try await caller.get("v1/transactions/\(transaction["transactionId"].text)")
                let payload = try SignedMessage.payload(found["signedTransactionInfo"])
                #expect(payload["transactionId"] == transaction["transactionId"])
            }
            let refunded = try await shop.act("transactions/\(id)/refund")
            #expect(refunded["transactionID"] == bought["transactionID"])
            if type == "auto-renewable" {
                let renewed = try await shop.act("subscriptions/\(id)/renew")
                #expect(renewed["originalTransactionID"] == bought["transactionID"])
            }
        }
    }

    /// A copy is the same purchase: a refund by either ID is one of both, on the customer's device and a friend's.
    @Test(arguments: ["non-consumable", "auto-renewable", "non-renewing"], [false, true])
    func `A refund concerns all copies of a purchase`(type: String, isByCopy: Bool) async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            let id = try await shop.buy(type, "words", ["customer": "anna"])["transactionID"].text
            shop.clock.advance(by: 60)
            let restored = try await shop.send(.post, "/simulator/v1/transactions/\(id)/restore")
            let copy = restored.json["transactionID"].text
            let again = try await shop.send(
                .post, "/simulator/v1/transactions/\(copy)/restore", ["customer": "bert"])
            let ids = [id, copy, again.json["transactionID"].text]
            let caller = try await Caller(shop)
            let revision = try await caller.get("v2/history/\(id)")["revision"].text
            let refunded = try await shop.act("transactions/\(isByCopy ? copy : id)/refund", ["percentage": 40_000])
            #expect(refunded["transactionID"].text == (isByCopy ? copy : id))
            let date = JSONValue.integer(shop.clock.now.milliseconds)
            for id in ids {
                let payload = try await Self.transaction(id, caller)
                #expect(payload["revocationDate"] == date && payload["revocationPercentage"] == 40_000, "\(id)")
            }
            // One notification of the refund, about what was bought.
            #expect(try await shop.reported().map(\.kind).last == "REFUND")
            #expect(try await shop.reported().last?.transaction["transactionId"].text == id)
            #expect(try await shop.reported().filter { $0.kind == "REFUND" }.count == 1)
            #expect(try await shop.revocations(of: "anna") == 2)
            #expect(try await shop.revocations(of: "bert") == 1)
            let changed = try await caller.get("v2/history/\(id)?revision=\(revision)")["signedTransactions"]
            #expect(Set(try Caller.ids(changed)) == Set(ids.prefix(2)))
            _ = try await shop.act("transactions/\(ids[2])/refund-reversed")
            for id in ids { #expect(try await Self.transaction(id, caller)["revocationDate"] == .null) }
            #expect(try await shop.revocations(of: "anna") == 0)
        }
    }

    private static func transaction(_ id: String, _ caller: Caller) async throws -> JSONValue {
        try SignedMessage.payload(try await caller.get("v1/transactions/\(id)")["signedTransactionInfo"])
    }

    @Test func `A consumable cannot be restored`() async throws {
        try await Shop.open { shop in
            let id = try await shop.buy("consumable", "hints")["transactionID"].text
            let answer = try await shop.send(.post, "/simulator/v1/transactions/\(id)/restore")
            #expect(answer.status == .conflict && answer.json["code"] == "not_restorable")
            #expect(try await shop.send(.post, "/simulator/v1/transactions/1/restore").status == .notFound)
        }
    }

    @Test func `A finished consumable leaves the app receipt`() async throws {
        try await Shop.open { shop in
            let hints = try await shop.buy("consumable", "hints")
            let words = try await shop.buy("non-consumable", "words")
            let path = "/simulator/v1/customers/common/transactions?bundleID=\(Shop.app)"
            #expect(try Caller.ids(try await shop.send(.get, path).json["transactions"]).count == 2)
            for bought in [hints, words] {
                let answer = try await shop.act("transactions/\(bought["transactionID"].text)/finish")
                #expect(answer["transactionID"] == bought["transactionID"])
            }
            let rest = try Caller.ids(try await shop.send(.get, path).json["transactions"])
            #expect(rest == [words["transactionID"].text])
            #expect(try await shop.send(.post, "/simulator/v1/transactions/1/finish").status == .notFound)
        }
    }

    /// The family's copies renew with the purchaser's subscription, and end with it.
    @Test func `Copies for the family renew and end with the purchaser's subscription`() async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            let token = UUID().uuidString
            let order: [String: JSONValue] = ["customer": "anna", "period": "P7D", "appAccountToken": .string(token)]
            let id = try await shop.buy("auto-renewable", "club", order)["transactionID"].text
            let path = "/simulator/v1/transactions/\(id)/share"
            let shared = try await shop.send(.post, path, ["customer": "bert"])
            #expect(shared.status == .created)
            let copy = try SignedMessage.payload(shared.json["signedTransaction"])
            let own = shared.json["transactionID"]
            #expect(copy["inAppOwnershipType"] == "FAMILY_SHARED" && copy["originalTransactionId"] == own)
            #expect(own.text != id && !copy.names.contains("appAccountToken"))
            try await shop.advance(days: 8)
            let newest = try await shop.reported().last { $0.transaction["inAppOwnershipType"] == "PURCHASED" }
            let paid = try #require(newest).transaction["transactionId"].text
            _ = try await shop.act("transactions/\(paid)/refund", ["percentage": 40_000])
            let reported = try await shop.reported()
            #expect(
                reported.map { "\($0.kind) \($0.transaction["inAppOwnershipType"].text)" } == [
                    "SUBSCRIBED/INITIAL_BUY PURCHASED", "SUBSCRIBED/INITIAL_BUY FAMILY_SHARED", "DID_RENEW PURCHASED",
                    "DID_RENEW FAMILY_SHARED", "REFUND PURCHASED", "REVOKE FAMILY_SHARED",
                ])
            #expect(Set(reported.map { $0.transaction["appTransactionId"].text }).count == 2)
            let ends = reported.suffix(2).map(\.transaction)
            #expect(ends.map { $0["revocationType"] } == ["REFUND_PRORATED", "FAMILY_REVOKE"])
            #expect(ends.map { $0["revocationPercentage"] } == [40_000, .null])
            #expect(ends.allSatisfy { $0["revocationDate"] != .null })
        }
    }

    @Test func `A consumable or a copy cannot be shared, and a family has a limit`() async throws {
        try await Shop.open { shop in
            func share(_ id: JSONValue, _ customer: String) async throws -> Shop.Answer {
                try await shop.send(
                    .post, "/simulator/v1/transactions/\(id.text)/share", ["customer": .string(customer)])
            }
            let hints = try await shop.buy("consumable", "hints")["transactionID"]
            let words = try await shop.buy("non-consumable", "words")["transactionID"]
            for (id, customer) in [(hints, "bert"), (words, "common")] {
                let answer = try await share(id, customer)
                #expect(answer.status == .conflict && answer.json["code"] == "not_shareable")
            }
            let copy = try await share(words, "bert").json["transactionID"]
            #expect(try await share(copy, "carl").status == .conflict)
            for number in 1..<SimulatorLimits.familyMembers {
                #expect(try await share(words, "member \(number)").status == .created)
            }
            #expect(try await share(words, "one more").status == .conflict)
            #expect(try await share("1", "bert").status == .notFound)
            #expect(
                try await shop.send(.post, "/simulator/v1/transactions/\(words.text)/share", [:]).status
                    == .unprocessableContent)
        }
    }
}

extension Shop {
    /// The number of transactions in the customer's app receipt that have a cancellation date.
    fileprivate func revocations(of customer: String) async throws -> Int {
        let path = "/simulator/v1/customers/\(customer)/receipt?bundleID=\(Self.app)"
        let content = try ReceiptFile.attributes(try ReceiptFile(try await send(.get, path).json["appReceipt"]).content)
        return try (content[17] ?? []).filter { try ReceiptFile.attributes($0)[1712]?.first?.count ?? 0 > 2 }.count
    }
}
