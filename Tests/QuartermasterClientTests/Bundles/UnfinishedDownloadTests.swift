import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QuartermasterClient

/// Downloads that the end of the app interrupts, and the networks that they may use.
@Suite(.enabled(if: ShopServer.isBuilt)) struct UnfinishedDownloadTests {
    /// The bytes of the files, of which two are the same.
    private static let total = Set(DownloadWorld.files.values).reduce(0) { $0 + $1.count }

    private static func hasArrived(_ shop: Quartermaster) -> Bool {
        shop.unfinishedDownloads.first.map { $0.received > 100_000 } ?? false
    }

    @Test func `A download goes on at the next start, with its progress, unless it was paused`() async throws {
        try await DownloadWorld.run { world in
            let folder = world.folder.appending(path: "phone")
            let large = ContentHash(of: try #require(DownloadWorld.files["large.bin"])).text
            world.proxy.decide { $0.sha256 == large && $0.start > 0 ? .stall(after: 100) : .forward }
            var phone = try await Device(world.server, customer: "ada", folder: folder, at: world.proxy.url)
            let download = phone.shop.download(DownloadWorld.open)
            try await eventually("a part is there") { Self.hasArrived(phone.shop) }
            await download.pause()
            await phone.quit()

            // The player paused it: it is shown, and waits.
            phone = try await Device(world.server, customer: "ada", folder: folder, at: world.proxy.url)
            await phone.shop.resume()
            var shown = try #require(phone.shop.unfinishedDownloads.first)
            #expect(shown.phase == .paused && shown.version == "1.0.0" && shown.total == Self.total)
            #expect(shown.received > 100_000)
            #expect(await phone.shop.state.bundles.first { $0.name == DownloadWorld.open }?.progress == shown)
            _ = phone.shop.download(DownloadWorld.open)
            try await eventually("it goes on") { phone.shop.unfinishedDownloads.first?.phase == .downloading }
            await phone.quit()

            // The app ended: it goes on by itself, and what was there counts.
            world.proxy.decide { _ in .forward }
            phone = try await Device(world.server, customer: "ada", folder: folder, at: world.proxy.url)
            try await eventually("it is installed") { await phone.shop.installed(DownloadWorld.open) != nil }
            shown = try #require(await phone.shop.state.bundles.first { $0.name == DownloadWorld.open }?.progress)
            #expect(shown.total == Self.total && shown.received == Self.total)
            #expect(phone.shop.unfinishedDownloads == [])
            await phone.quit()
        }
    }

    @Test func `What the server refused is not asked for again at the next start`() async throws {
        try await DownloadWorld.run { world in
            let device = try world.device()
            #expect(await device.download(DownloadWorld.paid).phase == .failed(.notEntitled(reason: "notPurchased")))
            world.proxy.decide { _ in .drop }
            #expect(await device.download().phase == .failed(.offline))
            world.proxy.decide { _ in .forward }
            let again = try world.device(in: device.folder)
            await again.store.resumeUnfinished()
            try await eventually("the other one goes on") { await again.store.installed(DownloadWorld.open) != nil }
            #expect(again.store.progress[DownloadWorld.paid]?.phase == .paused)
            #expect(world.proxy.exchanges.allSatisfy { $0.request.path != "/v1/bundles/\(DownloadWorld.paid)" })
        }
    }

    /// Counts what requests may use, and has them fail as on a network that they may not use.
    private final class Networks: ContentTransport {
        private let own = HTTPTransport(timeouts: .patient)
        private let requests = Mutex<[ContentRequest]>([])
        private let isMobile = Mutex(true)

        var all: [ContentRequest] { requests.withLock { $0 } }

        func leaveMobile() { isMobile.withLock { $0 = false } }

        func receive(_ request: ContentRequest, into sink: ContentSink) async throws {
            requests.withLock { $0.append(request) }
            guard request.networks.allowsExpensive || !isMobile.withLock({ $0 }) else {
                throw ConnectionError.networkNotAllowed
            }
            try await own.receive(request, into: sink)
        }
    }

    @Test func `A download for Wi-Fi waits for it, also after a restart, and none uses Low Data Mode`() async throws {
        try await DownloadWorld.run { world in
            let networks = Networks()
            let device = try world.device(content: networks)
            let wifi = DownloadControl.Options(network: .wifi)
            for await _ in device.store.download(DownloadWorld.open, wifi) {}
            #expect(device.store.progress[DownloadWorld.open]?.phase == .failed(.networkNotAllowed))
            let again = try world.device(in: device.folder, content: networks)
            // Whoever looks at it does not change what it may use.
            for await _ in again.store.download(DownloadWorld.open) {}
            #expect(again.store.progress[DownloadWorld.open]?.phase == .failed(.networkNotAllowed))
            networks.leaveMobile()
            await again.store.resumeUnfinished()
            try await eventually("Wi-Fi is there") { await again.store.installed(DownloadWorld.open) != nil }
            #expect(networks.all.allSatisfy { !$0.networks.allowsExpensive && !$0.networks.allowsConstrained })

            let other = try world.device(content: networks)
            #expect(await other.download().phase == .installed)
            #expect(networks.all.suffix(5).allSatisfy { $0.networks.allowsExpensive && !$0.networks.allowsConstrained })
        }
    }

    @Test func `A progress of the system's is told about a download until it is over`() async throws {
        try await DownloadWorld.run { world in
            let device = try world.device()
            let progress = Progress(totalUnitCount: -1)
            #expect(await device.store.download(DownloadWorld.open).report(to: progress))
            #expect(progress.fractionCompleted == 1 && progress.totalUnitCount == Int64(Self.total) + 1)
            world.proxy.decide { _ in .drop }
            let other = try world.device()
            #expect(await !other.store.download(DownloadWorld.open).report(to: Progress(totalUnitCount: -1)))
        }
    }

    private final class Order: Sendable {
        let isOpen = Mutex(false)
        private let content = Mutex<[String]>([])

        var names: [String] { content.withLock { $0 } }

        func add(_ name: String) { content.withLock { $0.append(name) } }
    }

    @Test func `The file of an essential bundle is next, whatever waits`() async throws {
        let turns = FileTurns(limit: 1)
        let order = Order()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, name) in ["holds", "first", "second", "essential"].enumerated() {
                group.addTask {
                    try await turns.run(for: ContentHash(of: Data(name.utf8)), isFirst: name == "essential") {
                        order.add(name)
                        if name == "holds" { try await eventually("all wait") { order.isOpen.withLock { $0 } } }
                    }
                }
                try await eventually("\(name) waits") {
                    await turns.waiters.count == number && !order.names.isEmpty
                }
            }
            order.isOpen.withLock { $0 = true }
            try await group.waitForAll()
        }
        #expect(order.names == ["holds", "essential", "first", "second"])
    }
}
