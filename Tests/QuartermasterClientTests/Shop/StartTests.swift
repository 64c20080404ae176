import Foundation
import TestSupport
import Testing

@testable import QuartermasterClient

@Suite(
    "The start of a shop, and its return to the foreground", .enabled(if: ShopServer.isBuilt), .timeLimit(.minutes(10)))
struct StartTests {
    /// Long enough for a loop that must not run to begin its wait.
    private static let moment = Duration.milliseconds(500)

    @Test func `Two windows start one shop`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Device.newFolder()
        let nowhere = try #require(URL(string: "http://127.0.0.1:\(try freePort())"))
        var phone = try await Device(server, customer: "ada", folder: folder)
        #expect(try await phone.shop.buy("words") == .delivered)
        await phone.quit()
        phone = try await Device(server, customer: "ada", folder: folder, at: nowhere)
        #expect(try await phone.shop.buy("hints") == .waiting(provisionalUntil: nil))
        await phone.quit()

        let waits = Waits(isEndless: true)
        var setup = Device.Setup()
        (setup.address, setup.clock, setup.starts) = (nowhere, waits.clock, false)
        phone = try await Device(server, customer: "ada", folder: folder, setup)
        let shop = phone.shop
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { await shop.start() } }
        }
        await shop.resume()
        // One wait of the engine that has the purchase, and one of the refresh.
        try await eventually("both wait") { waits.running == 2 }
        try await Task.sleep(for: Self.moment)
        #expect(waits.running == 2)
        #expect(await phone.shop.state.waitingTransactions == 1)
        await phone.quit()
        try await server.end()
    }

    @Test func `Ten returns to the foreground without a network end, and leave one loop that tries again`() async throws
    {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        proxy.decide { _ in .drop }
        let waits = Waits(isEndless: true)
        let phone = try await Device(
            server, customer: "ada", folder: Device.newFolder(), at: proxy.url, clock: waits.clock)
        for _ in 0..<5 { await phone.shop.resume() }
        let shop = phone.shop
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { await shop.resume() } }
        }
        #expect(await !phone.shop.state.isOnline)
        #expect(await phone.shop.state.account == .none)
        try await eventually("it waits") { waits.running > 0 }
        try await Task.sleep(for: Self.moment)
        #expect(waits.running == 1)
        proxy.decide { _ in .forward }
        waits.end()
        try await phone.waits(for: "the products, without a further call") { $0.isOnline && !$0.products.isEmpty }
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }

    @Test func `Returns at once are one request`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let phone = try await Device(server, customer: "ada", folder: Device.newFolder(), at: proxy.url)
        try await phone.waits(for: "the products") { $0.isOnline }
        await phone.shop.resume()
        let waits = Waits(isEndless: true)
        proxy.hold { _ in try? await waits.clock.sleep(.seconds(1)) }
        proxy.decide { _ in .forward }
        let shop = phone.shop
        async let all: Void = withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { await shop.resume() } }
        }
        try await eventually("a request is held") { waits.running > 0 }
        try await Task.sleep(for: Self.moment)
        waits.end()
        await all
        #expect(proxy.exchanges.count { $0.request.path.hasSuffix("/products") } == 1)
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }

    @Test func `Products that are built in are shown before the server has answered`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let nowhere = try #require(URL(string: "http://127.0.0.1:\(try freePort())"))
        var setup = Device.Setup()
        setup.address = nowhere
        setup.builtIn = [ListedProduct(id: "words", type: .nonConsumable, bundles: ["hard-words"])]
        let folder = Device.newFolder()
        var phone = try await Device(server, customer: "ada", folder: folder, setup)
        try await phone.waits(for: "the store's price, without the server") { state in
            state.products.map(\.id) == ["words"] && state.products.allSatisfy { $0.displayPrice != nil }
        }
        #expect(await !phone.shop.state.isOnline)
        await phone.quit()
        setup.address = nil
        phone = try await Device(server, customer: "ada", folder: folder, setup)
        try await phone.waits(for: "the server's list") { $0.products.count == 5 }
        await phone.quit()
        try await server.end()
    }
}
