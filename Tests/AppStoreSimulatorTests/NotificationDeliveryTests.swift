import Foundation
import HTTPTypes
import InAppPurchase
import TestSupport
import Testing

@testable import AppStoreSimulator

@Suite struct NotificationDeliveryTests {
    @Test(arguments: [(2, [1, 12, 24, 48, 72]), (1, [6, 24, 48])])
    func `Production repeats a failed notification at the documented hours`(version: Int, hours: [Int]) async throws {
        let statuses = [HTTPResponse.Status](repeating: .serviceUnavailable, count: hours.count)
        try await Shop.opened(statuses: statuses, version: version) { shop, receiver in
            _ = try await shop.buy("auto-renewable")
            let first = try await receiver.nextBody()
            for (place, hour) in hours.enumerated() {
                var delivery = try await shop.delivery(after: place + 1)
                #expect(delivery.due == delivery.attempts.last.map { $0.date + TimeInterval(hour * 3_600) })
                try await shop.advance(hours: hour)
                #expect(try await receiver.nextBody() == first)
                delivery = try await shop.delivery(after: place + 2)
                #expect(delivery.attempts.last?.result == (place + 1 == hours.count ? .success : .unsuccessful))
            }
            #expect(try await shop.delivery(after: 1 + hours.count).due == nil)
        }
    }

    @Test func `The sandbox sends a notification once`() async throws {
        try await Shop.opened(statuses: [.internalServerError]) { shop, receiver in
            _ = try await shop.buy("consumable", "hints", ["environment": "Sandbox"])
            let first = try await receiver.next()
            try await shop.advance(hours: 2)
            _ = try await shop.buy("consumable", "hints", ["environment": "Sandbox"])
            #expect(try await receiver.next()["notificationUUID"] != first["notificationUUID"])
            let caller = try await Caller(shop, environment: "sandbox")
            try await shop.waitForAttempts(2, caller)
            let all = try await caller.history()
            #expect(all.map { $0["sendAttempts"].elements.count } == [1, 1])
            let failed = try await caller.history(["onlyFailures": .bool(true)])
            #expect(failed.count == 1)
            #expect(
                failed.first?["sendAttempts"].elements.first?["sendAttemptResult"] == "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
        }
    }

    @Test func `A failed notification is sent after a restart`() async throws {
        let store = MemoryKeyValueStore()
        let clock = TestClock()
        try await Shop.open(store, clock: clock) { shop in
            let nobody: JSONValue = ["url": "http://localhost:1/notifications"]
            #expect(try await shop.send(.put, "/simulator/v1/notification-url", nobody).status == .noContent)
            _ = try await shop.buy("consumable", "hints")
            let caller = try await Caller(shop)
            try await shop.waitForAttempts(1, caller)
            let attempt = try await caller.history().first?["sendAttempts"].elements.first
            #expect(attempt?["sendAttemptResult"] == "SOCKET_ISSUE")
        }
        try await Receiver.run { receiver in
            // A notification on its way keeps its URL; the test gives it that of a running server.
            for (key, value) in await store.values where key.hasPrefix("simulator/deliveries/") {
                var delivery = try JSONDecoder().decode(NotificationDelivery.self, from: value)
                delivery.url = receiver.url
                await store.set([key: try JSONEncoder().encode(delivery)])
            }
            try await Shop.open(store, clock: clock) { shop in
                try await shop.advance(hours: 1)
                #expect(try await receiver.nextKind() == "ONE_TIME_CHARGE")
            }
        }
    }

    @Test func `Notifications can be lost, doubled, delayed and reordered`() async throws {
        try await Shop.opened { shop, receiver in
            func fault(_ fault: JSONValue) async throws {
                let answer = try await shop.send(.post, "/simulator/v1/notification-faults", fault)
                #expect(answer.status == .noContent)
            }
            func product() async throws -> String {
                let info = try await receiver.next()["data"]["signedTransactionInfo"]
                return try SignedMessage.payload(info)["productId"].text
            }
            try await fault(["duplicate": 1])
            for name in ["a", "b"] { _ = try await shop.buy("consumable", name) }
            var products: [String] = []
            for _ in 0..<3 { products.append(try await product()) }
            #expect(products == ["a", "a", "b"])
            try await fault(["reorder": .bool(true)])
            for name in ["c", "d", "e", "f"] { _ = try await shop.buy("consumable", name) }
            var order: [String] = []
            for _ in 0..<4 { order.append(try await product()) }
            #expect(order.firstIndex(of: "d") ?? 9 < order.firstIndex(of: "c") ?? 0)
            try await fault(["late": 3_600])
            _ = try await shop.buy("consumable", "late")
            #expect(try await shop.send(.delete, "/simulator/v1/notification-faults").status == .noContent)
            _ = try await shop.buy("consumable", "soon")
            #expect(try await product() == "soon")
            try await shop.advance(hours: 1)
            #expect(try await product() == "late")
            try await fault(["drop": 1])
            _ = try await shop.buy("consumable", "lost")
            _ = try await shop.buy("consumable", "found")
            #expect(try await product() == "found")
            try await shop.advance(hours: 1)
            #expect(try await product() == "lost")
            for wrong in [[:], ["drop": 0], ["late": .number(1e300)], ["duplicate": "1"]] as [JSONValue] {
                let answer = try await shop.send(.post, "/simulator/v1/notification-faults", wrong)
                #expect(answer.status == .unprocessableContent)
            }
        }
    }

