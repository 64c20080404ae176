import Content
import Foundation
import HTTPTypes
import InAppPurchase
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// A request whose head is known is answered as the decoder would have it answered, and only where a request begins.
@Suite struct KnownHeadTests {
    private static let list = "/v1/apps/\(World.app)/products"

    /// The answers of a connection that decodes everything to the same pieces.
    private static func decoded(_ pieces: [some StringProtocol], _ responder: FastResponder) throws -> String {
        let connection = try EmbeddedConnection(responder, known: nil)
        defer { connection.end() }
        return try connection.received(pieces)
    }

    private static func get(_ target: String = list, _ headers: [String] = []) -> String {
        RawConnection.request("GET", target, headers, tag: "")
    }

    private static func bytes(_ text: String) -> ByteBuffer { ByteBuffer(string: text) }

    /// A table and the responder of a server that has everything ready.
    private static func withTable(
        _ clients: ClientAddresses = ClientAddresses(trusted: []),
        _ test: @escaping @Sendable (DownloadServer, FastResponder, () -> KnownHeads) async throws -> Void
    ) async throws {
        try await DownloadServer.run { shop in
            try await shop.warmUp()
            try await test(shop, shop.routes.fastResponder(World.quiet), { KnownHeads(clients) })
        }
    }

    /// Each request three times, on connections that share a table: decoded, known, and known to another connection.
    @Test func `A known head is answered as a decoded one`() async throws {
        try await Self.withTable { shop, responder, makeTable in
            let known = makeTable()
            var learned = 0
            for request in try await FastPathTests.requests(shop) {
                let plain = try Self.decoded([request], responder)
                let connection = try EmbeddedConnection(responder, known: known)
                for _ in 1...2 where connection.channel.isActive {
                    let received = try connection.received([request])
                    if received != plain { Issue.record("\(request)\nKNOWN \(received)\nDECODED \(plain)") }
                }
                let other = try EmbeddedConnection(responder, known: known)
                #expect(try other.received([request]) == plain, "\(request)")
                let isKnown = known[Self.bytes(request)] != nil
                #expect(isKnown == Self.mayBeKnown(request, answered: plain), "\(request)")
                if isKnown { learned += 1 }
                connection.end()
                other.end()
            }
            #expect(learned > 100)
        }
    }

    /// Whether a head may be learned: answered from memory, without anything about a body or the end of the connection.
    private static func mayBeKnown(_ request: String, answered: String) -> Bool {
        let words = ["content-length", "transfer-encoding", "expect", "upgrade", "connection: close"]
        let isPlain = request.hasSuffix(" HTTP/1.1\r\n") || request.contains(" HTTP/1.1\r\n")
        return isPlain && [200, 206, 304].contains(answered.statuses.first ?? 0) && !answered.contains("ROUTED")
            && !words.contains { request.lowercased().contains($0) }
    }

    // MARK: Where a request begins

