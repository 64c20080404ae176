import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOPosix
import ServerTestSupport
import ServiceLifecycle
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Connections are accepted up to a maximum, and end with the server, after what they are answering.
@Suite struct ListenerTests {
    /// Counts how often the system is asked for more connections.
    private final class Reads: ChannelOutboundHandler {
        typealias OutboundIn = Never

        private(set) var count = 0

        func read(context: ChannelHandlerContext) { count += 1 }
    }

    @Test func `Connections above the maximum wait`() throws {
        let (channel, reads, metrics) = (EmbeddedChannel(), Reads(), ServerMetrics())
        try channel.pipeline.syncOperations.addHandlers([
            reads, AcceptedConnections(maximum: 2, meter: metrics.connections),
        ])
        func shown() -> String? { Scrape(metrics.exposition(nil, at: World.start))["quartermaster_http_connections"] }
        let clients = (0..<3).map { _ in EmbeddedChannel(loop: channel.embeddedEventLoop) }
        channel.pipeline.read()
        for client in clients[0..<2] { channel.pipeline.fireChannelRead(client as any Channel) }
        #expect(shown() == "2" && reads.count == 1)
        channel.pipeline.read()
        #expect(reads.count == 1)
        try clients[0].close().wait()
        channel.embeddedEventLoop.run()
        #expect(shown() == "1" && reads.count == 2)
        // Nobody waits.
        try clients[1].close().wait()
        channel.embeddedEventLoop.run()
        #expect(shown() == "0" && reads.count == 2)
        channel.pipeline.read()
        #expect(reads.count == 3)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    /// Counts what the system has handed over before the first turn of the event loop is over.
    private final class FirstTurn: ChannelInboundHandler {
        typealias InboundIn = any Channel

        private var count = 0
        private let feed: AsyncStream<Int>.Continuation

        init(_ feed: AsyncStream<Int>.Continuation) { self.feed = feed }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            count += 1
            context.fireChannelRead(data)
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            feed.yield(count)
            context.fireChannelReadComplete()
        }
    }

    /// Each takes a file descriptor, which a download that is about to begin would lack.
    @Test func `A crowd that connects at once does not exceed the maximum`() async throws {
        try await DownloadServer.run { shop in
            let (counts, feed) = AsyncStream.makeStream(of: Int.self)
            var listener = shop.routes.listener(at: ListenAddress(host: "127.0.0.1", port: 0), logger: World.quiet)
            listener.maximum = 3
            // Not the event loop that is kept busy.
            let clients = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            listener.onListening = { channel in
                do {
                    let port = try #require(channel.localAddress?.port)
                    try await channel.eventLoop.submit {
                        try channel.pipeline.syncOperations.addHandler(FirstTurn(feed), position: .first)
                    }.get()
                    // The event loop is busy from before the first connects until all have.
                    let isCrowded = DispatchSemaphore(value: 0)
                    let (busy, isBusy) = AsyncStream.makeStream(of: Void.self)
                    channel.eventLoop.execute {
                        isBusy.yield()
                        isCrowded.wait()
                    }
                    defer { isCrowded.signal() }
                    _ = await busy.first { _ in true }
                    _ = try await Crowd(20, port: port, on: clients)
                } catch {
                    Issue.record(error)
                    feed.finish()
                }
            }
            let running = Task { [listener] in try await listener.run() }
            #expect(await counts.first { _ in true } == 3)
            running.cancel()
            try await running.value
            try await clients.shutdownGracefully()
        }
    }

    /// Otherwise the system would be asked again and again, and no other work done.
    @Test func `Without file descriptors the listener waits before it accepts again`() async throws {
        try await World.run { world in
            var isInTime = false
            while !isInTime {
                let (channel, reads) = (EmbeddedChannel(), Reads())
                try channel.pipeline.syncOperations.addHandlers([reads] + world.assembly.listener.handlers())
                let start = NIODeadline.now()
                channel.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
                channel.pipeline.read()
                // The handler reads the clock itself, and waits for a second, which a busy machine may take here.
                isInTime = NIODeadline.now() - start < .seconds(1)
                #expect(reads.count == 0 || !isInTime)
                channel.embeddedEventLoop.advanceTime(to: .now() + .seconds(2))
                #expect(reads.count == 1)
                _ = try channel.finish(acceptAlreadyClosed: true)
            }
        }
    }

