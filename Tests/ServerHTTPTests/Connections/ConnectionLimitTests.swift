import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import PrometheusMetrics
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Slow and greedy clients are cut off, and nobody else.
@Suite struct ConnectionLimitTests {
    private static let limits: ConnectionLimits = {
        var limits = ConnectionLimits()
        (limits.header, limits.idle, limits.total) = (.seconds(10), .seconds(30), .seconds(100))
        limits.slowestDownload = 1_000
        return limits
    }()

    private static let head = HTTPServerRequestPart.head(
        HTTPRequestHead(version: .http1_1, method: .GET, uri: "/health", headers: ["Host": "a"]))

    private static let lastHead = HTTPServerRequestPart.head(
        HTTPRequestHead(version: .http1_1, method: .GET, uri: "/health", headers: ["Host": "a", "Connection": "close"]))

    /// An event on a connection, one step a second.
    enum Step {
        /// Bytes came that do not make a complete head yet.
        case bytes
        case head, body, end
        /// Of a request after which the connection ends.
        case lastHead
        /// Of the routes.
        case resume
        case answerHead(length: Int)
        case answerEnd
        case pause(Int)
    }

    static let cases: [(steps: [Step], closedAfter: Int)] = [
        // Nothing at all; a head that never ends, also one that drips.
        ([], 30), ([.bytes], 10), ([.pause(25), .bytes], 5), ([.bytes, .pause(8), .bytes], 2),
        // After an answer, the time begins anew.
        ([.head, .end, .answerHead(length: 0), .answerEnd], 30),
        ([.head, .end, .answerHead(length: 0), .answerEnd, .bytes], 10),
        // A body that stalls, and one that goes on.
        ([.head], 30), ([.head, .pause(29), .body, .pause(29), .body], 30),
        ([.head, .pause(29), .body, .pause(29), .body, .pause(29), .body, .pause(10), .body], 3),
        // The answer takes its time, but not for ever; once it began, a minute, and a second for each thousand bytes.
        ([.head, .end], 100), ([.head, .end, .pause(90)], 10), ([.head, .end, .pause(90), .answerHead(length: 0)], 60),
        ([.head, .end, .answerHead(length: 5_000_000)], 5_060),
        ([.head, .end, .answerHead(length: 5_000_000), .pause(5_000), .answerEnd], 30),
        // A client that is told to continue has the time of any body.
        ([.head, .resume, .pause(25), .body, .pause(25), .body, .pause(25), .body], 25),
        // Anything after the last request is no head.
        ([.lastHead, .end, .bytes, .answerHead(length: 5_000_000), .pause(5_000), .answerEnd], 30),
        // Two at once.
        ([.head, .end, .head, .end, .pause(50), .answerHead(length: 0), .answerEnd], 100),
    ]

    @Test(arguments: cases.indices) func `A slow or idle connection is closed at its limit`(number: Int) throws {
        let (steps, closedAfter) = Self.cases[number]
        let channel = EmbeddedChannel()
        let now = channel.embeddedEventLoop.now
        let fastPath = FastPath(nil, HeadRefusals.test, Self.limits, behind: RequestBytes(unsent: .test), at: now) {}
        try channel.pipeline.syncOperations.addHandler(fastPath)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        for step in steps { try Self.perform(step, channel) }
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(Int64(closedAfter)) - .milliseconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(!channel.isActive)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    private static func perform(_ step: Step, _ channel: EmbeddedChannel) throws {
        switch step {
        case .bytes: channel.pipeline.fireChannelReadComplete()
        case .head: try channel.writeInbound(head)
        case .lastHead: try channel.writeInbound(lastHead)
        case .body: try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "x")))
        case .end: try channel.writeInbound(HTTPServerRequestPart.end(nil))
        case .resume:
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            try channel.writeOutbound(HTTPServerResponsePart.head(head))
        case .answerHead(let length):
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["content-length": "\(length)"])
            try channel.writeOutbound(HTTPServerResponsePart.head(head))
        case .answerEnd: try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        case .pause(let seconds): channel.embeddedEventLoop.advanceTime(by: .seconds(Int64(seconds)))
        }
    }

    /// 60 seconds, and one for each thousand bytes.
    @Test func `A download has a time that grows with its bytes`() {
        let start = NIODeadline.now()
        var state = ConnectionState(Self.limits, at: start)
        state.send(5_000_000, at: start)
        #expect(!state.isOverdue(at: start + .seconds(5_059)) && state.isOverdue(at: start + .seconds(5_060)))
        state.send(1_000_000, at: start)
        #expect(!state.isOverdue(at: start + .seconds(6_059)) && state.isOverdue(at: start + .seconds(6_060)))
        state.sent(at: start + .seconds(10))
        #expect(!state.isOverdue(at: start + .seconds(6_059)))
        state.sent(at: start + .seconds(20))
        #expect(!state.isOverdue(at: start + .seconds(49)) && state.isOverdue(at: start + .seconds(50)))
        #expect(state.nextLook(at: start + .seconds(20)) == start + .seconds(50))
    }

    /// A test that waits for the server to close a connection waits less long than for one that the server forgot.
    @Test func `A connection that the server forgets to close fails a test`() async throws {
        try await World.run { world in
            let limits = world.assembly.routes.services.connections
            #expect(min(limits.idle, limits.header, limits.body, limits.total) > RawConnection.deadline)
        }
    }

    @Test(arguments: [false, true])
    func `The connections of an address are limited, unless it is a proxy`(isProxy: Bool) async throws {
        var variables = ["QUARTERMASTER_LIMITS_CONNECTIONS_PER_ADDRESS": "3"]
        if isProxy { variables["QUARTERMASTER_TRUSTED_PROXIES"] = "127.0.0.0/8,::1" }
        let metrics = ServerMetrics()
        try await World.run(environment: variables, metrics: metrics) { world in
            let port = try #require(world.port)
            try await RawConnection.holding(3, port: port) {
                let answer = try await RawConnection.exchange("GET /health HTTP/1.1\r\nHost: a\r\n\r\n", port: port)
                #expect(answer.statuses == (isProxy ? [200] : []))
                let refused = metrics.registry.exposition().contains("rate_limited_total{limit=\"connections\"} 1\n")
                #expect(refused == !isProxy)
            }
            while try await RawConnection.exchange("GET /health HTTP/1.1\r\nHost: a\r\n\r\n", port: port).isEmpty {}
        }
    }

    @Test func `The limits of connections are settings`() async throws {
        func limits(_ value: String) async throws -> ConnectionLimits {
            let variables = Dictionary(
                ["HEADER_SECONDS", "IDLE_SECONDS", "BODY_SECONDS", "TOTAL_SECONDS", "DOWNLOAD_BYTES_PER_SECOND"]
                    .map { ("QUARTERMASTER_LIMITS_\($0)", value) }
            ) { $1 }
            return try ConnectionLimits(await SettingSources(flags: [:], environment: variables, file: nil))
        }
        let chosen = try await limits("7")
        #expect([chosen.header, chosen.idle, chosen.body, chosen.total].allSatisfy { $0 == .seconds(7) })
        #expect(chosen.slowestDownload == 7)
        let standard = try await limits("0")
        #expect(standard.idle == Limits.idleTime && standard.slowestDownload == Limits.slowestDownload)
        for wrong in ["-1", "x", "86401000000"] {
            await #expect(throws: SettingError.self) { _ = try await limits(wrong) }
        }
    }
}
