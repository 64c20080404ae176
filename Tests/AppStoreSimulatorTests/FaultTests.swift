import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InAppPurchase
import Logging
import NIOCore
import TestSupport
import Testing

@testable import AppStoreSimulator

@Suite struct FaultTests {
    @Test(arguments: [("production", 21_005), ("sandbox", 21_009)])
    func `A counted fault is for that many calls to the store`(environment: String, status: Int) async throws {
        try await Shop.open { shop in
            let receipt = try await shop.buy("consumable", "hints", ["environment": .string(environment.capitalized)])
            try await Self.post(["status": .integer(status), "count": 2], to: shop)
            for expected in [status, status, 0, 0] {
                // Neither purchases nor other calls of the simulator's own are calls to the store.
                _ = try await shop.buy("consumable")
                let answer = try await shop.verifyReceipt(receipt["appReceipt"], in: environment)
                #expect(answer["status"] == .integer(expected))
            }
        }
    }

    @Test func `A fault without a count lasts until it is removed`() async throws {
        try await Shop.open { shop in
            let receipt = try await shop.buy("consumable")["appReceipt"]
            let body = try JSONEncoder().encode(["receipt-data": receipt])
            try await Self.post(["http": 503], to: shop)
            for _ in 0..<20 {
                let answer = try await shop.send(.post, "/production/verifyReceipt", body: body)
                #expect(answer.status == .serviceUnavailable)
                #expect(answer.body.isEmpty)
            }
            #expect(try await shop.send(.delete, "/simulator/v1/faults").status == .noContent)
            #expect(try await shop.verifyReceipt(receipt)["status"] == 0)
            #expect(try await shop.send(.delete, "/simulator/v1/faults").status == .noContent)
        }
    }

    @Test func `A later fault replaces the one before`() async throws {
        try await Shop.open { shop in
            let receipt = try await shop.buy("consumable")["appReceipt"]
            try await Self.post(["http": 500], to: shop)
            try await Self.post(["status": 21_100, "count": 1], to: shop)
            #expect(try await shop.verifyReceipt(receipt)["status"] == 21_100)
            #expect(try await shop.verifyReceipt(receipt)["status"] == 0)
        }
    }

    @Test func `A delayed call is answered`() async throws {
        try await Shop.open { shop in
            let receipt = try await shop.buy("consumable")["appReceipt"]
            try await Self.post(["delaySeconds": .number(0.001), "count": 1], to: shop)
            #expect(try await shop.verifyReceipt(receipt)["status"] == 0)
            try await Self.post(["delaySeconds": 0, "status": 21_005], to: shop)
            #expect(try await shop.verifyReceipt(receipt)["status"] == 21_005)
        }
    }

    @Test(
        arguments: [
            [:], ["drop": .bool(false)], ["http": 99], ["http": 1_000], ["http": "503"], ["status": .integer(-1)],
            ["status": .integer(.max)], ["delaySeconds": .number(-1)], ["delaySeconds": .number(1e300)],
            ["delaySeconds": 601], ["http": 503, "count": 0], ["http": 503, "count": .integer(.max)],
        ] as [JSONValue])
    func `Impossible faults are refused`(fault: JSONValue) async throws {
        try await Shop.open { shop in
            let answer = try await shop.send(.post, "/simulator/v1/faults", fault)
            #expect(answer.status == .unprocessableContent)
        }
    }

    @Test func `A dropped connection gets no answer`() async throws {
        let simulator = try await AppStoreSimulator.open(MemoryKeyValueStore()) { TestClock.start }
        let application = simulator.buildApplication(host: "127.0.0.1", port: 0, logger: Logger(label: "test"))
        try await application.test(.live) { client in
            let fault = ByteBuffer(string: #"{"drop": true, "count": 1}"#)
            try await client.execute(uri: "/simulator/v1/faults", method: .post, body: fault) { response in
                #expect(response.status == .noContent)
            }
            await #expect(throws: (any Error).self) {
                try await client.execute(uri: "/production/verifyReceipt", method: .post) { _ in }
            }
        }
    }

    @Test func `A fault may be for one endpoint`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            let bought = try await shop.buy("auto-renewable")
            let id = bought["transactionID"].text
            try await Self.post(["errorCode": 4_040_002, "path": "/inApps/v2/history"], to: shop)
            try await Self.post(["garbage": .bool(true), "path": "/production/inApps/v1/subscriptions"], to: shop)
            #expect(try await caller.code(.get, "v2/history/\(id)") == 4_040_002)
            let garbage = try await caller.send(.get, "v1/subscriptions/\(id)")
            #expect(garbage.status == .ok && garbage.json == .null && !garbage.body.isEmpty)
            #expect(try await caller.send(.get, "v1/transactions/\(id)").status == .ok)
            #expect(try await shop.verifyReceipt(bought["appReceipt"])["status"] == 0)
            #expect(try await shop.send(.delete, "/simulator/v1/faults").status == .noContent)
            #expect(try await caller.send(.get, "v2/history/\(id)").status == .ok)
        }
    }

    @Test func `A simulated rate limit says when to ask again`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            let id = try await shop.buy("consumable")["transactionID"].text
            try await Self.post(["retryAfterSeconds": 90, "count": 1], to: shop)
            let answer = try await caller.send(.get, "v1/transactions/\(id)")
            #expect(answer.status == .tooManyRequests)
            #expect(answer.json["errorCode"] == 4_290_000)
            #expect(answer.headers[.retryAfter] == String(shop.clock.now.milliseconds + 90_000))
            #expect(try await caller.send(.get, "v1/transactions/\(id)").status == .ok)
        }
    }

    private static func post(_ fault: JSONValue, to shop: Shop) async throws {
        let answer = try await shop.send(.post, "/simulator/v1/faults", fault)
        #expect(answer.status == .noContent)
    }
}
