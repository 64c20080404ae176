import Foundation
import HTTPTypes
import InAppPurchase
import Testing

@testable import AppStoreSimulator

extension Shop {
    /// Puts the store's clock forward.
    func advance(hours: Int) async throws {
        let body: JSONValue = ["advanceSeconds": .integer(hours * 3_600)]
        try #require(try await send(.post, "/simulator/v1/clock", body).status == .ok)
    }

    /// The only delivery, once this many attempts are recorded.
    func delivery(after attempts: Int) async throws -> NotificationDelivery {
        while true {
            let delivery = try #require(try await NotificationBook(store: store).deliveries().first)
            if delivery.attempts.count >= attempts { return delivery }
            await Task.yield()
        }
    }

    /// Waits until the store has recorded how this many attempts ended, which it does after the server got its
    /// notification.
    func waitForAttempts(_ count: Int, _ caller: Caller) async throws {
        while try await caller.history().reduce(0, { $0 + $1["sendAttempts"].elements.count }) < count {
            await Task.yield()
        }
    }
}

extension Caller {
    /// All pages.
    func history(_ filter: [String: JSONValue] = [:]) async throws -> [JSONValue] {
        let now = shop.clock.now.milliseconds
        let range: [String: JSONValue] = [
            "startDate": .integer(now - 86_400_000), "endDate": .integer(now + 86_400_000),
        ]
        let body = JSONValue.object(range.merging(filter) { $1 })
        var (found, query): ([JSONValue], String) = ([], "")
        while true {
            let page = try await send(.post, "v1/notifications/history\(query)", body)
            try #require(page.status == .ok)
            found += page.json["notificationHistory"].elements
            guard page.json["hasMore"] == .bool(true) else { return found }
            query = "?paginationToken=\(page.json["paginationToken"].text)"
        }
    }
}
