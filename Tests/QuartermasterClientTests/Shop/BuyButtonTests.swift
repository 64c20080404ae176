import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QuartermasterClient

@Suite("The buy button", .enabled(if: ShopServer.isBuilt), .timeLimit(.minutes(10))) struct BuyButtonTests {
    /// Runs a test with a server, a simulated App Store behind a proxy, and a device that knows the products.
    private static func run(
        _ test: @Sendable (ShopServer, DownloadProxy, Device) async throws -> Void
    ) async throws {
        let server = try await ShopServer()
        try await server.start()
        let store = try await DownloadProxy.start(upstream: server.simulator)
        var setup = Device.Setup()
        setup.store = store.url
        let phone = try await Device(server, customer: "ada", folder: Device.newFolder(), setup)
        try await phone.waits(for: "the products") { state in
            !state.products.isEmpty && state.products.allSatisfy { $0.state == .available }
        }
        try await test(server, store, phone)
        await phone.quit()
        try await store.stop()
        try await server.end()
    }

    /// Long enough for the second tap to arrive.
    private static let tap = Duration.milliseconds(500)

    /// The states that a view was told.
    private final class Shown: Sendable {
        let states = Mutex<[ShopState]>([])
    }

    private static func sales(_ store: DownloadProxy) -> Int {
        store.exchanges.count { $0.request.path == "/simulator/v1/purchases" }
    }

    @Test func `A purchase that fails leaves a product that can be bought`() async throws {
        try await Self.run { (_, store, phone) async throws in
            let shown = Shown()
            let view = Task { for await state in phone.shop.states() { shown.states.withLock { $0.append(state) } } }
            store.decide { $0.path == "/simulator/v1/purchases" ? .answer(status: 500) : .forward }
            await #expect(throws: ServerProblem.self) { try await phone.shop.buy("words") }
            try await eventually("a view shows that it was being sold, and is not") {
                let states = shown.states.withLock {
                    $0.map { state in state.products.first { $0.id == "words" }?.state }
                }
                return states.contains(.buying) && states.last == .available
            }
            view.cancel()
            store.decide { _ in .forward }
            #expect(try await phone.shop.buy("words") == .delivered)
            #expect(await phone.state(of: "words") == .owned(until: nil))
        }
    }

    /// The first tap has to create the account, and the second comes meanwhile.
    @Test func `Two taps are one purchase, from the first tap on`() async throws {
        try await Self.run { (_, store, phone) async throws in
            let waits = Waits(isEndless: true)
            store.hold { request in
                if request.path == "/simulator/v1/purchases" { try? await waits.clock.sleep(.seconds(1)) }
            }
            let shop = phone.shop
            async let first = shop.buy("hints")
            try await phone.waits(for: "the button says so") { state in
                state.products.contains { $0.id == "hints" && $0.state == .buying }
            }
            async let second = shop.buy("hints")
            try await eventually("the store is asked") { waits.running > 0 }
            try await Task.sleep(for: Self.tap)
            waits.end()
            #expect(try await first == .delivered)
            #expect(try await second == .delivered)
            #expect(Self.sales(store) == 1)
            #expect(await phone.shop.state.balances == ["hints": 30])
            #expect(try await phone.shop.buy("hints") == .delivered)
            #expect(Self.sales(store) == 2)
        }
    }

    @Test func `Without an account yet, the button is taken as soon as it is tapped`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let phone = try await Device(server, customer: "ada", folder: Device.newFolder(), at: proxy.url)
        try await phone.waits(for: "the products") { !$0.products.isEmpty }
        let waits = Waits(isEndless: true)
        proxy.hold { if $0.path == "/v1/accounts" { try? await waits.clock.sleep(.seconds(1)) } }
        let shop = phone.shop
        async let first = shop.buy("words")
        try await eventually("the account is requested") { waits.running == 1 }
        #expect(await phone.state(of: "words") == .buying)
        async let second = shop.buy("words")
        try await Task.sleep(for: Self.tap)
        waits.end()
        #expect(try await (first, second) == (.delivered, .delivered))
        #expect(try await phone.source.history().count == 1)
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }

    @Test func `What the player has is sold again only if the app says so`() async throws {
        try await Self.run { (_, store, phone) async throws in
            for product in ["words", "night"] {
                #expect(try await phone.shop.buy(product) == .delivered)
                #expect(try await phone.shop.buy(product) == .alreadyDelivered)
            }
            #expect(Self.sales(store) == 2)
            let until = await phone.shop.state.entitlements.first { $0.product == "night" }?.until
            #expect(try await phone.shop.buy("night", again: true) == .delivered)
            #expect(Self.sales(store) == 3)
            let later = await phone.shop.state.entitlements.first { $0.product == "night" }?.until
            #expect(try #require(later) > #require(until))
        }
    }

    @Test func `What is paid and not delivered is sold again only if the app says so`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let phone = try await Device(server, customer: "ada", folder: Device.newFolder(), at: proxy.url)
        #expect(try await phone.shop.buy("words") == .delivered)
        proxy.decide { _ in .drop }
        #expect(try await phone.shop.buy("hints") == .waiting(provisionalUntil: nil))
        #expect(try await phone.shop.buy("hints") == .waiting(provisionalUntil: nil))
        #expect(await phone.state(of: "hints") == .waiting)
        #expect(try await phone.source.history().count == 2)
        #expect(try await phone.shop.buy("hints", again: true) == .waiting(provisionalUntil: nil))
        #expect(try await phone.source.history().count == 3)
        proxy.decide { _ in .forward }
        await phone.shop.resume()
        try await phone.waits(for: "both") { $0.balances == ["hints": 40] && $0.waitingTransactions == 0 }
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }

    @Test func `A device that may not pay buys nothing, creates no account, and says so`() async throws {
        try await Self.run { (_, store, phone) async throws in
            #expect(await phone.shop.state.canMakePayments)
            await phone.source.setMakesPayments(false)
            await #expect(throws: PaymentsUnavailable.self) { try await phone.shop.buy("words") }
            #expect(await !phone.shop.state.canMakePayments)
            #expect(await phone.shop.state.account == .none)
            #expect(await phone.state(of: "words") == .available)
            #expect(Self.sales(store) == 0)
            await phone.source.setMakesPayments(true)
            try await phone.shop.refresh()
            #expect(await phone.shop.state.canMakePayments)
        }
    }

    @Test func `A request that nobody approved is over after a day`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Device.newFolder()
        var phone = try await Device(server, customer: "kid", folder: folder)
        await phone.source.setAsksToBuy(true)
        #expect(try await phone.shop.buy("words") == .pending)
        await phone.quit()
        for (hours, state) in [(23.0, ProductState.pending), (25, .available)] {
            phone = try await Device(server, customer: "kid", folder: folder, now: Date() + hours * 3_600)
            try await phone.waits(for: "the products") { $0.products.contains { $0.displayPrice != nil } }
            await phone.source.setAsksToBuy(true)
            #expect(await phone.state(of: "words") == state, "after \(hours) hours")
            await phone.quit()
            // The server's time is the shop's once it has answered.
            try await server.simulate("clock", #"{"advanceSeconds": \#(24 * 3_600)}"#)
        }
        try await server.end()
    }
}
