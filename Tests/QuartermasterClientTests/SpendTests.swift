import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import QuartermasterClient

@Suite("Spends whose answer is lost", .enabled(if: ShopServer.isBuilt)) struct SpendTests {
    /// The keys of the spends that were sent.
    private static func keys(_ proxy: DownloadProxy) -> [String?] {
        proxy.exchanges.map(\.request).filter { $0.path.hasSuffix("/spend") }
            .map { $0.headers.first(name: "Idempotency-Key") }
    }

    @Test
    func `A spend whose answer was lost is carried out once, and the app learns of it after a restart`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let folder = FileManager.default.temporaryDirectory.appending(path: "qm-device-\(UUID().uuidString)")
        var phone = try await Device(server, customer: "ada", folder: folder, at: proxy.url)
        #expect(try await phone.shop.buy("hints") == .delivered)

        proxy.decide { $0.path.hasSuffix("/spend") ? .cut(after: 0) : .forward }
        let key = UUID()
        await #expect(throws: SpendPending.self) { try await phone.shop.spend(1, of: "hints", key: key) }
        // It was sent more than once, with the same key; once more by a first refresh that ends only now.
        let keys = Self.keys(proxy)
        #expect((1...2).contains(keys.count - SpendQueue.waits.count) && Set(keys) == [key.uuidString])
        #expect(await phone.shop.state.spends.map(\.isSettled) == [false])
        await phone.quit()

        proxy.decide { _ in .forward }
        phone = try await Device(server, customer: "ada", folder: folder, at: proxy.url)
        try await phone.waits(for: "the answer") {
            $0.spends.map(\.isSettled) == [true] && $0.balances == ["hints": 29]
        }
        #expect(await phone.shop.state.spends.map(\.key) == [key])
        // The app asks for the answer it did not see, and the spend is over.
        #expect(try await phone.shop.spend(1, of: "hints", key: key) == 29)
        #expect(await phone.shop.state.spends.isEmpty)
        #expect(try await phone.shop.spend(1, of: "hints") == 28)
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }
}
