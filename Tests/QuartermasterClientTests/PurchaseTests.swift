import Foundation
import TestSupport
import Testing

@testable import QuartermasterClient

@Suite("Purchases through a real server and the simulated App Store", .enabled(if: ShopServer.isBuilt))
struct PurchaseTests {
    private static func folder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "qm-device-\(UUID().uuidString)")
    }

    @Test func `All four product types are bought, and come to a second device with the recovery code`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let phone = try await Device(server, customer: "ada", folder: Self.folder())
        try await phone.waits(for: "the products") { state in
            !state.products.isEmpty && state.products.allSatisfy { $0.state == .available }
        }

        #expect(await phone.shop.state.balances == ["hints": 20])
        for product in ["hints", "words", "night", "club"] { #expect(try await phone.shop.buy(product) == .delivered) }
        // The store may hand over once more what it sold.
        try await phone.waits(for: "all that was bought") { state in
            state.balances == ["hints": 30] && state.waitingTransactions == 0
                && ["words", "night", "club"].allSatisfy { state.hasAccess(to: $0) }
        }
        let state = await phone.shop.state

        let code = try #require(try await phone.shop.recoveryCode())
        let tablet = try await Device(server, customer: "ada", folder: Self.folder())
        try await tablet.shop.signIn(recoveryCode: code)
        let there = await tablet.shop.state
        #expect(there.account == state.account)
        #expect(there.balances == ["hints": 30])
        #expect(["words", "night", "club"].allSatisfy { there.hasAccess(to: $0) })
        await phone.quit()
        await tablet.quit()
        try await server.end()
    }

    @Test func `A refund ends access at the next refresh`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let phone = try await Device(server, customer: "ada", folder: Self.folder())
        #expect(try await phone.shop.buy("words") == .delivered)
        let id = try #require(try await phone.source.history().first?.id)
        try await server.simulate("transactions/\(id)/refund")
        try await eventually("the refund has arrived") {
            try await phone.shop.refresh()
            return await !phone.shop.state.hasAccess(to: "words")
        }
        await phone.quit()
        try await server.end()
    }

    @Test func `A purchase that waits for approval is delivered when it is approved`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let phone = try await Device(server, customer: "kid", folder: Self.folder())
        await phone.source.setAsksToBuy(true)
        #expect(try await phone.shop.buy("words") == .pending)
        try await phone.waits(for: "the shop shows that it waits") { state in
            state.products.contains { $0.id == "words" && $0.state == .pending }
        }
        try await server.simulate("purchases/\(try #require(await phone.source.lastPending))/approve")
        try await phone.waits(for: "the purchase") { $0.hasAccess(to: "words") }
        try await phone.waits(for: "the transaction is finished") { $0.waitingTransactions == 0 }
        await phone.quit()
        try await server.end()
    }

    @Test func `A purchase that the customer cancels is reported, and can be made afterwards`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let phone = try await Device(server, customer: "ada", folder: Self.folder())
        await phone.source.setCancels(true)
        #expect(try await phone.shop.buy("words") == .cancelled)
        #expect(await phone.shop.state.waitingTransactions == 0)
        #expect(try await phone.source.history().isEmpty)
        await phone.source.setCancels(false)
        #expect(try await phone.shop.buy("words") == .delivered)
        await phone.quit()
        try await server.end()
    }

    @Test
    func `A purchase made while the server is away is delivered when it is back, also after a restart`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        var phone = try await Device(server, customer: "ada", folder: folder)
        #expect(try await phone.shop.buy("hints") == .delivered)
        let proxy = try freePort()
        await phone.quit()
        // The server cannot be reached at this address, but the store can.
        let nowhere = try #require(URL(string: "http://127.0.0.1:\(proxy)"))
        phone = try await Device(server, customer: "ada", folder: folder, at: nowhere)
        #expect(try await phone.shop.buy("words") == .waiting(provisionalUntil: nil))
        #expect(await phone.shop.state.waitingTransactions == 1)
        #expect(await phone.shop.state.balances == ["hints": 30])
        await phone.quit()
        phone = try await Device(server, customer: "ada", folder: folder)
        try await phone.waits(for: "the delivery") { $0.hasAccess(to: "words") && $0.waitingTransactions == 0 }
        await phone.quit()
        try await server.end()
    }

    /// How often each of two devices is started; `make check-client` says more.
    private static let starts =
        ProcessInfo.processInfo.environment["QUARTERMASTER_CLIENT_STARTS"].flatMap(Int.init) ?? 5

    @Test
    func `Two accounts of a customer take no purchases from each other, and a restore transfers once`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folders = [Self.folder(), Self.folder()]
        let first = try await Device(server, customer: "ada", folder: folders[0])
        #expect(try await first.shop.buy("club") == .delivered)
        let line = try #require(try await first.source.history().first { $0.productID == "club" }).id
        let second = try await Device(server, customer: "ada", folder: folders[1])
        #expect(try await second.shop.buy("hints") == .delivered)
        await first.quit()
        await second.quit()
        for _ in 0..<Self.starts {
            try await server.simulate("subscriptions/\(line)/renew")
            for folder in folders {
                let device = try await Device(server, customer: "ada", folder: folder)
                try await device.waits(for: "a refresh") { $0.isOnline }
                try await device.waits(for: "the renewal was sent") { $0.waitingTransactions == 0 }
                #expect(await device.shop.state.hasAccess(to: "club") == (folder == folders[0]))
                await device.quit()
            }
        }
        // Evidence for a transfer must be newer, by whole seconds, than what the owner has shown.
        try await server.simulate("clock", #"{"advanceSeconds": 5}"#)
        let device = try await Device(server, customer: "ada", folder: folders[1])
        #expect(try await device.shop.restore().verified > 0)
        #expect(await device.shop.state.hasAccess(to: "club"))
        #expect(await device.shop.state.ownedByAnotherAccount == nil)
        await device.quit()
        let loser = try await Device(server, customer: "ada", folder: folders[0])
        try await loser.waits(for: "what the other has taken") { !$0.hasAccess(to: "club") }
        await loser.quit()
        try await server.end()
    }

    @Test func `A sandbox customer's credits are there after a restart and can be spent`() async throws {
        let server = try await ShopServer(catalog: #""sandbox": "everyone", \#(ShopServer.catalog)"#)
        try await server.start()
        let folder = Self.folder()
        var phone = try await Device(server, customer: "tester", folder: folder, environment: .sandbox)
        #expect(try await phone.shop.buy("hints") == .delivered)
        await phone.quit()
        phone = try await Device(server, customer: "tester", folder: folder, environment: .sandbox)
        try await phone.waits(for: "the credits") { $0.balances == ["hints": 30] && $0.isOnline }
        #expect(try await phone.shop.spend(1, of: "hints") == 29)
        #expect(await phone.shop.state.balances == ["hints": 29])
        await phone.quit()
        try await server.end()
    }
}