    /// Reports a connection's user events.
    private final class Events: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private(set) var isToEnd = false

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            isToEnd = isToEnd || event is ChannelShouldQuiesceEvent
        }
    }

    @Test func `All connections are told to end when the listener stops`() throws {
        let (channel, accepted) = (EmbeddedChannel(), AcceptedConnections(maximum: 9, meter: nil))
        try channel.pipeline.syncOperations.addHandler(accepted)
        let events = (0..<3).map { _ in Events() }
        let clients = events.map { EmbeddedChannel(handler: $0, loop: channel.embeddedEventLoop) }
        for client in clients[0..<2] { channel.pipeline.fireChannelRead(client as any Channel) }
        var isOver = false
        accepted.stop { isOver = true }
        // One that came at the last moment.
        channel.pipeline.fireChannelRead(clients[2] as any Channel)
        channel.embeddedEventLoop.run()
        #expect(events.allSatisfy(\.isToEnd) && !isOver)
        for client in clients {
            #expect(!isOver)
            try client.close().wait()
            channel.embeddedEventLoop.run()
        }
        #expect(isOver)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `A listener without connections stops at once`() throws {
        let (channel, accepted) = (EmbeddedChannel(), AcceptedConnections(maximum: 9, meter: nil))
        try channel.pipeline.syncOperations.addHandler(accepted)
        var isOver = false
        accepted.stop { isOver = true }
        #expect(isOver)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    /// A response of the fast path and one of the routes, larger than the sockets' buffers, are read while the server
    /// stops; the idle connection beside them ends at once.
    @Test(arguments: [true, false])
    func `A response being sent is sent to its end when the server stops`(isFast: Bool) async throws {
        try await DownloadServer.run { shop in
            let size = 16 << 20
            try await shop.addFile("huge.txt", Data(repeating: UInt8(ascii: "x"), count: size))
            let link = try shop.link("huge.txt")
            #expect(try await shop.world.call(.get, link, headers: [.range: "bytes=0-0"]).status == 206)
            // A connection that is to close waits eight seconds, in which a busy machine may not read the rest.
            for _ in 0..<10 {
                let listener = shop.routes.listener(
                    at: ListenAddress(host: "localhost", port: 0), logger: World.quiet, isFast: isFast)
                let (received, time) = try await listener.received(
                    after: RawConnection.request("GET", link, [], tag: ""))
                #expect(received.statuses == [200])
                let isWhole = received.utf8.count { $0 == UInt8(ascii: "x") } >= size
                #expect(isWhole || time > .seconds(7))
                if isWhole { return }
            }
            Issue.record("no response was read in time")
        }
    }

    /// The client sends the last byte when the server stops already.
    @Test func `A small body being read is answered when the server stops`() async throws {
        try await DownloadServer.run { shop in
            let listener = shop.routes.listener(at: ListenAddress(host: "localhost", port: 0), logger: World.quiet)
            let head = """
                POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{
                """
            let (received, _) = try await listener.received(after: head, sending: "}")
            #expect(received.statuses == [100, 400])
        }
    }

    /// A server that has no time left closes the open connections.
    @Test func `Cancellation closes connections`() async throws {
        try await DownloadServer.run { shop in
            let (ports, feed) = AsyncStream.makeStream(of: Int?.self)
            var listener = shop.routes.listener(at: ListenAddress(host: "localhost", port: 0), logger: World.quiet)
            listener.onListening = { feed.yield($0.localAddress?.port) }
            let running = Task { [listener] in try await listener.run() }
            let port = await ports.first { _ in true }
            try await RawConnection.open(port: port ?? nil) { inbound, outbound in
                // Half of a request.
                try await outbound.write(ByteBuffer(string: "GET /health HTTP/1.1\r\n"))
                running.cancel()
                #expect(await RawConnection.read(inbound) == "")
            }
            try await running.value
        }
    }
}

extension Listener {
    /// Everything that a client hears after a request if the server is told to stop at the first bytes, and the time
    /// from then on.
    ///
    /// - Parameter rest: is sent when the server has been told.
    fileprivate func received(after request: String, sending rest: String = "") async throws -> (String, Duration) {
        let (ports, feed) = AsyncStream.makeStream(of: Int?.self)
        var listener = self
        listener.onListening = { feed.yield($0.localAddress?.port) }
        let services = ServiceGroup(configuration: .init(services: [listener], logger: World.quiet))
        async let running: Void = services.run()
        let port = await ports.first { _ in true } ?? nil
        let received = try await RawConnection.open(port: port) { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var (received, start) = ("", ContinuousClock.now)
            do {
                for try await part in inbound {
                    if received.isEmpty {
                        start = .now
                        await services.triggerGracefulShutdown()
                        if !rest.isEmpty { try await outbound.write(ByteBuffer(string: rest)) }
                    }
                    received += String(buffer: part)
                }
            } catch {
                // A connection that is cut off is an end too.
            }
            return (received, start.duration(to: .now))
        }
        try await running
        return received
    }
}
