import CoreMetrics
import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Requests after which another protocol might begin: none does, and what comes after them is ignored.
@Suite struct UpgradeTests {
    private static let good = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Header lines by which a client offers another protocol, some of them wrong.
    static let offers = [
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n",
        "Upgrade: websocket\r\nConnection: keep-alive, upgrade\r\n", "upgrade: h2c\r\nproxy-connection: upgrade\r\n",
        "UPGRADE: h2c, websocket\r\nConnection: close\r\nConnection: upgrade\r\n",
        "Upgrade:\r\nConnection: upgrade\r\n", "Upgrade: h2c\r\n",
    ]

    static let connects = [
        "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", "CONNECT a:1 HTTP/1.0\r\n\r\n",
        "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\nContent-Length: 2\r\n\r\nab",
        "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
    ]

    private static func get(_ path: String, _ offer: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(offer)\r\n"
    }

    @Test func `An offer of another protocol is ignored and the connection closed`() async throws {
        try await World.run(environment: ["QUARTERMASTER_METRICS_LISTEN": "127.0.0.1:0"]) { world in
            let listener = try #require(world.assembly.metricsListener)
            try await listener.test { metrics in
                for offer in Self.offers {
                    let body = "{\"recoveryCode\": \"x\"}"
                    let length = "Content-Length: \(body.utf8.count)\r\n"
                    let list = "/v1/apps/\(World.app)/products"
                    let post = "POST /v1/sessions HTTP/1.1\r\nHost: a\r\n\(offer)\(length)\r\n\(body)"
                    for (request, status, port) in [
                        (Self.get("/health", offer), 200, world.port), (Self.get(list, offer), 200, world.port),
                        (post, 401, world.port), (Self.get("/metrics", offer), 200, metrics.port),
                    ] {
                        // What came before is answered, and leaves the connection open.
                        let text = Self.good + request + Self.good
                        let answer = try await RawConnection.listen(after: text, port: port)
                        #expect(answer.statuses == [200, status], "\(request): \(answer)")
                        #expect(answer.lowercased().contains("connection: close"), "\(request): \(answer)")
                    }
                }
            }
        }
    }

    @Test func `A tunnel is refused and the connection closed`() async throws {
        try await World.run(environment: ["QUARTERMASTER_METRICS_LISTEN": "127.0.0.1:0"]) { world in
            let listener = try #require(world.assembly.metricsListener)
            try await listener.test { metrics in
                for request in Self.connects {
                    for port in [world.port, metrics.port] {
                        let text = Self.good + request + Self.good
                        let answer = try await RawConnection.listen(after: text, port: port)
                        #expect(answer.statuses == [200, 400], "\(request): \(answer)")
                        #expect(answer.contains("\"code\":\"invalid_request\""), "\(request): \(answer)")
                        #expect(answer.lowercased().contains("connection: close"), "\(request): \(answer)")
                    }
                }
            }
        }
    }

    @Test func `Under TLS offers and tunnels are answered the same`() async throws {
        let identity = try ServerIdentity()
        try await withFolder { folder in
            try await World.run(environment: try identity.write(to: folder)) { world in
                let requests = Self.offers.map { (Self.get("/health", $0), 200) } + Self.connects.map { ($0, 400) }
                for (request, status) in requests {
                    let received = try await RawConnection.listen(
                        after: Array((request + Self.good).utf8), port: world.port, under: identity.client())
                    let answer = String(decoding: received, as: UTF8.self)
                    #expect(answer.statuses == [status], "\(request): \(answer)")
                }
            }
        }
    }

    @Test func `A tunnel is refused with HTTP/2`() {
        let head = HTTPRequest(method: .connect, scheme: nil, authority: "a:1", path: nil)
        #expect(RequestHeadError(head) == .method)
    }

    /// Counts the bytes that come to the decoder.
    private final class ByteCount: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private(set) var count = 0

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            count += unwrapInboundIn(data).readableBytes
            context.fireChannelRead(data)
        }
    }

    /// The socket of a client that goes on when the server ends its side.
    private final class HalfClosed: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            promise?.succeed()
        }
    }

    /// Sends a request, then more than any budget, to a connection that goes on.
    ///
    /// - Returns: the bytes that came to the decoder.
    private static func bytesRead(of request: String, on channel: EmbeddedChannel) throws -> Int {
        let (pipeline, count) = (channel.pipeline.syncOperations, ByteCount())
        try pipeline.addHandler(count, position: .after(try pipeline.handler(type: RequestBytes.self)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeInbound(ByteBuffer(string: request))
        for _ in 0..<100 { try channel.writeInbound(ByteBuffer(repeating: 0x20, count: Limits.maximumReadBytes)) }
        #expect(channel.isActive)
        return count.count
    }

    /// While the routes prepare the answer.
    @Test(arguments: offers) func `Nothing after an offer of another protocol is read`(offer: String) throws {
        let (channel, gate) = (EmbeddedChannel(), RequestBytes(unsent: .test))
        let fastPath = FastPath(
            nil, HeadRefusals.test, ConnectionLimits(), behind: gate, at: channel.embeddedEventLoop.now
        ) {}
        try channel.pipeline.syncOperations.addHandlers([gate, fastPath])
        let request = Self.get("/health", offer)
        #expect(try Self.bytesRead(of: request, on: channel) == request.utf8.count)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    /// While the client has not read the refusal.
    @Test(arguments: connects + ["GET / HTTP/1.1\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n"])
    func `Nothing after a refused tunnel is read`(request: String) throws {
        let (channel, metrics) = (EmbeddedChannel(handler: HalfClosed()), ServerMetrics())
        let addresses = AddressConnections(
            maximum: 1, ClientAddresses(trusted: []), refusals: metrics.connectionsRefused)
        let connections = ServerConnections(
            to: { _, _, _ in }, nil, HeadRefusals.test, ConnectionLimits(), addresses, .test)
        try connections.begin(on: channel, RoutedConnections())
        #expect(try Self.bytesRead(of: request, on: channel) == request.utf8.count)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
