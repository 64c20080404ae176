import Foundation
package import NIOCore
package import NIOPosix
package import NIOSSL
import ServerHTTP
import TestSupport
import Testing

/// A socket that sends the server whatever a test wants, HTTP or not.
package enum RawConnection {
    /// When a test gives up; if all is well nothing waits for it.
    package static let deadline = TimeAmount.seconds(120)
    /// In seconds. A server that closed idle connections before ``deadline`` would hide that it forgot one.
    package static let idleSeconds = 240

    /// Sends bytes, says that no more will come, and returns everything answered until the server closes.
    package static func exchange(_ bytes: [UInt8], port: Int?) async throws -> String {
        let received = try await open(port: port) { inbound, outbound in
            // A server that has received enough may close while the rest is on its way.
            try? await outbound.write(ByteBuffer(bytes: bytes))
            outbound.finish()
            return await read(inbound)
        }
        try ExchangeRecorder.recordConnection(String(decoding: bytes, as: UTF8.self), received)
        return received
    }

    package static func exchange(_ text: String, port: Int?) async throws -> String {
        try await exchange(Array(text.utf8), port: port)
    }

    /// Sends bytes under TLS, leaves the connection open, and returns what is answered until the server closes it.
    package static func listen(after bytes: [UInt8], port: Int?, under tls: NIOSSLContext) async throws -> [UInt8] {
        let received = try await open(port: port, under: tls, saying: bytes) { inbound, _ in
            Array((await readBytes(inbound)).readableBytesView)
        }
        try ExchangeRecorder.recordConnection(bytes, received)
        return received
    }

    /// Sends pieces one by one, each after what it waits for has arrived, and returns everything that arrived.
    ///
    /// - Parameter steps: what to wait for (empty: nothing), and what to send then.
    package static func converse(
        _ steps: [(after: String, send: String)], until end: String, port: Int?
    ) async throws -> String {
        let received = try await open(port: port) { inbound, outbound in
            var received = ""
            var iterator = inbound.makeAsyncIterator()
            for step in steps {
                while !received.contains(step.after), !step.after.isEmpty, let part = try await iterator.next() {
                    received += String(buffer: part)
                }
                try await outbound.write(ByteBuffer(string: step.send))
            }
            while !received.contains(end), let part = try await iterator.next() { received += String(buffer: part) }
            return received
        }
        try ExchangeRecorder.recordConnection(steps.map(\.send).joined(), received)
        return received
    }

    /// Sends bytes, leaves the connection open, and returns what is answered until the server closes it.
    package static func listen(after text: String, port: Int?) async throws -> String {
        let received = try await open(port: port, saying: Array(text.utf8)) { inbound, _ in await read(inbound) }
        try ExchangeRecorder.recordConnection(text, received)
        return received
    }

    /// Sends a part of a request, waits for a text by which the server has read it, and resets the connection.
    package static func vanish(after head: String, hearing text: String, port: Int?) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(deadline)
            .connect(host: "localhost", port: try #require(port)) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let raw = channel.channel
        let timer = raw.eventLoop.scheduleTask(in: deadline) { raw.close(promise: nil) }
        defer { timer.cancel() }
        try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: head))
            _ = await read(inbound) { $0.contains(text) }
            let socket = try #require(raw as? any SocketOptionProvider)
            try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
    }

    package typealias Inbound = NIOAsyncChannelInboundStream<ByteBuffer>
    package typealias Outbound = NIOAsyncChannelOutboundWriter<ByteBuffer>

    /// Sends bytes as soon as the connection is open. Its event loop does so, which goes on while tasks wait for a busy
    /// machine: a server with a short limit would end the connection before they come.
    private final class Greeter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let greeting: [UInt8]

        init(_ greeting: [UInt8]) { self.greeting = greeting }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: greeting)), promise: nil)
            context.fireChannelActive()
        }
    }

    /// - Parameters:
    ///   - tls: without it, the connection has none.
    ///   - greeting: is sent at once.
    package static func open<Result: Sendable>(
        port: Int?, under tls: NIOSSLContext? = nil, saying greeting: [UInt8] = [],
        _ body: @escaping @Sendable (Inbound, Outbound) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(deadline)
            .connect(host: "localhost", port: try #require(port)) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        let handler = try NIOSSLClientHandler(context: tls, serverHostname: "localhost")
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    if !greeting.isEmpty { try channel.pipeline.syncOperations.addHandler(Greeter(greeting)) }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        let raw = channel.channel
        let timer = raw.eventLoop.scheduleTask(in: deadline) { raw.close(promise: nil) }
        defer { timer.cancel() }
        let result = try await channel.executeThenClose(body)
        timer.cancel()
        let hasFired = (try? await timer.futureResult.get()) != nil
        try #require(!hasFired, "the server left the connection open")
        return result
    }

    /// Runs the body while this many connections are open, each of which has been answered.
    package static func holding(
        _ count: Int, port: Int?, under tls: NIOSSLContext? = nil,
        saying bytes: [UInt8] = Array("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".utf8),
        until isAnswered: @escaping @Sendable (String) -> Bool = { $0.contains("alive") },
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard count > 0 else { return try await body() }
        try await open(port: port, under: tls) { inbound, outbound in
            try await outbound.write(ByteBuffer(bytes: bytes))
            _ = await read(inbound, until: isAnswered)
            try await holding(count - 1, port: port, under: tls, saying: bytes, until: isAnswered, body)
        }
    }

    /// Everything that comes until `isEnough`, or the end; a reset connection is an end too.
    package static func read(_ inbound: Inbound, until isEnough: ((String) -> Bool)? = nil) async -> String {
        String(buffer: await readBytes(inbound, until: isEnough))
    }

    private static func readBytes(_ inbound: Inbound, until isEnough: ((String) -> Bool)? = nil) async -> ByteBuffer {
        var received = ByteBuffer()
        do {
            for try await part in inbound {
                received.writeImmutableBuffer(part)
                if let isEnough, isEnough(String(buffer: received)) { break }
            }
        } catch {}
        return received
    }
}

/// Connections that are opened, send half of a request, and stay.
package struct Crowd {
    private let channels: [any Channel]

    package init(_ size: Int, port: Int, on group: MultiThreadedEventLoopGroup = .singleton) async throws {
        var channels: [any Channel] = []
        for _ in 0..<size {
            let channel = try await ClientBootstrap(group: group)
                .connectTimeout(RawConnection.deadline)
                .connect(host: "127.0.0.1", port: port).get()
            channel.writeAndFlush(ByteBuffer(string: "GET /health HTTP/1.1\r\n"), promise: nil)
            channels.append(channel)
        }
        self.channels = channels
    }

    package func leave() async throws { for channel in channels where channel.isActive { try await channel.close() } }
}

extension String {
    /// The statuses of the HTTP answers in it, in order.
    package var statuses: [Int] { matches(of: /HTTP\/1\.[01] (\d{3})/).compactMap { Int($0.output.1) } }
}

extension RawConnection {
    /// A request with header lines, what they say about a representation in place of TAG.
    package static func request(_ method: String, _ target: String, _ headers: [String], tag: String) -> String {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: a"] + headers.map { $0.replacing("TAG", with: tag) }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }
}
