import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// The demands of HTTP on a server, on a socket of its own.
@Suite struct HTTPMannersTests {
    @Test func `Every answer has a request ID, and every error is a problem`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let calls: [(HTTPRequest.Method, String, Player?, Int, String?)] = [
                (.get, "/health", nil, 200, nil), (.get, "/ready", nil, 200, nil),
                (.post, "/v1/accounts", nil, 201, nil),
                (.get, "/nowhere", nil, 404, "not_found"), (.get, "/v1/nowhere", player, 404, "not_found"),
                (.get, "/", nil, 404, "not_found"), (.post, "/health", nil, 405, "method_not_allowed"),
                (.get, "/v1/entitlements", nil, 401, "unauthenticated"), (.get, "/v1/entitlements", player, 200, nil),
                (.post, "/v1/receipts", player, 400, "invalid_request"),
                (.get, "/v1/receipts/r_x", player, 404, "not_found"),
                (.get, "/v1/bundles/hard-words", player, 403, "not_entitled"),
                (.get, "/v1/content/x?grant=y", nil, 403, "invalid_grant"),
                (.get, "/v1/apps/com.example.chess/products", nil, 404, "unknown_app"),
                (.post, "/v1/balances/hints/spend", player, 400, "invalid_request"),
            ]
            var ids: Set<String> = []
            for (method, path, player, status, code) in calls {
                let answer = try await world.call(method, path, as: player)
                #expect(answer.status == status, "\(method) \(path): \(answer)")
                ids.insert(try #require(answer.requestID))
                if let code { answer.expect(ExpectedProblem(status, code, reason: answer.json["reason"].text)) }
                #expect((answer.headers[.wwwAuthenticate] == "Bearer") == (status == 401))
            }
            #expect(ids.count == calls.count)
            #expect(try await world.call(.delete, "/v1/sessions/current", as: player).requestID != nil)
        }
    }

    @Test func `HEAD is answered as GET without the body`() async throws {
        try await World.run { world in
            try await world.unharmed { player in
                let manifest = try await world.call(.get, "/v1/bundles/hard-words", as: player).json
                let content = try #require(manifest["files"][0]["url"].text)
                let receipt = try await world.post("x", as: player).json["receipt"].text ?? ""
                let paths = [
                    "/health", "/ready", "/v1/entitlements", "/v1/bundles/hard-words", "/v1/receipts/\(receipt)",
                    content,
                    "/v1/apps/\(World.app)/products", "/nowhere", "/v1/bundles/nothing", "/v1/content/x?grant=y",
                ]
                for path in paths {
                    let get = try await world.call(.get, path, as: player)
                    let head = try await world.call(.head, path, as: player)
                    #expect(head.status == get.status && head.bytes.isEmpty, "\(path): \(head)")
                    let volatile: [HTTPField.Name?] = [.date, HTTPField.Name("X-Request-Id")]
                    for field in get.headers where !volatile.contains(field.name) {
                        #expect(head.headers[field.name] == field.value, "\(path) \(field)")
                    }
                }
                for path in ["/v1/entitlements", "/v1/bundles/hard-words", "/nowhere", "/v1/receipts", content] {
                    let answer = try await world.raw("HEAD", path)
                    #expect(answer.statuses.count == 1 && answer.hasSuffix("\r\n\r\n"), "\(answer)")
                }
            }
        }
    }

    @Test func `A 304 has neither a body nor a wrong length`() async throws {
        try await World.run { world in
            let path = "/v1/apps/\(World.app)/products"
            let whole = try await world.call(.get, path)
            let tag = try #require(whole.headers[.eTag])
            let answer = try await RawConnection.exchange(
                "GET \(path) HTTP/1.1\r\nHost: a\r\nIf-None-Match: \(tag)\r\n\r\n", port: world.port)
            #expect(answer.statuses == [304] && answer.hasSuffix("\r\n\r\n"), "\(answer)")
            // RFC 9110 §8.6: a length in it is that of the 200.
            #expect(!answer.lowercased().contains("content-length: 0"), "\(answer)")
        }
    }

    @Test func `Pipelined requests are answered in order`() async throws {
        try await World.run { world in
            let requests: [(HTTPText, Int)] = [
                (HTTPText("GET", "/health"), 200), (HTTPText("HEAD", "/nowhere"), 404),
                (HTTPText("HEAD", "/health"), 200),
                (HTTPText("POST", "/v1/sessions", body: "{"), 400), (HTTPText("GET", "/ready"), 200),
                (HTTPText("POST", "/v1/receipts", body: "{\"receipt\": \"unread\"}"), 401),
                (HTTPText("HEAD", "/v1/entitlements"), 401), (HTTPText("POST", "/v1/accounts", body: "{}"), 201),
                (HTTPText("GET", "/nowhere"), 404),
            ]
            let many = Array(repeating: requests, count: 5).flatMap { $0 }
            let answer = try await RawConnection.exchange(many.flatMap(\.0.bytes), port: world.port)
            #expect(answer.statuses == many.map(\.1), "\(answer)")
            // Between the head of an answer to HEAD and the next answer there is nothing.
            for (part, (request, _)) in zip(answer.components(separatedBy: "HTTP/1.1 ").dropFirst(), many) {
                let pieces = part.components(separatedBy: "\r\n\r\n")
                let isWhole = request.method == "HEAD" ? pieces.last == "" : pieces.last?.last == "}"
                #expect(pieces.count == 2 && isWhole, "\(request.method) \(request.path): \(part)")
            }
        }
    }

    @Test func `A client that expects 100 Continue gets it`() async throws {
        try await World.run { world in
            let body = "{\"recoveryCode\": \"x\"}"
            let head = """
                POST /v1/sessions HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r
                Content-Length: \(body.utf8.count)\r\n\r\n
                """
            let answer = try await RawConnection.converse(
                [("", head), ("100 Continue\r\n\r\n", body)], until: "}", port: world.port)
            #expect(answer.statuses == [100, 401] && answer.contains("invalid_credentials"), "\(answer)")
        }
    }

    /// A client may send requests without waiting: the interim response belongs to the one that expects it.
    @Test func `100 Continue comes after earlier responses`() async throws {
        try await World.run { world in
            let body = "{\"recoveryCode\": \"x\"}"
            let post = "POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n"
            let earlier = "GET /ready HTTP/1.1\r\nHost: a\r\n\r\n" + "\(post)\r\n\(body)"
            let answer = try await RawConnection.converse(
                [("", "\(earlier)\(post)Expect: 100-continue\r\n\r\n"), ("100 Continue\r\n\r\n", body)],
                until: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 401", port: world.port)
            #expect(answer.statuses == [200, 401, 100, 401], "\(answer)")
            let impatient = try await RawConnection.exchange(
                "\(earlier)\(post)Expect: 100-continue\r\n\r\n\(body)", port: world.port)
            #expect(impatient.statuses == [200, 401, 401], "\(impatient)")
        }
    }

    @Test func `A client of HTTP/1.0 gets no 100 Continue`() async throws {
        try await World.run { world in
            let body = "{\"recoveryCode\": \"x\"}"
            let answer = try await RawConnection.exchange(
                "POST /v1/sessions HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)",
                port: world.port)
            #expect(answer.statuses == [401], "\(answer)")
        }
    }

    @Test func `A body that is too large is answered and not read to its end`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let head = """
                POST /v1/receipts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(player.token)\r
                Content-Length: 1000000000\r\n\r\n
                """
            let body = String(repeating: "x", count: Limits.receiptBodyBytes + 1)
            let answer = try await RawConnection.listen(after: head + body, port: world.port)
            #expect(answer.statuses == [413] && answer.contains("receipt_too_large"), "\(answer)")
            #expect(answer.contains("Connection: close") || answer.contains("connection: close"))
            #expect(try await world.call(.get, "/health").status == 200)
        }
    }

    static let notHTTP: [String] = [
        "\u{0}\u{1}\u{2}\r\n\r\n", "hello\r\n\r\n", "GET /\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}",
        "BREW / HTTP/1.1\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /health HTTP/1.1\r\nNo colon\r\n\r\n",
        "GET /health HTTP/1.1\r\nA: \(String(repeating: "x", count: 9_000))\r\n\r\n",
        "GET /health HTTP/1.1\r\n\(String(repeating: "A: \(String(repeating: "x", count: 1_000))\r\n", count: 17))\r\n",
        "GET /health HTTP/1.1\r\n\(String(repeating: "A: x\r\n", count: 65))\r\n",
        "GET /\(String(repeating: "x", count: 100_000)) HTTP/1.1\r\n\r\n",
        "POST /v1/accounts HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST /v1/accounts HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        "POST /v1/sessions HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /v1/sessions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        "POST /v1/sessions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\n",
    ]

    @Test func `Bytes that are not HTTP are refused and the connection closed`() async throws {
        try await World.run { world in
            for text in Self.notHTTP {
                let answer = try await RawConnection.listen(after: text, port: world.port)
                #expect(answer.statuses.isEmpty || answer.statuses.last == 400, "\(text.prefix(80)): \(answer)")
                #expect(!answer.contains("alive"), "\(text.prefix(80))")
            }
            #expect(try await world.call(.get, "/health").status == 200)
        }
    }

    @Test(arguments: [true, false]) func `A body that never ends is cut off after its answer`(ends: Bool) async throws {
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.addHandler(BodyDeadlineHandler())
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
        let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/")
        for _ in 0..<(ends ? 2 : 1) {
            try await channel.writeInbound(HTTPRequestPart.head(head))
            try await channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
            if ends { try await channel.writeInbound(HTTPRequestPart.end(nil)) }
            await channel.testingEventLoop.advanceTime(by: Limits.bodyTime - .seconds(1))
            #expect(channel.isActive)
        }
        await channel.testingEventLoop.advanceTime(by: .seconds(2))
        #expect(channel.isActive == ends)
        if ends { try await channel.close() }
    }
}
