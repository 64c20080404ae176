import NIOCore
import NIOEmbedded
import NIOHTTP1
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// A connection that ends discards what comes after its last response, up to a time and a number of bytes.
@Suite struct LingeringTests {
    /// Has its output closed without the rest of it.
    private final class Socket: ChannelOutboundHandler {
        typealias OutboundIn = IOData

        private(set) var reads = 0
        private(set) var isOutputClosed = false

        func read(context: ChannelHandlerContext) { reads += 1 }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            guard mode == .output else { return context.close(mode: mode, promise: promise) }
            isOutputClosed = true
            promise?.succeed()
        }
    }

    private let channel = EmbeddedChannel()
    private let socket = Socket()

    init() throws {
        let bytes = RequestBytes(unsent: .test)
        let path = FastPath(
            nil, HeadRefusals.test, ConnectionLimits(), behind: bytes, at: channel.embeddedEventLoop.now
        ) {}
        try channel.pipeline.syncOperations.addHandlers([socket, bytes, path])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n")
        let head = HTTPResponseHead(version: .http1_1, status: .unauthorized, headers: ["content-length": "0"])
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    private func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    private func advance(by time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    /// ``DrainingCloseHandler`` closes everything when the server stops, routes close the output.
    @Test(arguments: [CloseMode.all, .output])
    func `A response before the end of its request leaves the input open`(mode: CloseMode) throws {
        channel.close(mode: mode, promise: nil)
        #expect(socket.isOutputClosed && channel.isActive)
        advance(by: Limits.lingerTime - .milliseconds(1))
        #expect(channel.isActive)
        advance(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test func `A second close does not wait`() throws {
        channel.close(promise: nil)
        #expect(channel.isActive)
        channel.close(promise: nil)
        #expect(!channel.isActive)
    }

    @Test func `What comes after the last response is read and not passed on, until the time is over`() throws {
        channel.close(mode: .output, promise: nil)
        while try channel.readInbound(as: HTTPServerRequestPart.self) != nil {}
        var elapsed = TimeAmount.zero
        let step = Limits.lingerTime - .seconds(1)
        while elapsed + step < Limits.maximumLingerTime {
            let reads = socket.reads
            try send("xxxx")
            // Whatever the routes ask for.
            #expect(channel.isActive && socket.reads > reads)
            advance(by: step)
            elapsed = elapsed + step
        }
        try send("xxxx")
        advance(by: Limits.lingerTime)
        #expect(!channel.isActive)
        #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == nil)
    }

    @Test func `More than the maximum after the last response ends the connection`() throws {
        channel.close(mode: .output, promise: nil)
        let piece = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1 << 20)
        for _ in 0..<(Limits.maximumLingerBytes >> 20) { try channel.writeInbound(piece) }
        #expect(channel.isActive)
        try send("x")
        #expect(!channel.isActive)
    }
}
