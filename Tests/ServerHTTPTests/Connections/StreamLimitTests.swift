import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// The limits of one HTTP/2 stream, and of one HTTP/2 connection.
@Suite struct StreamLimitTests {
    private static let limits: ConnectionLimits = {
        var limits = ConnectionLimits()
        (limits.idle, limits.total, limits.slowestDownload) = (.seconds(30), .seconds(100), 1_000)
        return limits
    }()

    private static let unsent = UnsentBudget.test.connection(EmbeddedChannel())

    /// An event on a stream.
    enum Step {
        case head, body, end
        case answerHead(length: Int)
        case answerEnd
        case pause(Int)
    }

    static let cases: [(steps: [Step], closedAfter: Int)] = [
        // A body that stalls, one that goes on, an answer that does not begin.
        ([.head], 30), ([.head, .pause(29), .body, .pause(29), .body], 30), ([.head, .end], 100),
        ([.head, .pause(29), .body, .pause(29), .body, .pause(29), .body, .pause(10), .body], 3),
        // A minute, and a second for each thousand bytes; for a client that has said everything.
        ([.head, .end, .answerHead(length: 0)], 60), ([.head, .end, .answerHead(length: 5_000_000)], 5_060),
        ([.head, .answerHead(length: 2_000)], 30), ([.head, .end, .pause(90), .answerHead(length: 0)], 60),
        // Answered, and not ended.
        ([.head, .end, .answerHead(length: 0), .pause(50), .answerEnd], 30),
        ([.head, .answerHead(length: 0), .answerEnd], 30),
    ]

    @Test(arguments: cases.indices) func `A slow stream is reset at its limit`(number: Int) throws {
        let (steps, closedAfter) = Self.cases[number]
        let channel = EmbeddedChannel(handler: StreamWatch(Self.limits))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        for step in steps { try Self.perform(step, channel) }
        channel.embeddedEventLoop.advanceTime(by: .seconds(Int64(closedAfter)) - .milliseconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(!channel.isActive)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    private static func perform(_ step: Step, _ channel: EmbeddedChannel) throws {
        switch step {
        case .head:
            let head = HTTPRequest(method: .get, scheme: "https", authority: "a", path: "/health")
            try channel.writeInbound(HTTPRequestPart.head(head))
        case .body: try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
        case .end: try channel.writeInbound(HTTPRequestPart.end(nil))
        case .answerHead(let length):
            let fields: HTTPFields = [.contentLength: "\(length)", .connection: "close"]
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok, headerFields: fields)))
        case .answerEnd: try channel.writeOutbound(HTTPResponsePart.end(nil))
        case .pause(let seconds): channel.embeddedEventLoop.advanceTime(by: .seconds(Int64(seconds)))
        }
    }

    @Test func `Header fields that only HTTP/1.1 knows are not sent with HTTP/2`() throws {
        let channel = EmbeddedChannel(handler: StreamWatch(Self.limits))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        for step in [Step.head, .answerHead(length: 0), .answerEnd] { try Self.perform(step, channel) }
        guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("no answer")
            return
        }
        #expect(head.headerFields == [.contentLength: "0"])
        try channel.close(mode: .output).wait()
        #expect(channel.isActive)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    /// A stream whose request comes while too much of the connection is unsent.
    @Test(arguments: [true, false])
    func `A request waits until the client has read responses to others`(isRead: Bool) throws {
        let count = StreamCount(idle: .seconds(30), unsent: Self.unsent)
        let (connection, channel) = (EmbeddedChannel(handler: count), EmbeddedChannel())
        try channel.pipeline.syncOperations.addHandler(StreamWatch(Self.limits, in: count))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        count.written(Limits.unsentStreamBytes)
        for step in [Step.head, .body, .end] { try Self.perform(step, channel) }
        let early = try channel.readInbound(as: HTTPRequestPart.self)
        #expect(early == nil)
        channel.embeddedEventLoop.advanceTime(by: UnsentBudget.maximumStall - .milliseconds(1))
        #expect(channel.isActive)
        if isRead { count.sent(1) }
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(channel.isActive == isRead)
        let parts = try (0..<3).compactMap { _ in try channel.readInbound(as: HTTPRequestPart.self) }
        #expect(parts.count == (isRead ? 3 : 0))
        _ = try? channel.finish(acceptAlreadyClosed: true)
        _ = try? connection.finish(acceptAlreadyClosed: true)
    }

    @Test func `An HTTP/2 connection without streams is closed`() throws {
        let channel = EmbeddedChannel()
        let (count, stream) = (StreamCount(idle: .seconds(30), unsent: Self.unsent), StreamWatch(Self.limits))
        try channel.pipeline.syncOperations.addHandler(count)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        count.streamOpened()
        count.streamOpened()
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        count.streamClosed(stream)
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        count.streamClosed(stream)
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        // The server stops: the framework asks the client to end the connection.
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.embeddedEventLoop.advanceTime(by: Limits.lingerTime - .milliseconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `A silent HTTP/2 connection is closed after its idle time`() throws {
        let channel = EmbeddedChannel(handler: StreamCount(idle: .seconds(30), unsent: Self.unsent))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.embeddedEventLoop.advanceTime(by: .seconds(30) - .milliseconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }
}