    /// Known heads, after what they may be part of.
    static let openings = [
        // A body with a length, and one in chunks.
        "POST /v1/receipts HTTP/1.1\r\nHost: a\r\nContent-Length: LENGTH\r\n\r\n",
        "POST /v1/receipts HTTP/1.1\r\nHost: a\r\nContent-Length: LENGTH\r\nX: \r\n\r\n",
        "GET \(list) HTTP/1.1\r\nHost: a\r\nContent-Length: LENGTH\r\n\r\n",
        "POST /v1/receipts HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nHEX\r\n",
        // A head that is not complete.
        "GET /x HTTP/1.1\r\nHost: a\r\nX: ", "GET /x HTTP/1.1\r\nHost: a\r\n", "GET /x", "G", "POST /x HTTP/1.1\r\n",
        // Trailers.
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ",
        // Empty lines, alone and after requests.
        "\r\n", "\r\n\r\n", "\n", "GET /x HTTP/1.1\r\nHost: a\r\n\r\n\r\n", "GET /x HTTP/1.1\r\nHost: a\r\n\r\nG",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n\r\n\r\n",
        // The connection's last request, and what is no request.
        "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "GET /x HTTP/1.0\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
        "GET /x HTTP/1.1\r\n\r\n", "nonsense\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: LENGTH\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ]

    /// Aligned to reads: the opening is one, the known head another, and a known head follows.
    @Test(arguments: openings)
    func `A known head inside another request is what the decoder says`(opening: String) async throws {
        try await Self.withTable { shop, responder, makeTable in
            let (known, head) = (makeTable(), Self.get())
            let count = head.utf8.count
            let text = opening.replacing("LENGTH", with: "\(count)").replacing("HEX", with: String(count, radix: 16))
            let first = try EmbeddedConnection(responder, known: known)
            _ = try first.received([head])
            #expect(known[Self.bytes(head)] != nil)
            first.end()
            for pieces in [[text, head, head, head], [text, head, "\r\n0\r\n\r\n", head, head], [text + head, head]] {
                for before in [[], [head], ["GET /y HTTP/1.1\r\nHost: a\r\n\r\n"]] {
                    let connection = try EmbeddedConnection(responder, known: known)
                    let received = try connection.received(before + pieces)
                    // All at once: where the pieces end does not matter.
                    let plain = try Self.decoded([(before + pieces).joined()], responder)
                    #expect(received == plain, "\(before + pieces)")
                    connection.end()
                }
            }
        }
    }

    static let streams: [[String]] = [
        [get(), get(), "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: \(get().utf8.count)\r\n\r\n", get(), get()],
        [
            "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab\r\n\r\r\n0\r\n\r\n", get(),
            "GET /y HTTP/1.1\r\nHost: a\r\n\r\n", get(), "\r\n", get(), "GET", "GET / HTTP/1.1\r\n\r\n",
        ],
        [get(), get(list, ["Connection: close"]), get()],
    ]

    /// Nor is it learned: the rest of a head looks like another one, and has the answer of the whole.
    @Test func `The rest of a head is not learned`() async throws {
        try await Self.withTable { shop, responder, makeTable in
            let (known, rest) = (makeTable(), "GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
            let begun = "GET \(Self.list) HTTP/1.1\r\nX: "
            let connection = try EmbeddedConnection(responder, known: known)
            #expect(!(try connection.received([begun, rest])).contains("ROUTED"))
            #expect(known[Self.bytes(rest)] == nil && known.count == 0)
            #expect(try connection.received([rest]).contains("ROUTED GET /health"))
            connection.end()
        }
    }

    /// Each part a read, one of them cut in two at every byte; all cut at a byte; and a byte at a time.
    @Test(arguments: streams) func `Reads that are cut anywhere change no answer`(stream: [String]) async throws {
        try await Self.withTable { shop, responder, makeTable in
            let (known, text) = (makeTable(), stream.joined())
            func received(_ pieces: [String]) throws -> String {
                let connection = try EmbeddedConnection(responder, known: known)
                defer { connection.end() }
                return try connection.received(pieces)
            }
            _ = try received([Self.get()])
            let plain = try Self.decoded([text], responder)
            #expect(plain.statuses.count > 1)
            for place in stream.indices {
                for cut in 0...stream[place].utf8.count {
                    let (first, last) = (stream[place].utf8.prefix(cut), stream[place].utf8.dropFirst(cut))
                    var pieces = stream
                    pieces[place...place] = [String(Substring(first)), String(Substring(last))]
                    #expect(try received(pieces) == plain, "part \(place) at \(cut)")
                    let whole = [stream[..<place].joined() + pieces[place], pieces[(place + 1)...].joined()]
                    #expect(try received(whole) == plain, "part \(place) at \(cut), in two reads")
                }
            }
            #expect(try received(text.utf8.map { String(decoding: [$0], as: UTF8.self) }) == plain)
        }
    }

    /// Many requests at once, known, unknown and for the routes, cut anywhere: in order, and answered as decoded ones.
    @Test(arguments: campaign(of: 8))
    func `Pipelined requests with known heads stay in order`(seed: UInt64) async throws {
        try await Self.withTable { shop, responder, makeTable in
            var generator = SeededGenerator(seed: seed)
            let (known, small) = (makeTable(), try shop.link("small.txt"))
            let requests = [
                Self.get(), Self.get(small), Self.get(small, ["Range: bytes=3-70"]), Self.get(Self.list + "?a=b"),
                Self.get(small, ["If-None-Match: *"]), RawConnection.request("HEAD", Self.list, [], tag: ""),
                "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: \(Self.get().utf8.count)\r\n\r\n" + Self.get(),
                "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab", Self.get("/health"),
            ]
            for _ in 0..<50 {
                let chosen = (0..<20).compactMap { _ in requests.randomElement(using: &generator) }
                let text = Array(chosen.joined().utf8)
                // At the ends of requests, where a known head may come complete, and elsewhere.
                var ends = Set(chosen.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.utf8.count) })
                ends = ends.filter { _ in Bool.random(using: &generator) }
                for _ in 0..<Int.random(in: 0...6, using: &generator) {
                    ends.insert(Int.random(in: 0...text.count, using: &generator))
                }
                let cuts = [0] + ends.sorted() + [text.count]
                let pieces = zip(cuts, cuts.dropFirst()).map { String(decoding: text[$0..<$1], as: UTF8.self) }
                let connection = try EmbeddedConnection(responder, known: known)
                let (received, plain) = (
                    try connection.received(pieces), try Self.decoded([chosen.joined()], responder)
                )
                #expect(plain.statuses.count == 20)
                if received != plain { Issue.record("\(pieces)\nKNOWN \(received)\nDECODED \(plain)") }
                connection.end()
            }
        }
    }

