import Foundation
import HTTPTypes
import InAppPurchase
import TestSupport
import Testing

@testable import AppStoreSimulator

@Suite struct ClockTests {
    @Test func `The offset of the store's clock moves it and survives a restart`() async throws {
        let (store, clock, path) = (MemoryKeyValueStore(), TestClock(), "/simulator/v1/clock")
        try await Shop.open(store, clock: clock) { shop in
            let id = try await shop.buy("auto-renewable", "club", ["renews": .bool(false)])["transactionID"].text
            let caller = try await Caller(shop)
            for (body, offset) in [(["offsetSeconds": 60], 60), (["advanceSeconds": 2_678_400], 2_678_460)]
                as [(JSONValue, Int)]
            {
                let answer = try await shop.send(.post, path, body).json
                #expect(answer["offsetSeconds"] == .integer(offset))
                #expect(answer["now"].text == (clock.now + Double(offset)).rfc3339)
            }
            // The month is over for the store; the calling server has its own time.
            let statuses = try await caller.get("v1/subscriptions/\(id)")["data"].elements
            #expect(statuses.first?["lastTransactions"].elements.first?["status"] == 2)
        }
        try await Shop.open(store, clock: clock) { shop in
            let kept = try await shop.send(.get, path).json
            #expect(kept["offsetSeconds"] == 2_678_460)
            #expect(try await shop.send(.delete, path).json["now"].text == clock.now.rfc3339)
            for wrong in [[:], ["offsetSeconds": 1, "advanceSeconds": 1], ["offsetSeconds": .number(1e300)]]
                as [JSONValue]
            {
                #expect(try await shop.send(.post, path, wrong).status == .unprocessableContent)
            }
            #expect(try await shop.send(.get, path).json["offsetSeconds"] == 0)
        }
    }
}
