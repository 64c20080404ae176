import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// A client that sends requests and reads no response: it gets little of the server's memory, by whichever way its
/// requests are answered, and others are answered all the same.
@Suite(.enabled(if: ServerProcess.isBuilt)) struct UnreadResponseTests {
    /// How a client asks for what it does not read.
    enum Way: CaseIterable {
        case fastPath, framework, tls, http2

        /// The version that is negotiated; `nil` without TLS.
        fileprivate var version: String? {
            switch self {
            case .fastPath, .framework: nil
            case .tls: "http/1.1"
            case .http2: "h2"
            }
        }
    }

    private static let megabyte = 1 << 20
    /// Far below the hundred manifests, or the responses of hundreds of thousands of requests, that would be kept
    /// otherwise; beside other tests a server was seen at 64. Code for debugging takes more for each stream.
    private static let maximumMegabytes = {
        #if DEBUG
            128
        #else
            96
        #endif
    }()
    /// A manifest of megabytes.
    private static let files = 3_000

    @Test(arguments: Way.allCases) func `Responses that nobody reads do not fill the memory`(way: Way) async throws {
        try await withFolder { folder in
            let identity = try ServerIdentity()
            let metrics = try freePort()
            let server = try await Self.server(in: folder, under: way.version == nil ? nil : identity, metrics: metrics)
            try await server.start(asking: metrics)
            let port = server.port
            // Reads what it asks for, from the same address.
            let reader = way.version == nil ? nil : try identity.client(["http/1.1"])
            let account = await Self.exchange(Self.request("POST", "/v1/accounts"), port, under: reader)
            let token = try #require(account.firstMatch(of: /"accessToken":"([^"]+)"/)?.1)
            let manifest = Self.request("GET", "/v1/bundles/many", "Authorization: Bearer \(token)")
            #expect(await Self.exchange(manifest, port, under: reader).contains("\"version\":\"1.0.0\""))
            let before = try await server.heapBytes()
            var deaf: [any Channel] = []
            for requests in Self.requests(by: way, manifest, String(token)) {
                let context = try way.version.map { try identity.client([$0]) }
                deaf.append(try await DeafClient.connect(to: port, sending: requests, under: context))
            }
            let most = try await Self.mostBytes(of: server)
            #expect((most - before) / Self.megabyte < Self.maximumMegabytes)
            let answer = await Self.exchange(manifest, port, under: reader)
            #expect(answer.contains("\"version\":\"1.0.0\""), "\(answer.prefix(300))")
            for client in deaf { client.close(promise: nil) }
            try await server.kill()
        }
    }

    private static func server(
        in folder: URL, under identity: ServerIdentity?, metrics: Int
    ) async throws -> ServerProcess {
        let version = folder.appending(path: "content/many/1.0.0")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        for number in 0..<files {
            try Data("\(number)".utf8).write(to: version.appending(path: "file\(number).txt"))
        }
        try Data(#"{"apps": [{"bundleID": "\#(World.app)", "openBundles": ["many"], "products": []}]}"#.utf8)
            .write(to: folder.appending(path: "products.json"))
        let environment = ["QUARTERMASTER_METRICS_LISTEN": "127.0.0.1:\(metrics)"]
        return try await ServerProcess(
            folder: folder, environment: environment.merging(try identity?.write(to: folder) ?? [:]) { $1 },
            hasSimulator: identity == nil)
    }

    /// The bytes that each connection sends.
    private static func requests(by way: Way, _ manifest: String, _ token: String) -> [[UInt8]] {
        func repeated(_ request: String, _ count: Int) -> [UInt8] {
            Array(String(repeating: request, count: count).utf8)
        }
        switch way {
        case .fastPath: return [repeated(request("GET", "/v1/apps/\(World.app)/products"), 300_000)]
        case .framework, .tls:
            return [repeated(request("GET", "/v1/x", "Authorization: a"), 300_000), repeated(manifest, 500)]
        case .http2:
            // No byte of a body may be sent (RFC 9113 §6.9.2).
            let noWindow = HTTP2Frame(kind: .settings, payload: [0, 4, 0, 0, 0, 0])
            let streams = (0..<100).flatMap { number in
                HTTP2Frame.head(
                    "/v1/bundles/many", ends: true, stream: UInt32(2 * number + 1),
                    fields: [("authorization", "Bearer \(token)")]
                ).bytes
            }
            return Array(repeating: HTTP2Frame.magic + noWindow.bytes + streams, count: 10)
        }
    }

    private static func request(_ method: String, _ path: String, _ field: String = "X: y") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n"
    }

    private static func exchange(_ request: String, _ port: Int, under tls: NIOSSLContext?) async -> String {
        // A line's end is one character.
        let last = request.dropLast() + "Connection: close\r\n\r\n"
        let received = try? await RawConnection.open(port: port, under: tls, saying: Array(last.utf8)) { inbound, _ in
            await RawConnection.read(inbound)
        }
        return received ?? ""
    }

    /// The most memory that the server takes until it grows no more.
    private static func mostBytes(of server: ServerProcess) async throws -> Int {
        var (most, still) = (0, 0)
        while still < 20 {
            try await Task.sleep(for: .milliseconds(100))
            let now = try await server.heapBytes()
            still = now > most + megabyte / 4 ? 0 : still + 1
            most = max(most, now)
        }
        return most
    }
}

/// Sends requests as soon as it can, and reads nothing after the handshake.
private final class DeafClient: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let requests: [UInt8]
    private var isDeaf = false
    private let isSecure: Bool

    init(_ requests: [UInt8], isSecure: Bool) {
        self.requests = requests
        self.isSecure = isSecure
    }

    func channelActive(context: ChannelHandlerContext) {
        if !isSecure { begin(context) }
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { begin(context) }
        context.fireUserInboundEventTriggered(event)
    }

    /// - Parameter tls: without it, the connection has none.
    static func connect(
        to port: Int, sending requests: [UInt8], under tls: NIOSSLContext?
    ) async throws -> any Channel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(RawConnection.deadline)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls {
                        try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: "localhost"))
                    }
                    try pipeline.addHandler(DeafClient(requests, isSecure: tls != nil))
                }
            }
            .connect(host: "localhost", port: port).get()
    }

    private func begin(_ context: ChannelHandlerContext) {
        isDeaf = true
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: requests)), promise: nil)
    }

    func read(context: ChannelHandlerContext) { if !isDeaf { context.read() } }
}
