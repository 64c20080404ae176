import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing

@testable import QuartermasterServer

/// Whole requests are answered in their order, among those of the framework, and the connection ends when it should.
@Suite struct WholeRequestHandlerTests {
    private static let authorized = "Host: a\r\nAuthorization: Bearer x\r\n"

    private static let get = "GET /v1/entitlements HTTP/1.1\r\n\(authorized)\r\n"
    private static let post = "POST /v1/receipts HTTP/1.1\r\n\(authorized)Content-Length: 5\r\n\r\nabcde"
    private static let other = "GET /v1/entitlements HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Each with whether it is read whole.
    private static let requests: [(text: String, isWhole: Bool)] = [
        (get, true), (post, true),
        ("POST /v1/balances/gems/spend HTTP/1.1\r\n\(authorized)Content-Length: 0\r\n\r\n", true),
        ("GET /v1/bundles/a?b=%20c HTTP/1.1\r\n\(authorized)Connection: Keep-Alive\r\nCookie: a=b; c=d\r\n\r\n", true),
        ("POST /v1/receipts HTTP/1.1\r\n\(authorized)Content-Length: 16384\r\n\r\n" + many(16_384), true),
        ("POST /v1/receipts HTTP/1.1\r\n\(authorized)Content-Length: 16385\r\n\r\n" + many(16_385), false),
        (other, false), ("GET /v1/content/a HTTP/1.1\r\n\(authorized)\r\n", false),
        ("GET /v1/apps/a/products HTTP/1.1\r\n\(authorized)\r\n", false),
        ("GET /admin/v1/apps HTTP/1.1\r\n\(authorized)\r\n", false),
        ("GET http://a/v1/entitlements HTTP/1.1\r\n\(authorized)\r\n", false),
        ("HEAD /v1/entitlements HTTP/1.1\r\n\(authorized)\r\n", false),
        ("PUT /v1/entitlements HTTP/1.1\r\n\(authorized)Content-Length: 1\r\n\r\na", false),
        ("POST /v1/receipts HTTP/1.1\r\n\(authorized)Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", false),
        ("POST /v1/receipts HTTP/1.1\r\n\(authorized)Content-Length: 1\r\nExpect: 100-continue\r\n\r\na", false),
    ]

    /// After these the connection ends.
    private static let lastRequests = [
        "GET /v1/entitlements HTTP/1.0\r\n\(authorized)\r\n",
        "GET /v1/entitlements HTTP/1.1\r\n\(authorized)Connection: close\r\n\r\n",
        "GET /v1/entitlements HTTP/1.1\r\n\(authorized)Connection: upgrade\r\nUpgrade: h2c\r\n\r\n",
    ]

