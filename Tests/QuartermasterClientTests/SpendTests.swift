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

    /// A device with a spend whose answer is lost, then ended, and its folder.
    private static func deviceWithSpend(
        _ server: ShopServer, _ proxy: DownloadProxy, key: UUID
    ) async throws -> URL {
        let folder = Device.newFolder()
        let phone = try await Device(server, customer: "ada", folder: folder, at: proxy.url)
        #expect(try await phone.shop.buy("hints") == .delivered)
        proxy.decide { $0.path.hasSuffix("/spend") ? .cut(after: 0) : .forward }
        await #expect(throws: SpendPending.self) { try await phone.shop.spend(1, of: "hints", key: key) }
        await phone.quit()
        proxy.decide { _ in .forward }
        return folder
    }

    @Test
    func `While the disk cannot be read nothing is spent, and the spends that are on it are not lost`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let key = UUID()
        let folder = try await Self.deviceWithSpend(server, proxy, key: key)
        let (file, away) = (folder.appending(path: "spends.json"), folder.appending(path: "away"))
        try FileManager.default.moveItem(at: file, to: away)
        // A link to itself: reading it fails, and writing over it would not.
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "spends.json")

        let phone = try await Device(server, customer: "ada", folder: folder, at: proxy.url)
        try await phone.waits(for: "the balance after it") { $0.balances == ["hints": 29] && $0.isOnline }
        await #expect(throws: CocoaError.self) { try await phone.shop.spend(2, of: "hints") }
        let state = await phone.shop.state
        #expect(state.spends.isEmpty && state.balances == ["hints": 29])
        #expect(Self.keys(proxy).isEmpty)

        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: away, to: file)
        await phone.shop.resume()
        #expect(await phone.shop.state.spends.map(\.key) == [key])
        #expect(await phone.shop.state.spends.map(\.isSettled) == [true])
        #expect(try await phone.shop.spend(2, of: "hints") == 27)
        #expect(await phone.shop.state.spends.map(\.key) == [key])
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }

    @Test func `A file of a later version of the app is not written over, and a damaged one is set aside`() async throws
    {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let folder = try await Self.deviceWithSpend(server, proxy, key: UUID())
        let file = folder.appending(path: "spends.json")
        let newer = Data(#"{"format": 2, "value": {"spends": []}}"#.utf8)
        try newer.write(to: file)
        var phone = try await Device(server, customer: "ada", folder: folder, at: proxy.url)
        await #expect(throws: NewerFileError.self) { try await phone.shop.spend(1, of: "hints") }
        #expect(await phone.shop.state.spends.isEmpty)
        #expect(try Data(contentsOf: file) == newer)
        await phone.quit()

        let damaged = Data(#"{"format": 1, "value": [7"#.utf8)
        try damaged.write(to: file)
        phone = try await Device(server, customer: "ada", folder: folder, at: proxy.url)
        _ = try await phone.shop.spend(1, of: "hints")
        #expect(try Data(contentsOf: file.appendingPathExtension("damaged")) == damaged)
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }
}
