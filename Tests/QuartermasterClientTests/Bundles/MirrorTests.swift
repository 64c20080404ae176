import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import QuartermasterClient

/// A second address of the server, while the first is away.
@Suite(.enabled(if: ShopServer.isBuilt)) struct MirrorTests {
    @Test func `Lists, manifests and content come from a mirror, and purchases never go there`() async throws {
        try await DownloadWorld.run { world in
            let mirror = try await DownloadProxy.start(upstream: world.server.url)
            var setup = Device.Setup()
            (setup.address, setup.mirrors) = (world.proxy.url, [mirror.url])
            let folder = world.folder.appending(path: "phone")
            var phone = try await Device(world.server, customer: "ada", folder: folder, setup)
            #expect(try await phone.shop.buy("words") == .delivered)
            #expect(mirror.exchanges.isEmpty, "the first address answers")
            await phone.quit()

            world.proxy.decide { _ in .drop }
            phone = try await Device(world.server, customer: "ada", folder: folder, setup)
            var last: DownloadProgress?
            for await progress in phone.shop.download(DownloadWorld.open) { last = progress }
            #expect(last?.phase == .installed)
            await #expect(throws: ConnectionError.self) { try await phone.shop.refresh() }
            await #expect(throws: SpendPending.self) { try await phone.shop.spend(1, of: "hints") }
            await phone.quit()
            let seen = mirror.exchanges.map(\.request)
            #expect(seen.contains { $0.path.hasSuffix("/products") } && seen.contains(where: \.isContent))
            let own = ["/v1/apps/", "/v1/bundles", "/v1/keys", "/v1/content/"]
            #expect(
                seen.allSatisfy { request in
                    request.method == .GET && own.contains { request.path.hasPrefix($0) }
                })
            // It is back.
            world.proxy.decide { _ in .forward }
            phone = try await Device(world.server, customer: "ada", folder: folder, setup)
            try await phone.waits(for: "the first address") { $0.isOnline }
            await phone.quit()
            try await mirror.stop()
        }
    }

    @Test func `The mirror that answered is asked first for five minutes`() throws {
        let urls = try (0..<3).map { try #require(URL(string: "https://\($0).example.com")) }
        let time = Mutex(Duration.zero)
        let addresses = ServerAddresses(urls[0], mirrors: Array(urls[1...])) { time.withLock { $0 } }
        #expect(addresses.inTurn == urls)
        addresses.use(urls[2])
        #expect(addresses.inTurn == [urls[2], urls[0], urls[1]])
        time.withLock { $0 = .seconds(299) }
        addresses.use(urls[2])
        #expect(addresses.current == urls[2])
        time.withLock { $0 = .seconds(300) }
        #expect(addresses.current == urls[0])
        addresses.use(urls[2])
        #expect(addresses.current == urls[2], "the first is still away")
        addresses.use(urls[0])
        addresses.leave(urls[0], after: .tooLarge)
        #expect(addresses.current == urls[0])
        // Several files at once.
        for _ in 0..<3 { addresses.leave(urls[0], after: .timedOut) }
        #expect(addresses.current == urls[1])
        addresses.use(urls[0])
        #expect(addresses.inTurn == urls)
    }
}
