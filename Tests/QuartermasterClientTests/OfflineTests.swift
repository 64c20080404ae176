import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QuartermasterClient

@Suite("The shop without the network", .enabled(if: ShopServer.isBuilt)) struct OfflineTests {
    private static func folder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "qm-device-\(UUID().uuidString)")
    }

    @Test
    func `Without the server a purchase stays, ends in time, and an earlier clock does not restore it`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        let phone = try await Device(server, customer: "ada", folder: folder)
        for product in ["words", "night"] { #expect(try await phone.shop.buy(product) == .delivered) }
        await phone.quit()
        try await server.kill()

        let start = Date()
        // By the device's clock: now, two months later, and now again, since the player set it back.
        for (offset, hasNight) in [(0, true), (62, false), (0, false)] {
            let now = start.addingTimeInterval(Double(offset) * 86_400)
            let later = try await Device(server, customer: "ada", folder: folder, now: now)
            let state = await later.shop.state
            #expect(state.hasAccess(to: "words"))
            #expect(state.hasAccess(to: "night") == hasNight, "after \(offset) days")
            #expect(!state.isOnline)
            #expect(state.isStale == !hasNight)
            await later.quit()
        }
        try await server.end()
    }

    @Test func `Offline nothing is bought without an account, and a spend that was not sent is dropped`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        let nowhere = try #require(URL(string: "http://127.0.0.1:\(try freePort())"))
        var phone = try await Device(server, customer: "ada", folder: folder, at: nowhere)
        await #expect(throws: ConnectionError.notConnected) { try await phone.shop.buy("words") }
        #expect(try await phone.source.history().isEmpty)
        await phone.quit()

        phone = try await Device(server, customer: "ada", folder: folder)
        #expect(try await phone.shop.buy("hints") == .delivered)
        await phone.quit()
        phone = try await Device(server, customer: "ada", folder: folder, at: nowhere)
        await #expect(throws: ConnectionError.notConnected) { try await phone.shop.spend(1, of: "hints") }
        #expect(await phone.shop.state.spends.isEmpty)
        await phone.quit()
        phone = try await Device(server, customer: "ada", folder: folder)
        #expect(try await phone.shop.spend(1, of: "hints") == 29)
        await #expect { try await phone.shop.spend(1_000, of: "hints") } throws: { error in
            (error as? ServerProblem)?.code == .insufficientBalance
        }
        #expect(await phone.shop.state.balances == ["hints": 29])
        #expect(await phone.shop.state.spends.isEmpty)
        await phone.quit()
        try await server.end()
    }

    /// A clock for which two days pass, and waits of a day end, when the test says so.
    private final class Day: Sendable {
        private let isOver = Atomic(false)

        func end() { isOver.store(true, ordering: .releasing) }

        var clock: ClientClock {
            var clock = ClientClock.system
            clock.uptime = {
                ClientClock.system.uptime() + .seconds(self.isOver.load(ordering: .acquiring) ? 172_800 : 0)
            }
            clock.sleep = { wait in
                guard wait > .seconds(3_600) else { return try await Task.sleep(for: wait) }
                while !self.isOver.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(20)) }
            }
            return clock
        }
    }

    @Test func `The end of access is shown when it comes, without the server`() async throws {
        let server = try await ShopServer(catalog: ShopServer.catalog.replacingOccurrences(of: "P1M", with: "P1D"))
        try await server.start()
        let day = Day()
        let phone = try await Device(server, customer: "ada", folder: Self.folder(), clock: day.clock)
        #expect(try await phone.shop.buy("night") == .delivered)
        try await phone.waits(for: "the night theme, nothing on its way, and what is on sale") { state in
            state.hasAccess(to: "night") && state.waitingTransactions == 0
                && state.products.contains { $0.id == "words" && $0.state == .available }
        }
        let states = phone.shop.states()
        try await server.kill()
        day.end()
        let isShown = Task {
            for await state in states
            where state.products.contains(where: { $0.id == "night" && $0.state == .available }) {
                return !state.hasAccess(to: "night")
            }
            return false
        }
        #expect(await isShown.value)
        await phone.quit()
        try await server.end()
    }

    @Test func `Files that cannot be read are treated as missing`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        var phone = try await Device(server, customer: "ada", folder: folder)
        #expect(try await phone.shop.buy("words") == .delivered)
        await phone.quit()
        for name in [
            "products", "entitlements", "bundles", "time", "spends", "receipts", "asked-to-buy", "account-key",
        ] { try Data("{\"format\": 1, \"value\": [7".utf8).write(to: folder.appending(path: "\(name).json")) }
        phone = try await Device(server, customer: "ada", folder: folder)
        try await phone.waits(for: "what the server knows") { $0.hasAccess(to: "words") && !$0.products.isEmpty }
        await phone.quit()
        try await server.end()
    }
}
