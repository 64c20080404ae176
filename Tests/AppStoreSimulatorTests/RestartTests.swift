import Foundation
import HTTPTypes
import InAppPurchase
import Logging
import Synchronization
import TestSupport
import Testing

@testable import AppStoreSimulator

@Suite struct RestartTests {
    @Test func `After a restart the store has its keys and purchases`() async throws {
        let (store, clock) = (MemoryKeyValueStore(), TestClock())
        let (bought, roots) = try await Shop.open(store, clock: clock) { shop in
            (
                try await shop.buy("auto-renewable", "club"),
                [shop.simulator.rootCertificate, shop.simulator.receiptRootCertificate]
            )
        }
        let id = bought["transactionID"].text
        try await Shop.open(store, clock: clock) { shop in
            #expect([shop.simulator.rootCertificate, shop.simulator.receiptRootCertificate] == roots)
            #expect(try await shop.verifyReceipt(bought["appReceipt"])["status"] == 0)
            #expect(try await shop.verifyReceipt(bought["transactionReceipt"])["status"] == 0)
            clock.advance(by: 60)
            let renewed = try await shop.act("subscriptions/\(id)/renew")
            #expect(renewed["originalTransactionID"].text == id)
            let message = try SignedMessage(renewed["signedTransaction"])
            #expect(message.isSignatureValid)
            #expect(try await StorePolicy.accepts(message.certificates, root: roots[0], at: clock.now))
        }
        try await Shop.open(store, clock: clock) { shop in
            let answer = try await shop.verifyReceipt(bought["appReceipt"])
            #expect(answer["latest_receipt_info"].elements.count == 2)
        }
    }

    @Test func `Stores that start at once have the same keys`() async throws {
        let store = LateStore(base: MemoryKeyValueStore())
        var roots: Set<[[UInt8]]> = []
        for _ in 0..<2 {
            let simulator = try await AppStoreSimulator.open(store) { TestClock.start }
            roots.insert([simulator.rootCertificate, simulator.receiptRootCertificate])
        }
        #expect(roots.count == 1)
    }

    @Test func `Purchases at once are all recorded`() async throws {
        try await Shop.open { shop in
            let ids = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<50 { group.addTask { try await shop.buy("non-consumable")["transactionID"].text } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(ids.count == 50)
            let uri = "/simulator/v1/customers/common/receipt?bundleID=\(Shop.app)"
            let receipt = try await shop.send(.get, uri).json["appReceipt"]
            let entries = try await shop.verifyReceipt(receipt)["receipt"]["in_app"].elements
            #expect(Set(entries.map { $0["transaction_id"].text }) == ids)
        }
    }

    @Test func `Acts at once are all recorded`() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("auto-renewable")
            let id = bought["transactionID"].text
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await shop.act("subscriptions/\(id)/renew") } }
                try await group.waitForAll()
            }
            let numbers = try await PurchaseBook(store: shop.store) { 0 }.history(of: TransactionID(stored: id)).map(
                \.number)
            #expect(numbers == Array(1...21))
        }
    }

    /// When two processes renew at once, it is one renewal.
    @Test func `Two processes renew a subscription once`() async throws {
        try await Shop.open { shop in
            let id = TransactionID(stored: try await shop.buy("auto-renewable")["transactionID"].text)
            let other = PurchaseBook(store: shop.store) { Int.random(in: IdentifierSource.range) }
            let date = shop.clock.now
            let interrupted = InterruptedStore(base: shop.store, at: "simulator/changes/") {
                for _ in 0..<2 { _ = try await other.perform(.renew, on: id, at: date) }
            }
            let book = PurchaseBook(store: interrupted) { Int.random(in: IdentifierSource.range) }
            #expect(try await book.perform(.renew, on: id, at: date)?.newest.number == 2)
            let third = try await book.perform(.renew, on: id, at: date)
            #expect(third?.newest.number == 3)
            #expect(try await other.history(of: id).map(\.number) == [1, 2, 3])
            let receipt = try await shop.send(.get, "/simulator/v1/customers/common/receipt?bundleID=\(Shop.app)")
            let content = try ReceiptFile.attributes(try ReceiptFile(receipt.json["appReceipt"]).content)
            #expect(content[17]?.count == 3)
        }
    }

    /// A subscription that another process sold goes on in this one, once it has read the store again.
    @Test func `A subscription sold by another process goes on in this one`() async throws {
        try await Shop.open { shop in
            let id = try await Shop.open(shop.store, clock: shop.clock) { other in
                let bought = try await other.buy("auto-renewable", "club", ["period": "P7D"])
                return TransactionID(stored: bought["transactionID"].text)
            }
            shop.clock.advance(by: 8 * Shop.day)
            let timeline = shop.simulator.timeline(Logger(label: "test"))
            try await timeline.catchUp(to: shop.clock.now)
            #expect(try await timeline.performer.book.history(of: id).count == 1)
            try await timeline.readAgenda()
            try await timeline.catchUp(to: shop.clock.now)
            #expect(try await timeline.performer.book.history(of: id).count == 2)
        }
    }

    /// A question during a renewal is answered after its notification.
    @Test func `A request waits for a renewal that is happening`() async throws {
        try await Shop.open { shop in
            try await shop.sendNoNotifications()
            _ = try await shop.buy("auto-renewable", "club", ["period": "P7D"])
            let (reached, signal) = AsyncStream.makeStream(of: Void.self)
            let slow = InterruptedStore(base: shop.store, at: "simulator/notification-urls/") {
                signal.yield()
                try await Task.sleep(for: .milliseconds(300))
            }
            try await Shop.open(shop.store, through: slow, clock: shop.clock) { other in
                let timeline = other.simulator.timeline(Logger(label: "test"))
                let later = shop.clock.now + 8 * Shop.day
                async let renewal: Void = timeline.catchUp(to: later)
                for await _ in reached { break }
                try await timeline.catchUp(to: later)
                let place = AppPlace(app: BundleID(stored: Shop.app), environment: .production)
                let reported = try await NotificationBook(store: shop.store).deliveries(of: place)
                #expect(reported.count == 2)
                try await renewal
            }
        }
    }

    @Test func `IDs are never given out twice`() async throws {
        let numbers = Mutex([7, 7, 7, 8, 8, 9])
        try await Shop.open(draw: { numbers.withLock { $0.isEmpty ? 7 : $0.removeFirst() } }) { shop in
            var ids: [JSONValue] = []
            for _ in 0..<3 { ids.append(try await shop.buy("consumable")) }
            let expected = ["2000000000000007", "2000000000000008", "2000000000000009"]
            #expect(ids.map { $0["transactionID"].text } == expected)
            let order: JSONValue = ["bundleID": "a", "productID": "b", "type": "consumable"]
            #expect(try await shop.send(.post, "/simulator/v1/purchases", order).status == .internalServerError)
        }
    }
}
