import Crypto
import Foundation
import HTTPTypes
import InAppPurchase
import Testing

@testable import AppStoreSimulator

@Suite struct ServerAPITests {
    @Test func `A transaction is found by its own app in its own environment`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            let bought = try await shop.buy("consumable", "hints")
            let id = bought["transactionID"].text
            let path = "v1/transactions/\(id)"
            let message = try SignedMessage(try await caller.get(path)["signedTransactionInfo"])
            #expect(message.isSignatureValid)
            #expect(message.payload == (try SignedMessage.payload(bought["signedTransaction"])))
            let elsewhere = try await Caller(shop, environment: "sandbox")
            #expect(try await elsewhere.code(.get, path) == 4_040_010)
            let another = try await Caller(shop, app: "com.example.other")
            for path in [path, "v2/history/\(id)", "v1/subscriptions/\(id)", "v2/refund/lookup/\(id)"] {
                #expect(try await another.code(.get, path) == 4_040_010)
            }
        }
    }

    @Test(arguments: ["abc", "-1", "123456789012345678901", "%2B1", "1.5"])
    func `Malformed transaction IDs have the error codes of Apple`(id: String) async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            for path in ["v1/transactions/", "v2/history/", "v1/subscriptions/", "v2/refund/lookup/"] {
                #expect(try await caller.code(.get, path + id) == 4_000_006)
            }
            let order: JSONValue = ["extendByDays": 1, "extendReasonCode": 0, "requestIdentifier": "a"]
            #expect(try await caller.code(.put, "v1/subscriptions/extend/\(id)", order) == 4_000_008)
            #expect(try await caller.get("v1/lookup/\(id)") == ["status": 1])
        }
    }

    @Test func `Only a fresh token of the app itself is accepted`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            let path = "v1/transactions/\(try await shop.buy("consumable")["transactionID"].text)"
            let now = Int(shop.clock.now.timeIntervalSince1970)
            var tokens = ["", "a.b", "a.b.c", "é.é.é"]
            let wrong: [(String, JSONValue)] = [
                ("aud", "other"), ("iss", "other"), ("bid", "com.example.unknown"), ("exp", .integer(now)),
                ("exp", .integer(now + 3_601)), ("iat", .integer(now + 61)), ("exp", .number(1e300)), ("exp", "soon"),
            ]
            for (name, value) in wrong {
                var forger = caller
                forger.claims[name] = value
                tokens.append(try forger.token())
            }
            for (name, value) in [("alg", "none"), ("kid", "ABCDEFGHIJ"), ("typ", "other")] {
                var forger = caller
                forger.header[name] = .string(value)
                tokens.append(try forger.token())
            }
            tokens.append(try caller.token(signedWith: P256.Signing.PrivateKey().pemRepresentation))
            for token in tokens {
                let answer = try await caller.send(.get, path, token: token)
                #expect(answer.status == .unauthorized)
                #expect(answer.body.isEmpty)
            }
            #expect(try await caller.send(.get, path).status == .ok)
            // Apple's own libraries leave it out.
            var library = caller
            library.claims["iat"] = nil
            #expect(try await library.send(.get, path).status == .ok)
            library.claims["exp"] = .integer(now + 3_601)
            #expect(try await library.send(.get, path).status == .unauthorized)
            #expect(try await shop.send(.get, "/production/inApps/\(path)").status == .unauthorized)
        }
    }

    @Test func `Subscription statuses are those of every subscription of the customer`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            var lines: [String: (String, Int)] = [:]
            let acts = [("renew", 1), ("expire", 2), ("billing-retry", 3), ("grace", 4), ("revoke", 5)]
            for (act, status) in acts {
                let id = try await shop.buy("auto-renewable", act)["transactionID"].text
                let answer = try await shop.act("subscriptions/\(id)/\(act)")
                lines[id] = (answer["transactionID"].text, status)
            }
            let any = try #require(lines.keys.first)
            let appTransaction = try SignedMessage.payload(
                try await caller.get("v1/transactions/\(any)")["signedTransactionInfo"])["appTransactionId"].text
            for path in [any, appTransaction] {
                let answer = try await caller.get("v1/subscriptions/\(path)")
                #expect(answer["data"].elements.count == 5)
                let last = answer["data"].elements.flatMap { $0["lastTransactions"].elements }
                for entry in last {
                    let expected = try #require(lines[entry["originalTransactionId"].text])
                    #expect(entry["status"] == .integer(expected.1))
                    let info = try SignedMessage.payload(entry["signedTransactionInfo"])
                    #expect(info["transactionId"].text == expected.0)
                }
            }
            let some = try await caller.get("v1/subscriptions/\(any)?status=1&status=4")
            let statuses = some["data"].elements.flatMap { $0["lastTransactions"].elements.map { $0["status"] } }
            #expect(statuses.count == 2 && statuses.contains(1) && statuses.contains(4))
            #expect(try await caller.code(.get, "v1/subscriptions/\(any)?status=6") == 4_000_031)
            #expect(try await caller.code(.get, "v1/transactions/\(appTransaction)") == 4_000_048)
            let app = try SignedMessage.payload(
                try await caller.get("v1/transactions/appTransactions/\(any)")["signedAppTransactionInfo"])
            #expect(app["appTransactionId"].text == appTransaction)
            #expect(app["receiptType"] == "Production")
        }
    }

    @Test func `Refunds and orders are looked up`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            var ids: [String] = []
            for _ in 0..<21 {
                ids.append(try await shop.buy("consumable")["transactionID"].text)
                _ = try await shop.act("transactions/\(ids.last ?? "")/refund")
            }
            let kept = try await shop.buy("consumable")
            let path = "v2/refund/lookup/\(kept["transactionID"].text)"
            let first = try await caller.get(path)
            #expect(first["hasMore"] == .bool(true))
            let second = try await caller.get("\(path)?revision=\(first["revision"].text)")
            #expect(second["hasMore"] == .bool(false))
            let found = try Caller.ids(first["signedTransactions"]) + Caller.ids(second["signedTransactions"])
            #expect(found == ids)
            let order = try await caller.get("v1/lookup/\(kept["orderID"].text)")
            #expect(order["status"] == 0)
            #expect(try Caller.ids(order["signedTransactions"]) == [kept["transactionID"].text])
            let sandbox = try await Caller(shop, environment: "sandbox")
            let none = try await sandbox.send(.get, "v1/lookup/\(kept["orderID"].text)")
            #expect(none.status == .notFound && none.json["code"] == "not_found")
        }
    }
}
