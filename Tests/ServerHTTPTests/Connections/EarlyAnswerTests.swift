import NIOCore
import NIOPosix
import NIOSSL
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// A response that is sent before the end of its request reaches the client, also one that reads only when it has sent
/// everything, as many libraries do.
@Suite struct EarlyAnswerTests {
    /// More than two sockets buffer: what is not read cannot be sent.
    private static let bodyBytes = 12 << 20

    /// Refused after the first bytes, without credentials, and by the path alone.
    private static let refusals = [("/v1/sessions", 413), ("/v1/receipts", 401), ("/nothing", 404)]

    @Test(arguments: [false, true])
    func `An early response reaches a client that reads only when it has sent its request`(isSecure: Bool) async throws
    {
        let identity = try ServerIdentity()
        try await withFolder { folder in
            let environment = isSecure ? try identity.write(to: folder) : [:]
            try await World.run(environment: environment) { world in
                let tls = isSecure ? try identity.client() : nil
                for (path, status) in Self.refusals {
                    for field in ["", "Connection: close\r\n"] {
                        let fields = "Host: a\r\n\(field)Content-Length: \(Self.bodyBytes)\r\n"
                        let head = "POST \(path) HTTP/1.1\r\n\(fields)\r\n"
                        let (isSent, answer) = try await Self.exchange(
                            head, Self.bodyBytes, port: world.port, under: tls)
                        #expect(isSent, "\(path) \(field)")
                        #expect(answer.statuses == [status], "\(path) \(field): \(answer)")
                    }
                }
            }
        }
    }

    @Test func `The simulated App Store reads on after a response that comes early`() async throws {
        try await World.run { world in
            // Two sockets buffer so much, so that the test does not depend on the time for which the simulator reads.
            let bytes = 1 << 20
            let head = "POST /simulator/v1/purchases HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(bytes)\r\n\r\n"
            let (isSent, answer) = try await Self.exchange(head, bytes, port: world.store.port, under: nil)
            #expect(isSent)
            #expect(answer.statuses == [413], "\(answer)")
        }
    }

    /// Sends the head and the body, and reads nothing before the system has accepted all of it.
    private static func exchange(
        _ head: String, _ bytes: Int, port: Int?, under tls: NIOSSLContext?
    ) async throws -> (isSent: Bool, answer: String) {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = loop.makePromise(of: String.self)
        let channel = try await ClientBootstrap(group: loop)
            .connectTimeout(RawConnection.deadline)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let secure = try tls.map { try NIOSSLClientHandler(context: $0, serverHostname: "localhost") }
                    if let secure { try channel.pipeline.syncOperations.addHandler(secure) }
                    try channel.pipeline.syncOperations.addHandler(Collector(answer))
                }
            }
            .connect(host: "localhost", port: try #require(port)).get()
        let timer = loop.scheduleTask(in: RawConnection.deadline) { channel.close(promise: nil) }
        defer { timer.cancel() }
        try await channel.writeAndFlush(ByteBuffer(string: head))
        try await channel.setOption(.autoRead, value: false).get()
        // In one piece, which the event loop sends: tasks of a busy machine may pause for longer than a server lingers.
        let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: bytes)
        let isSent = (try? await channel.writeAndFlush(body)) != nil
        try? await channel.setOption(.autoRead, value: true).get()
        let received = try await answer.futureResult.get()
        try? await channel.close()
        return (isSent, received)
    }

    /// Collects a response until the end of its JSON, or of the connection.
    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let answer: EventLoopPromise<String>
        private var received = ""

        init(_ answer: EventLoopPromise<String>) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += String(buffer: unwrapInboundIn(data))
            if received.contains("}") { answer.succeed(received) }
        }

        func channelInactive(context: ChannelHandlerContext) { answer.succeed(received) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// `NO_ERROR` is 0 (RFC 9113 §7).
    @Test func `An HTTP/2 stream whose response came early is reset without an error`() async throws {
        let identity = try ServerIdentity()
        try await withFolder { folder in
            let variables = ["QUARTERMASTER_LIMITS_IDLE_SECONDS": "8"]
            let environment = try identity.write(to: folder).merging(variables) { $1 }
            try await World.run(environment: environment) { world in
                let body = HTTP2Frame(
                    kind: .data, stream: 1, payload: Array(repeating: UInt8(ascii: "x"), count: 16 << 10))
                let frames = [HTTP2Frame.head("/v1/sessions", isPost: true, ends: false), body, body]
                let bytes = HTTP2Frame.preface + frames.flatMap(\.bytes)
                let received = HTTP2Frame.all(
                    in: try await RawConnection.listen(after: bytes, port: world.port, under: identity.client(["h2"]))
                )
                .filter { $0.stream == 1 && $0.kind != .windowUpdate }
                Self.expectAnswerAndReset(received)
            }
        }
    }

    private static func expectAnswerAndReset(_ received: [HTTP2Frame]) {
        let resets = received.filter { $0.kind == .reset }.map(\.payload)
        let data = received.filter { $0.kind == .data }
        let text = String(decoding: data.flatMap(\.payload), as: UTF8.self)
        #expect(resets == [[0, 0, 0, 0]] && received.last?.kind == .reset, "\(received)")
        #expect(data.last?.flags == HTTP2Frame.endStream && text.contains("request_too_large"), "\(received)")
    }
}
