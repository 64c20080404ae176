import Foundation
import HTTPTypes
import InAppPurchase
import TestSupport
import Testing

@testable import AppStoreSimulator

/// Notifications that nobody accepts.
@Suite struct NotificationLimitTests {
    /// The newest remain, in the history and in the queue; nothing is left of the others.
    @Test(arguments: [false, true])
    func `The oldest notifications make room for new ones`(isReopened: Bool) async throws {
        let (store, clock) = (MemoryKeyValueStore(), TestClock())
        try await Shop.open(store, clock: clock, notifications: isReopened ? 100 : 5) { shop in
            try await fill(shop)
            if !isReopened { try await check(shop) }
        }
        try await Shop.open(store, clock: clock, notifications: 5) { try await check($0) }
    }

    private func fill(_ shop: Shop) async throws {
        let late: JSONValue = ["late": 3_600]
        try #require(try await shop.send(.post, "/simulator/v1/notification-faults", late).status == .noContent)
        let nobody: JSONValue = ["url": "http://localhost:1/notifications"]
        try #require(try await shop.send(.put, "/simulator/v1/notification-url", nobody).status == .noContent)
        for number in 0..<12 { _ = try await shop.buy("consumable", "hints.\(number)") }
    }

    private func check(_ shop: Shop) async throws {
        let products = try await Caller(shop).history().map { item in
            let payload = try SignedMessage.payload(item["signedPayload"])
            return try SignedMessage.payload(payload["data"]["signedTransactionInfo"])["productId"].text
        }
        #expect(products == (7..<12).map { "hints.\($0)" })
        for prefix in ["simulator/notifications/", "simulator/deliveries/"] {
            #expect(await shop.store.values(withPrefix: prefix).count == 5)
        }
    }

    /// Due notifications are sent in order, whichever became due when.
    @Test func `The notifications that remain are sent in order`() async throws {
        let (store, clock) = (MemoryKeyValueStore(), TestClock())
        try await Receiver.run { receiver in
            try await Shop.open(store, clock: clock, notifications: 5) { shop in
                try await fill(shop)
                // A notification on its way keeps its URL; the test gives it that of a running server.
                for (key, value) in await store.values(withPrefix: "simulator/deliveries/") {
                    var delivery = try JSONDecoder().decode(NotificationDelivery.self, from: value)
                    delivery.url = receiver.url
                    await store.set([key: try JSONEncoder().encode(delivery)])
                }
            }
            try await Shop.open(store, clock: clock, notifications: 5) { shop in
                try await shop.advance(hours: 1)
                for number in 7..<12 {
                    let info = try await receiver.next()["data"]["signedTransactionInfo"]
                    #expect(try SignedMessage.payload(info)["productId"].text == "hints.\(number)")
                }
            }
        }
    }
}
