import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QuartermasterClient

@Suite("The environment of the store", .enabled(if: ShopServer.isBuilt), .timeLimit(.minutes(10)))
struct EnvironmentTests {
    /// A store that is slow to say in which environment it sells, or does not know.
    private struct HesitantStore: PurchaseSource {
        let store: SimulatorSource
        let log: Log
        let answer: @Sendable () async -> StoreEnvironment?

        var updates: AsyncStream<SignedTransaction> { store.updates }

        func environment() async -> StoreEnvironment? {
            log.count.withLock { $0 += 1 }
            return await answer()
        }

        func products(_ ids: [String]) async throws -> [SourceProduct] { try await store.products(ids) }
        func purchase(_ id: String, for account: UUID, quantity: Int) async throws -> PurchaseOutcome {
            try await store.purchase(id, for: account, quantity: quantity)
        }
        func history() async throws -> [SignedTransaction] { try await store.history() }
        func finish(_ id: String) async throws { try await store.finish(id) }
        func synchronize() async throws { try await store.synchronize() }
        func deviceVerificationID() async -> UUID? { await store.deviceVerificationID() }
    }

    /// How often the store was asked.
    private final class Log: Sendable {
        let count = Mutex(0)
    }

    private static func asked(_ proxy: DownloadProxy) -> [String] {
        proxy.exchanges.filter { $0.request.path == "/v1/entitlements" }.map { exchange in
            let query = URLComponents(string: exchange.request.uri)?.queryItems ?? []
            return query.first { $0.name == "environment" }?.value ?? ""
        }
    }

    private static func setup(
        _ proxy: DownloadProxy, _ log: Log, clock: ClientClock = .system, build: String = "1",
        answer: @escaping @Sendable () async -> StoreEnvironment?
    ) -> Device.Setup {
        var setup = Device.Setup()
        (setup.address, setup.environment, setup.clock, setup.build) = (proxy.url, .sandbox, clock, build)
        setup.behaviour = { HesitantStore(store: $0, log: log, answer: answer) }
        return setup
    }

    @Test func `The store is asked once a process, and a later one remembers the answer for its build`() async throws {
        let server = try await ShopServer(catalog: #""sandbox": "everyone", \#(ShopServer.catalog)"#)
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let folder = Device.newFolder()
        var log = Log()
        var phone = try await Device(
            server, customer: "tester", folder: folder, Self.setup(proxy, log) { .sandbox })
        #expect(try await phone.shop.buy("hints") == .delivered)
        #expect(try await phone.shop.spend(1, of: "hints") == 29)
        _ = try await phone.shop.restore()
        try await phone.shop.refresh()
        #expect(log.count.withLock(\.self) == 1)
        await phone.quit()

        // It cannot say so any more: there is no network, or nobody is signed in to the store.
        for (build, expected) in [("1", "Sandbox"), ("2", "")] {
            proxy.decide { _ in .forward }
            log = Log()
            phone = try await Device(
                server, customer: "tester", folder: folder, Self.setup(proxy, log, build: build) { nil })
            try await phone.waits(for: "a refresh") { _ in !Self.asked(proxy).isEmpty }
            try await phone.shop.refresh()
            #expect(Set(Self.asked(proxy)) == [expected], "build \(build)")
            #expect(log.count.withLock(\.self) == 1)
            await phone.quit()
        }
        try await proxy.stop()
        try await server.end()
    }

    @Test func `A store that does not answer is waited for two seconds, once`() async throws {
        let server = try await ShopServer(catalog: #""sandbox": "everyone", \#(ShopServer.catalog)"#)
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let waits = Waits()
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        let setup = Self.setup(proxy, Log(), clock: waits.clock) {
            for await _ in never {}
            return .sandbox
        }
        let phone = try await Device(server, customer: "tester", folder: Device.newFolder(), setup)
        #expect(try await phone.shop.buy("hints") == .delivered)
        #expect(waits.begun.count { $0 == KnownEnvironment.wait } == 1)
        // The transaction says where it was made.
        #expect(await phone.shop.state.balances == ["hints": 30])
        let before = waits.begun.count
        try await phone.shop.refresh()
        #expect(waits.begun.count == before)
        end.finish()
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }

    @Test func `A spend is on disk before the store is asked for its environment`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let folder = Device.newFolder()
        var phone = try await Device(server, customer: "ada", folder: folder)
        #expect(try await phone.shop.buy("hints") == .delivered)
        await phone.quit()

        let waits = Waits(isEndless: true)
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        var setup = Self.setup(proxy, Log(), clock: waits.clock) {
            for await _ in never {}
            return .production
        }
        setup.environment = .production
        phone = try await Device(server, customer: "ada", folder: folder, setup)
        let (shop, key) = (phone.shop, UUID())
        let spend = Task { try await shop.spend(1, of: "hints", key: key) }
        let file = StoredFile<[PendingSpend]>(folder.appending(path: "spends.json"))
        try await eventually("the spend is on disk") { try file.load()?.map(\.key) == [key] }
        #expect(proxy.exchanges.allSatisfy { !$0.request.path.hasSuffix("/spend") })
        end.finish()
        #expect(try await spend.value == 29)
        let sent = try #require(proxy.exchanges.first { $0.request.path.hasSuffix("/spend") })
        #expect(String(decoding: sent.request.body, as: UTF8.self).contains("Production"))
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }
}
