import Content
import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import NIOHTTP1
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The fast path answers as the routes do, byte for byte, and in their order.
@Suite struct FastPathTests {
    /// Header lines beside `Host`, what they say about a representation in place of TAG.
    static let headers: [[String]] = [
        [], ["Range: bytes=0-0"], ["Range: bytes=0-"], ["Range: bytes=5-9"], ["Range: bytes=-1"], ["Range: bytes=-0"],
        ["Range: bytes=999-1000"], ["Range: bytes=1000-"], ["Range: bytes=70000-170000"], ["Range: bytes=299999-"],
        ["Range: bytes=-99999999999999999999"], ["Range: bytes=5-2"], ["Range: bytes=0-1,4-5"], ["Range: lines=0-1"],
        ["Range: bytes= 0-1"], ["Range:bytes=2-4 "], ["Range:"], ["Range: bytes=0-1", "Range: bytes=4-5"],
        ["Range: bytes=0-4", "If-Range: \"TAG\""], ["Range: bytes=0-4", "If-Range: W/\"TAG\""],
        ["Range: bytes=0-4", "If-Range: Fri, 20 Nov 2026 21:37:00 GMT"], ["If-Range: \"TAG\""],
        ["If-None-Match: \"TAG\""], ["If-None-Match: W/\"TAG\""], ["If-None-Match: *"], ["If-None-Match: \"x\""],
        ["If-None-Match: \"x\"", "If-None-Match: \"TAG\""], ["If-None-Match: \"x\", \"TAG\""],
        ["If-None-Match: \"TAG\"", "Range: bytes=0-4"], ["If-None-Match:"], ["If-None-Match: \"\u{FC}\""],
        ["If-Match: \"TAG\""], ["If-Match: \"x\""], ["If-Match: *"], ["If-Match: \"TAG\"", "Range: bytes=0-4"],
        ["Connection: keep-alive"], ["Connection: close"], ["Connection: Close"], ["Connection: close, TE"],
        ["Connection: close", "Connection: close"], ["Connection: upgrade", "Upgrade: websocket"],
        ["Content-Length: 0"], ["Content-Length: 2\r\n\r\nab"], ["Transfer-Encoding: chunked\r\n\r\n0"],
        ["Expect: 100-continue"], ["Cookie: a=b"], ["Accept-Encoding: gzip, zstd"], ["RANGE: bytes=0-4"],
        ["If-Modified-Since: Fri, 20 Nov 2026 21:37:00 GMT"], ["Authorization: Bearer x"], ["X-Request-Id: mine"],
    ]

    /// Paths that differ a little from a good link.
    static func targets(_ link: String) -> [String] {
        [
            link, link + "x", String(link.dropLast()), link + "&a=b", link.replacing("?grant=", with: "?a=b&grant="),
            link.replacing("?grant=", with: "/?grant="), link.replacing("/content/", with: "//content/"),
            link.replacing(".", with: "%2E"), link.replacing("?grant", with: "?Grant"), link + "#x",
            "http://a" + link, link.uppercased(), String(link.prefix { $0 != "?" }),
        ]
    }

    /// Some four hundred requests for content and the product list, most of them plain.
    static func requests(_ shop: DownloadServer) async throws -> [String] {
        var requests: [String] = []
        for name in DownloadServer.sizes.keys.sorted() {
            let (link, tag) = (try shop.link(name), try shop.sha256(name))
            for headers in Self.headers {
                // More than a megabyte again and again would show nothing new.
                let isShort = name != "open.txt" || headers.contains { $0.hasSuffix("70000") || $0.hasSuffix("-9") }
                requests += (isShort ? ["GET", "HEAD"] : ["HEAD"]).map {
                    RawConnection.request($0, link, headers, tag: tag)
                }
            }
            guard name != "open.txt" else { continue }
            requests += Self.targets(link).map { RawConnection.request("GET", $0, [], tag: tag) }
            requests += ["POST", "OPTIONS", "get"].map { RawConnection.request($0, link, [], tag: tag) }
            requests.append("GET \(link) HTTP/1.0\r\nHost: a\r\n\r\n")
            requests.append("GET \(link) HTTP/1.1\r\n\r\n")
        }
        let list = "/v1/apps/\(World.app)/products"
        let tag = try #require(try await shop.world.call(.get, list).headers[.eTag]).dropFirst().dropLast()
        for headers in Self.headers {
            requests += ["GET", "HEAD"].map { RawConnection.request($0, list, headers, tag: String(tag)) }
        }
        for target in [list + "?", list + "?platform=ios", list + "/", list + "x", "/v1/apps//products"] {
            requests.append(RawConnection.request("GET", target, [], tag: ""))
        }
        #expect(requests.count > 400)
        return requests
    }