    // MARK: What is asked at each request

    /// The answer to a known request, after something happened.
    private static func answer(
        to target: @escaping @Sendable (DownloadServer) throws -> String,
        after act: @escaping @Sendable (DownloadServer) async throws -> Void
    ) async throws -> String {
        let (answers, feed) = AsyncStream.makeStream(of: String.self)
        try await withTable { shop, responder, makeTable in
            let (known, request) = (makeTable(), get(try target(shop)))
            let connection = try EmbeddedConnection(responder, known: known)
            for _ in 1...2 { #expect(!(try connection.received([request])).contains("ROUTED")) }
            try #require(known[bytes(request)] != nil)
            try await act(shop)
            feed.yield(try connection.received([request]))
            connection.end()
        }
        return try #require(await answers.first { _ in true })
    }

    /// The file is requested all the time, so that it stays in the cache.
    @Test(arguments: ["small.txt", "large.txt", "open.txt"])
    func `An expired link with a known head opens nothing`(name: String) async throws {
        let received = try await Self.answer(to: { try $0.link(name) }) { shop in
            let (clock, cache, sha256) = (shop.world.clock, shop.routes.services.cache, try shop.sha256(name))
            while clock.now < World.start + GrantSigner.lifetime {
                clock.advance(by: ContentCache.idleSeconds / 2)
                await cache.refresh(at: clock.now)
                #expect(cache.file(sha256, at: clock.now) != nil)
            }
        }
        #expect(received.contains("ROUTED"), "\(received)")
    }

    @Test(arguments: ["small.txt", "large.txt", "open.txt"])
    func `A file that is gone is not sent to a known head`(name: String) async throws {
        let received = try await Self.answer(to: { try $0.link(name) }) { shop in
            try FileManager.default.removeItem(at: shop.folder.appending(path: "downloads/1.0.0/\(name)"))
            await shop.routes.services.cache.refresh(at: shop.world.clock.now)
        }
        #expect(received.contains("ROUTED"), "\(received)")
    }

    /// Nobody has checked the file lately.
    @Test func `A file that was not checked is not sent to a known head`() async throws {
        let received = try await Self.answer(to: { try $0.link("small.txt") }) { shop in
            shop.world.clock.advance(by: ContentCache.freshSeconds + 1)
        }
        #expect(received.contains("ROUTED"), "\(received)")
    }

    /// The previous list is not sent; the routes make the new one.
    @Test func `An outdated product list is not sent to a known head`() async throws {
        let received = try await Self.answer(to: { _ in Self.list }) { shop in
            try await shop.addFile("new.txt", Data("new".utf8))
        }
        #expect(received.contains("ROUTED"), "\(received)")
    }

    /// A known request is a use of the file, like a decoded one.
    @Test func `A file requested by known heads stays in the cache`() async throws {
        try await Self.withTable { shop, responder, makeTable in
            let request = Self.get(try shop.link("small.txt"))
            let connection = try EmbeddedConnection(responder, known: makeTable())
            for _ in 0..<4 {
                #expect(try connection.received([request]).statuses == [200])
                shop.world.clock.advance(by: ContentCache.idleSeconds - 1)
                await shop.routes.services.cache.refresh(at: shop.world.clock.now)
            }
            #expect(shop.routes.services.cache.file(try shop.sha256("small.txt"), at: shop.world.clock.now) != nil)
            connection.end()
        }
    }

    /// While the client reads nothing, responses do not pile up: the routes wait for it.
    @Test func `A client that does not read is left to the routes`() async throws {
        try await Self.withTable { shop, responder, makeTable in
            let connection = try EmbeddedConnection(responder, known: makeTable())
            for _ in 1...2 { #expect(!(try connection.received([Self.get()])).contains("ROUTED")) }
            connection.channel.isWritable = false
            #expect(try connection.received([Self.get()]).contains("ROUTED"))
            connection.end()
        }
    }

    @Test func `After the server stopped no known head is answered`() async throws {
        try await Self.withTable { shop, responder, makeTable in
            let connection = try EmbeddedConnection(responder, known: makeTable())
            for _ in 1...2 { #expect(try connection.received([Self.get()]).statuses == [200]) }
            connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            #expect(!connection.channel.isActive)
            connection.end()
        }
    }

    /// A socket that accepts nothing until the test says so.
    private final class FullSocket: ChannelOutboundHandler {
        typealias OutboundIn = IOData

        var isFull = true

        private(set) var closes: [CloseMode] = []

        func flush(context: ChannelHandlerContext) { if !isFull { context.flush() } }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            closes.append(mode)
            context.close(mode: mode, promise: promise)
        }
    }

    /// A connection is closed after its last response. If the client sent more, it is closed only towards the client:
    /// bytes that are not read would cost it the response.
    @Test(arguments: [true, false])
    func `The end of a connection does not cost a response`(sendsMore: Bool) async throws {
        try await Self.withTable { shop, responder, makeTable in
            let socket = FullSocket()
            let connection = try EmbeddedConnection(responder, known: makeTable(), socket: socket)
            let last = Self.get(Self.list, ["Connection: close"])
            #expect(try connection.received(sendsMore ? [last, Self.get()] : [last]) == "")
            #expect(socket.closes.isEmpty)
            socket.isFull = false
            connection.channel.flush()
            #expect(socket.closes.first == (sendsMore ? .output : .all))
            #expect(try connection.received().statuses == [200])
            connection.end()
        }
    }

    /// A response that the client has not read when the server stops is sent before the connection closes.
    @Test func `A server that stops first sends what it answered`() async throws {
        try await Self.withTable { shop, responder, makeTable in
            let (known, socket) = (makeTable(), FullSocket())
            let first = try EmbeddedConnection(responder, known: known)
            let answer = try first.received([Self.get()])
            first.end()
            let connection = try EmbeddedConnection(responder, known: known, socket: socket)
            #expect(try connection.received([Self.get()]) == "")
            connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            #expect(connection.channel.isActive)
            socket.isFull = false
            connection.channel.flush()
            #expect(!connection.channel.isActive)
            #expect(try connection.received() == answer)
            connection.end()
        }
    }

    /// It has the time of its bytes and no more; a request meanwhile is for the routes.
    @Test func `A client that reads nothing is cut off`() async throws {
        try await Self.withTable { shop, responder, makeTable in
            var limits = ConnectionLimits()
            limits.idle = .seconds(10)
            let (known, socket) = (makeTable(), FullSocket())
            let first = try EmbeddedConnection(responder, known: known)
            _ = try first.received([Self.get()])
            first.end()
            let connection = try EmbeddedConnection(responder, known: known, limits, socket: socket)
            #expect(try connection.received([Self.get()]) == "")
            connection.channel.embeddedEventLoop.advanceTime(by: Limits.downloadTime - .seconds(1))
            #expect(connection.channel.isActive)
            connection.channel.embeddedEventLoop.advanceTime(by: .seconds(3))
            #expect(!connection.channel.isActive)
            connection.end()
        }
    }

    @Test func `A known head is counted and logged as a decoded one`() async throws {
        let (log, metrics) = (LogRecorder(), ServerMetrics())
        try await DownloadServer.run(metrics: metrics) { shop in
            try await shop.warmUp()
            let before = Scrape(metrics.exposition(nil, at: World.start))
            let connection = try EmbeddedConnection(
                shop.routes.fastResponder(log.logger(.debug)), known: KnownHeads(ClientAddresses(trusted: [])))
            let request = Self.get(try shop.link("small.txt"), ["Range: bytes=0-9"])
            for _ in 1...3 { #expect(try connection.received([request]).statuses == [206]) }
            connection.end()
            let after = Scrape(metrics.exposition(nil, at: World.start))
            let labels = "{method=\"GET\",route=\"\(ContentRoutes.path)\",status=\"206\"}"
            let (count, bytes) = (
                "quartermaster_http_requests_total" + labels, "quartermaster_content_sent_bytes_total"
            )
            #expect(before[count] == nil && after[count] == "3")
            #expect((Int(after[bytes] ?? "") ?? 0) - (Int(before[bytes] ?? "") ?? 0) == 30)
            let lines = log.lines.filter { $0.contains("\(ContentRoutes.path)") && $0.contains("206") }
            #expect(lines.count == 3 && Set(lines).count == 3, "\(log.lines)")
        }
    }

    // MARK: The table

    private static func request(_ number: Int) -> (ByteBuffer, FastRequest?) {
        let text = get(list, ["X: \(number)"])
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: list)
        return (bytes(text), FastRequest(head))
    }

    @Test func `The table of known heads is bounded and drops what is not used`() throws {
        let known = KnownHeads(ClientAddresses(trusted: []))
        let (first, request) = Self.request(-1)
        for number in 0..<(4 * KnownHeads.maximumHeads) {
            let peer = try SocketAddress(ipAddress: "10.0.\(number / 256).\(number % 256)", port: 1)
            known.learn(first, try #require(request), from: peer, forwardedFor: [])
            known.learn(Self.request(number).0, try #require(request), from: peer, forwardedFor: [])
            // Used again and again, it stays.
            #expect(known[first] != nil)
        }
        #expect(known.count <= KnownHeads.maximumHeads && known.count > KnownHeads.maximumHeads / 2)
    }

    @Test func `No address fills the table of known heads`() throws {
        let known = KnownHeads(ClientAddresses(trusted: []))
        let (other, request) = Self.request(-1)
        let fast = try #require(request)
        known.learn(other, fast, from: try SocketAddress(ipAddress: "192.0.2.1", port: 1), forwardedFor: [])
        // IPv6 subscribers have 2^64 addresses.
        for (number, address) in (0..<1_000).map({ ($0, "2001:db8::\(String($0, radix: 16))") }) {
            let peer = try SocketAddress(ipAddress: address, port: 1)
            known.learn(Self.request(number).0, fast, from: peer, forwardedFor: ["192.0.2.\(number % 256)"])
        }
        #expect(known.count <= KnownHeads.maximumHeadsPerAddress + 1)
        #expect(known[Self.request(999).0] != nil && known[Self.request(0).0] == nil)
    }

    /// Behind a trusted proxy, each client is counted for itself.
    @Test func `Clients behind a proxy are counted separately`() throws {
        let known = KnownHeads(ClientAddresses(trusted: [try #require(IPRange("10.0.0.1"))]))
        let peer = try SocketAddress(ipAddress: "10.0.0.1", port: 1)
        let fast = try #require(Self.request(0).1)
        for number in 0..<(2 * KnownHeads.maximumHeadsPerAddress) {
            known.learn(Self.request(number).0, fast, from: peer, forwardedFor: ["192.0.2.\(number % 2)"])
        }
        #expect(known.count > KnownHeads.maximumHeadsPerAddress)
    }

    @Test func `Long heads are not learned`() async throws {
        try await Self.withTable { shop, responder, makeTable in
            for (length, isKnown) in [(1_000, true), (KnownHeads.maximumHeadBytes, false)] {
                let request = Self.get(Self.list, ["X: " + String(repeating: "x", count: length)])
                let known = makeTable()
                let connection = try EmbeddedConnection(responder, known: known)
                for _ in 1...2 { #expect(try connection.received([request]).statuses == [200]) }
                #expect((known.count == 1) == isKnown)
                connection.end()
            }
        }
    }
}