    private static func many(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test("Small requests of players are read whole, and no others", arguments: requests.indices)
    func smallRequestsOfPlayersAreReadWhole(number: Int) throws {
        let (text, isWhole) = Self.requests[number]
        let connection = try WholeConnection()
        try connection.send(text)
        #expect(connection.isAsked == isWhole)
        #expect(connection.hasFramework == !isWhole)
        connection.answer()
        #expect(try connection.heard() == Self.expected([text]))
        connection.end()
    }

    @Test("The last request of a connection is not read whole", arguments: lastRequests)
    func theLastRequestIsNotReadWhole(text: String) throws {
        let connection = try WholeConnection()
        try connection.send(text)
        #expect(!connection.isAsked && connection.hasFramework)
        connection.end()
    }

    /// The answers of the framework alone to the same requests.
    private static func expected(_ requests: [String]) throws -> String {
        try requests.map { text in
            let connection = try WholeConnection(withFrameworkOnly: true)
            defer { connection.end() }
            try connection.send(text)
            return try connection.heard()
        }.joined()
    }

    /// Cut anywhere, and answered at any time.
    @Test("Answers keep the order of the requests", arguments: campaign(of: 60))
    func answersKeepTheOrderOfTheRequests(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let requests = (0..<12).compactMap { _ in Self.requests.randomElement(using: &generator)?.text }
        let connection = try WholeConnection()
        var rest = Substring(requests.joined())
        var heard = ""
        while !rest.isEmpty {
            let count = Int.random(in: 1...(Bool.random(using: &generator) ? 60 : 20_000), using: &generator)
            try connection.send(rest.prefix(count))
            rest = rest.dropFirst(count)
            if Bool.random(using: &generator) { connection.answer() }
            heard += try connection.heard()
        }
        while connection.isAsked { connection.answer() }
        heard += try connection.heard()
        #expect(heard == (try Self.expected(requests)))
        #expect(connection.channel.isActive)
        connection.end()
        #expect(connection.hasEnded)
    }

    @Test("Nothing is read from the socket while a request is answered")
    func nothingIsReadWhileARequestIsAnswered() throws {
        let connection = try WholeConnection()
        try connection.send(Self.post)
        let reads = connection.socket.count
        connection.channel.read()
        #expect(connection.socket.count == reads)
        connection.answer()
        #expect(connection.socket.count == reads + 1)
        connection.end()
    }

    /// Only with the end of the input does the system report more than one read at once.
    @Test("A client cannot have any number of requests wait")
    func aClientCannotHaveAnyNumberOfRequestsWait() throws {
        let connection = try WholeConnection()
        try connection.send(Self.post)
        for _ in 1...(WholeRequestHandler.maximumWaiting / 2) {
            #expect(connection.channel.isActive)
            try connection.send(Self.other)
        }
        #expect(connection.channel.isActive)
        try? connection.send(Self.other)
        #expect(!connection.channel.isActive)
        connection.end()
    }

    /// The end of the client's side, and of the server, each while a request is answered, while another waits, while
    /// one is being read, and between requests.
    @Test("Everything that was read is answered before the connection ends", arguments: [true, false], 0...4)
    func everythingIsAnsweredBeforeTheEnd(serverStops: Bool, step: Int) throws {
        let steps = [[Self.get], [Self.post, Self.get], [Self.get, Self.other], [Self.other, Self.post], [Self.get]]
        let event: any Sendable = serverStops ? ChannelShouldQuiesceEvent() : ChannelEvent.inputClosed
        let requests = steps[step]
        let connection = try WholeConnection()
        try connection.send(requests.joined())
        if step == 4 { connection.answer() }
        connection.fire(event)
        if step < 4 { #expect(connection.channel.isActive) }
        while connection.isAsked { connection.answer() }
        #expect(try connection.heard() == Self.expected(requests))
        // With the framework it is the framework that closes.
        #expect(connection.channel.isActive == connection.hasFramework)
        connection.end()
    }

    @Test("A server that stops waits for the request that is being read")
    func aServerThatStopsWaitsForTheRequestThatIsBeingRead() throws {
        let connection = try WholeConnection()
        try connection.send(Self.post.dropLast())
        connection.fire(ChannelShouldQuiesceEvent())
        #expect(connection.channel.isActive)
        try connection.send("e")
        connection.answer()
        #expect(try connection.heard() == Self.expected([Self.post]))
        #expect(!connection.channel.isActive)
        connection.end()
    }

    @Test("What is no HTTP is refused after the answers that are owed")
    func whatIsNoHTTPIsRefusedAfterTheAnswersThatAreOwed() throws {
        let connection = try WholeConnection()
        try connection.send(Self.post + Self.get + "\u{1}\u{2}\r\n\r\n")
        #expect(try connection.heard().isEmpty)
        while connection.isAsked { connection.answer() }
        let heard = try connection.heard()
        let owed = try Self.expected([Self.post, Self.get])
        #expect(heard.hasPrefix(owed))
        #expect(heard.dropFirst(owed.count).hasPrefix("HTTP/1.1 400 "))
        #expect(connection.begun == 2)
        connection.end()
    }

    @Test("The framework ends a request whose body is not complete", arguments: [true, false])
    func theFrameworkEndsARequestWhoseBodyIsNotComplete(isGone: Bool) throws {
        let connection = try WholeConnection()
        try connection.send(Self.post.dropLast())
        #expect(!connection.hasFramework)
        if isGone {
            connection.channel.close(promise: nil)
        } else {
            connection.channel.pipeline.fireErrorCaught(HTTPParserError.invalidEOFState)
            #expect(try connection.heard().hasPrefix("HTTP/1.1 400 "))
        }
        #expect(connection.hasFramework && connection.begun == 0)
        connection.end()
    }

    @Test("A body has its time", arguments: [("/v1/receipts", 50), ("/v1/balances/gems/spend", 20)])
    func aBodyHasItsTime(path: String, seconds: Int64) throws {
        var limits = ConnectionLimits()
        (limits.body, limits.idle) = (.seconds(50), .seconds(30))
        let connection = try WholeConnection(limits)
        try connection.send("POST \(path) HTTP/1.1\r\n\(Self.authorized)Content-Length: 9\r\n\r\na")
        let loop = connection.channel.embeddedEventLoop
        for _ in 1..<(seconds / 10) {
            loop.advanceTime(by: .seconds(10))
            try connection.send("a")
        }
        loop.advanceTime(by: .seconds(10) - .milliseconds(1))
        #expect(connection.channel.isActive)
        loop.advanceTime(by: .milliseconds(1))
        #expect(!connection.channel.isActive)
        connection.end()
    }

    @Test("The output ends after the response that asks for it")
    func theOutputEndsAfterTheResponseThatAsksForIt() throws {
        let connection = try WholeConnection()
        try connection.send(Self.post)
        connection.channel.close(mode: .output, promise: nil)
        #expect(connection.channel.isActive)
        connection.answer()
        #expect(try connection.heard() == Self.expected([Self.post]))
        connection.end()
    }
}