    @Test func `The notification history has pages and filters`() async throws {
        try await Shop.opened { shop, receiver in
            let caller = try await Caller(shop)
            let hints = try await shop.buy("consumable", "hints", ["customer": "other"])["transactionID"].text
            for _ in 0..<24 { _ = try await shop.buy("non-consumable") }
            let club = try await shop.buy("auto-renewable")["transactionID"].text
            _ = try await shop.act("subscriptions/\(club)/cancel")
            for _ in 0..<27 { _ = try await receiver.next() }
            try await shop.waitForAttempts(27, caller)
            let all = try await caller.history()
            #expect(all.count == 27)
            #expect(try await caller.history(["transactionId": .string(hints)]).count == 1)
            #expect(try await caller.history(["transactionId": .string(club)]).count == 26)
            #expect(try await caller.history(["notificationType": "SUBSCRIBED"]).count == 1)
            #expect(try await caller.history(["onlyFailures": .bool(true)]).isEmpty)
            let day = 86_400_000
            let now = shop.clock.now.milliseconds
            let range: [String: JSONValue] = ["startDate": .integer(now - day), "endDate": .integer(now)]
            let wrong: [([String: JSONValue], Int)] = [
                (["startDate": .null], 4_000_015), (["endDate": "x"], 4_000_016),
                (["startDate": .integer(now + 1)], 4_000_013),
                (["startDate": .integer(now - 181 * day)], 4_000_012), (["notificationType": "X"], 4_000_018),
                (["notificationSubtype": "X"], 4_000_018), (["transactionId": "x"], 4_000_006),
                (["transactionId": "1"], 4_040_010),
                (["notificationType": "TEST", "transactionId": .string(club)], 4_000_019),
            ]
            let path = "v1/notifications/history"
            for (change, code) in wrong {
                let body = JSONValue.object(range.merging(change) { $1 })
                #expect(try await caller.code(.post, path, body) == code, "\(change)")
            }
            let token = try await caller.send(.post, path, .object(range)).json["paginationToken"].text
            #expect(!token.isEmpty)
            #expect(try await caller.code(.post, "\(path)?paginationToken=x", .object(range)) == 4_000_014)
            let other = JSONValue.object(range.merging(["onlyFailures": .bool(true)]) { $1 })
            #expect(try await caller.code(.post, "\(path)?paginationToken=\(token)", other) == 4_000_014)
            shop.clock.advance(by: 86_401)
            let later = try await Caller(shop)
            #expect(try await later.code(.post, "\(path)?paginationToken=\(token)", .object(range)) == 4_000_017)
        }
    }

    @Test func `A test notification is sent, and its status is known`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            #expect(try await caller.code(.post, "v1/notifications/test") == 4_040_007)
        }
        try await Shop.opened { shop, receiver in
            let caller = try await Caller(shop)
            let token = try await caller.send(.post, "v1/notifications/test").json["testNotificationToken"].text
            let payload = try await receiver.next()
            #expect(payload["notificationType"] == "TEST")
            #expect(!payload["data"].names.contains("signedTransactionInfo"))
            try await shop.waitForAttempts(1, caller)
            let status = try await caller.get("v1/notifications/test/\(token)")
            #expect(try SignedMessage.payload(status["signedPayload"]) == payload)
            #expect(status["sendAttempts"].elements.map { $0["sendAttemptResult"] } == ["SUCCESS"])
            #expect(try await caller.code(.get, "v1/notifications/test/x") == 4_000_020)
            #expect(try await caller.code(.get, "v1/notifications/test/\(UUID().uuidString)_1") == 4_040_008)
        }
    }

    @Test func `The notification URL of an app is used before the general one`() async throws {
        try await Shop.open { shop in
            let path = "/simulator/v1/notification-url"
            await shop.simulator.setNotificationURL("http://localhost:2/standard")
            #expect(try await shop.send(.get, path).json["url"] == "http://localhost:2/standard")
            _ = try await shop.send(.put, path, ["url": "http://localhost:2/all", "version": 1, "password": "s"])
            _ = try await shop.send(
                .put, path, ["url": "https://localhost/one", "bundleID": "a", "environment": "Sandbox"])
            #expect(
                try await shop.send(.get, "\(path)?bundleID=a&environment=Sandbox").json["url"]
                    == "https://localhost/one")
            let other = try await shop.send(.get, "\(path)?bundleID=a&environment=Production").json
            #expect(other == ["url": "http://localhost:2/all", "version": 1])
            for wrong in [["url": "ftp://a"], ["url": "http://"], ["url": "http://a", "version": 3]] as [JSONValue] {
                #expect(try await shop.send(.put, path, wrong).status == .unprocessableContent)
            }
            #expect(try await shop.send(.delete, path).status == .noContent)
            #expect(try await shop.send(.get, path).json["url"] == "http://localhost:2/standard")
        }
    }
}