    /// On a connection of its own, and repeatedly on one that stays open, where its head becomes known.
    @Test func `The fast path answers as the routes do`() async throws {
        try await DownloadServer.run { shop in
            try await shop.warmUp()
            for request in try await Self.requests(shop) {
                let (fast, plain) = try await shop.both(request)
                if fast != plain { Issue.record("\(request)\nFAST \(fast.prefix(900))\nPLAIN \(plain.prefix(900))") }
                let answers = try await Self.repeated(request, answered: plain, port: shop.world.port)
                for again in answers where again != plain {
                    Issue.record("\(request)\nAGAIN \(again.prefix(900))\nPLAIN \(plain.prefix(900))")
                }
            }
        }
    }

    /// The answers to a request that is sent three times on a connection, each time when the one before is answered;
    /// none if it is more than one request, or if the connection does not go on after it.
    private static func repeated(_ request: String, answered: String, port: Int?) async throws -> [String] {
        let words = ["content-length", "transfer-encoding", "connection: close", "upgrade"]
        guard answered.statuses.count == 1, !answered.lowercased().contains("connection: close"),
            !words.contains(where: { request.lowercased().contains($0) })
        else { return [] }
        return try await RawConnection.open(port: port) { inbound, outbound in
            var (answers, iterator) = ([String](), inbound.makeAsyncIterator())
            for _ in 1...3 {
                var received = ""
                try await outbound.write(ByteBuffer(string: request))
                // Without names it is shorter.
                while received.utf8.count < answered.utf8.count
                    || received.withoutNames.utf8.count < answered.utf8.count,
                    let part = try await iterator.next()
                {
                    received += String(buffer: part)
                }
                answers.append(received.withoutNames)
            }
            return answers
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `Pipelined answers of the fast path stay in order`(seed: UInt64) async throws {
        try await DownloadServer.run { shop in
            try await shop.warmUp()
            let list = "/v1/apps/\(World.app)/products"
            let (small, large) = (try shop.link("small.txt"), try shop.link("large.txt"))
            let targets = [list, small, small, large, "/health", "/nowhere", list + "?platform=ios", large + "x"]
            var generator = SeededGenerator(seed: seed)
            let tag = try shop.sha256("small.txt")
            for _ in 0..<5 {
                let text = (0..<40).map { _ in
                    RawConnection.request(
                        ["GET", "GET", "GET", "HEAD"].randomElement(using: &generator) ?? "GET",
                        targets.randomElement(using: &generator) ?? list,
                        [[], [], ["Range: bytes=3-70"], ["If-None-Match: \"TAG\""], ["If-Match: \"x\""]]
                            .randomElement(using: &generator) ?? [], tag: tag)
                }.joined()
                let (fast, plain) = try await shop.both(text)
                #expect(fast.statuses.count == 40)
                if fast != plain { Issue.record("\(text)\nFAST \(fast.prefix(2_000))\nPLAIN \(plain.prefix(2_000))") }
            }
        }
    }

    /// More than the sockets' buffers hold: the client ends its side while most of it is still to be sent.
    @Test(arguments: [true, false])
    func `A response is sent to its end after the client ended its side`(closes: Bool) async throws {
        try await DownloadServer.run { shop in
            let size = 16 << 20
            try await shop.addFile("huge.txt", Data(repeating: UInt8(ascii: "x"), count: size))
            let link = try shop.link("huge.txt")
            let headers = closes ? ["Connection: close"] : []
            for _ in 1...3 {
                let requests =
                    RawConnection.request("GET", link, headers, tag: "")
                    + RawConnection.request("GET", "/health", [], tag: "")
                let answer = try await RawConnection.exchange(requests, port: shop.world.port)
                #expect(answer.statuses == (closes ? [200] : [200, 200]))
                #expect(answer.utf8.count { $0 == UInt8(ascii: "x") } >= size)
            }
        }
    }

    /// Most of the requests that this suite compares never reach the routes.
    @Test func `Plain requests are answered before the routes`() async throws {
        try await DownloadServer.run { shop in
            try await shop.warmUp()
            let responder = shop.routes.fastResponder(World.quiet)
            for name in ["small.txt", "large.txt", "open.txt", "one.txt"] {
                for (headers, status) in [
                    ([:], 200), (["Range": "bytes=0-0"], 206), (["If-None-Match": "*"], 304),
                    (["Range": "bytes=5-2", "Accept": "*/*"], 200), (["Connection": "close"], 200),
                ] as [([String: String], Int)] {
                    for method in [HTTPMethod.GET, .HEAD] {
                        let head = HTTPRequestHead(
                            version: .http1_1, method: method, uri: try shop.link(name),
                            headers: HTTPHeaders(headers.map { ($0.key, $0.value) }))
                        let answer = responder.answer(try #require(FastRequest(head)))
                        #expect(answer?.head.status.code == (method == .HEAD && status == 206 ? 200 : status))
                        if case .file(let region, _) = answer?.body { region.close() }
                    }
                }
            }
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/v1/apps/\(World.app)/products")
            #expect(responder.answer(try #require(FastRequest(head)))?.head.status == .ok)
        }
    }
}
