import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QuartermasterClient

/// An app that sends the requests for content itself.
@Suite(.enabled(if: ShopServer.isBuilt)) struct OwnTransportTests {
    /// Sends every second request, and loses what comes after the first bytes of every third.
    private final class Transport: ContentTransport {
        private let own = HTTPTransport(timeouts: .patient)
        private let sent = Mutex<[ContentRequest]>([])

        var requests: [ContentRequest] { sent.withLock { $0 } }

        func receive(_ request: ContentRequest, into sink: ContentSink) async throws {
            let number = sent.withLock { sent in
                sent.append(request)
                return sent.count
            }
            guard number.isMultiple(of: 2) else { throw ConnectionError.unreachable }
            var plain = HTTPRequest(request.url)
            plain.headers = request.headers
            let response = try await own.send(plain)
            // Fields have names in any case.
            let fields = response.head.headers.map { ($0.key.uppercased(), $0.value) }
            try sink.begin(status: response.status, headers: Dictionary(fields) { first, _ in first })
            try sink.append(response.body.prefix(10_000))
            if number.isMultiple(of: 3) { throw ConnectionError.timedOut }
            try sink.append(response.body.dropFirst(10_000))
        }
    }

    @Test func `The content comes by the app's transport alone, with its links, and is continued`() async throws {
        try await DownloadWorld.run { world in
            let transport = Transport()
            let device = try world.device(content: transport)
            #expect(await device.download().phase == .installed)
            #expect(try await device.installed() == DownloadWorld.files)
            let requests = transport.requests
            #expect(requests.count > 10)
            #expect(requests.allSatisfy { $0.headers["Authorization"] == nil && $0.deadline > .seconds(60) })
            let ranges = requests.compactMap { $0.headers["Range"] }
            #expect(ranges.contains { !$0.hasPrefix("bytes=0-") } && Set(ranges).count > 3)
            #expect(world.proxy.contentExchanges.count == requests.count / 2, "nothing else fetches content")
        }
    }

    @Test func `Offline the app's transport is not asked`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let transport = Transport()
        var setup = Device.Setup()
        setup.content = transport
        let phone = try await Device(server, customer: "ada", folder: Device.newFolder(), setup)
        try await phone.shop.refresh()
        let download = phone.shop.download("open-words")
        await download.pause()
        let before = transport.requests.count
        await phone.shop.setOffline(true)
        await download.resume()
        try await Task.sleep(for: .milliseconds(300))
        #expect(transport.requests.count == before)
        await phone.shop.setOffline(false)
        await phone.quit()
        try await server.end()
    }
}
