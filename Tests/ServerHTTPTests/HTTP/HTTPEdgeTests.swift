import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import Logging
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerHTTP

/// Requests at the edge of HTTP: refused with one answer, before anything is done.
@Suite struct HTTPEdgeTests {
    /// Sends a request and expects one 400 with its ID, after which the connection is closed, and no trace of it.
    private static func expectRefusal(_ text: String, _ world: World) async throws {
        let before = try await world.ledger.auditRows(after: 0, limit: 1_000).count
        let answer = try await RawConnection.listen(after: text, port: world.port)
        #expect(answer.statuses == [400], "\(text): \(answer)")
        #expect(answer.contains("\"code\":\"invalid_request\"") && answer.contains("X-Request-Id: "), "\(answer)")
        #expect(answer.lowercased().contains("connection: close"), "\(answer)")
        #expect(try await world.ledger.auditRows(after: 0, limit: 1_000).count == before, "\(text)")
    }

    static let badHosts = [
        "", "Host:\r\n", "Host:  \r\n", "Host: a\r\nHost: b\r\n", "Host: a\r\nhost: a\r\n", "Host: a b\r\n",
        "Host: a/b\r\n", "Host: a@b\r\n", "Host: a:x\r\n", "Host: a:65536\r\n", "Host: a:1:2\r\n", "Host: [::1\r\n",
        "Host: ::1\r\n", "Host: [1.2.3.4]\r\n", "Host: [::1]x\r\n", "Host: []\r\n", "Host: http://a\r\n",
        "Host: %zz\r\n", "Host: a%2\r\n", "Host: :80\r\n", "Host: \"a\"\r\n", "Host: \u{E9}\r\n", "Host: a,b c\r\n",
    ]

    @Test func `A malformed Host header is refused`() async throws {
        try await World.run { world in
            for host in Self.badHosts {
                try await Self.expectRefusal("POST /v1/accounts HTTP/1.1\r\n\(host)\r\n", world)
                // Also where the product list would be answered from memory.
                try await Self.expectRefusal("GET /v1/apps/\(World.app)/products HTTP/1.1\r\n\(host)\r\n", world)
            }
        }
    }

    static let goodHosts = [
        "a", "a:1", "a:", "127.0.0.1:8080", "[::1]", "[2001:db8::1]:443", "A.example.COM.", "a_b", "%61", " a\t",
        "xn--e1afmkfd.example:65535",
    ]

    @Test(arguments: goodHosts) func `A well-formed Host header is accepted`(host: String) throws {
        let text = host.trimmingCharacters(in: .whitespaces)
        #expect(HostField.isValid(text))
    }

    static let badHeads = [
        "Content-Length: 9223372036854775808", "Content-Length: 18446744073709551615", "Content-Length: +5",
        "Content-Length: 18446744073709551616", "Content-Length: 0x5", "Content-Length: 5, 5", "Content-Length:",
        "Transfer-Encoding: gzip", "Transfer-Encoding: chunked, gzip", "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: identity", "Transfer-Encoding: xchunked", "Transfer-Encoding:",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 2",
        "Transfer-Encoding: \u{B}chunked",
    ]

    @Test func `A body without a valid length or end is refused`() async throws {
        try await World.run { world in
            for head in Self.badHeads {
                let text = "POST /v1/accounts HTTP/1.1\r\nHost: a\r\n\(head)\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
                try await Self.expectRefusal(text, world)
            }
            let old = "POST /v1/accounts HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            try await Self.expectRefusal(old, world)
        }
    }

    static let badChunks = [
        "zz\r\n{}\r\n0\r\n\r\n", "2\r\n{}\r\nzz\r\n\r\n", "ffffffffffffffffffff\r\n", "2\r\n{}x\r\n0\r\n\r\n",
        "-1\r\n\r\n",
    ]

    /// Every route of the router, with good credentials: none has acted when the chunk turns out to be malformed.
    @Test func `No route acts on a body that is not HTTP`() async throws {
        try await World.run { world in
            let (player, admin) = (try await world.newPlayer(), try await world.newAdmin(.write))
            for route in world.assembly.routes.main.table.routes {
                let path = route.template.replacing(/\{[^}]*\}/, with: player.account)
                let token = path.hasPrefix("/admin/") ? admin.token : player.token
                let head = """
                    \(route.method) \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n\
                    Transfer-Encoding: chunked\r\n\r\n
                    """
                for chunks in Self.badChunks {
                    if route.facts.body.isLeftToRoute {
                        // Refused for something else before the body is read.
                        let answer = try await RawConnection.listen(after: head + chunks, port: world.port)
                        #expect(answer.statuses.count == 1 && answer.statuses[0] >= 400, "\(head)\(chunks): \(answer)")
                    } else if route.method != .head {
                        try await Self.expectRefusal(head + chunks, world)
                    }
                }
            }
            #expect(try await world.call(.get, "/v1/entitlements", as: player).status == 200)
        }
    }

    @Test func `A correct chunked body is read`() async throws {
        try await World.run { world in
            let body = #"{"recoveryCode": "x"}"#
            let chunks = body.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
            for (path, status) in [("/v1/sessions", 401), ("/v1/accounts", 201)] {
                let head = "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
                let answer = try await RawConnection.exchange(head + chunks, port: world.port)
                #expect(answer.statuses == [status], "\(answer)")
            }
            let large = "4001\r\n" + String(repeating: "x", count: 0x4001) + "\r\n0\r\n\r\n"
            let head = "POST /v1/accounts HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            #expect(try await RawConnection.exchange(head + large, port: world.port).statuses == [413])
        }
    }

    /// Requests before it are answered in order; those after it are not read.
    @Test func `Requests before a malformed one are answered in order`() async throws {
        try await World.run { world in
            let good = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
            let list = "GET /v1/apps/\(World.app)/products HTTP/1.1\r\nHost: a\r\n\r\n"
            for bad in ["GET /health HTTP/1.1\r\n\r\n", "no HTTP\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nbad\r\n\r\n"] {
                for before in [[], [good], [list], [good, list, good], [list, good, good]] {
                    let text = before.joined() + bad + good
                    let answer = try await RawConnection.listen(after: text, port: world.port)
                    #expect(answer.statuses == before.map { _ in 200 } + [400], "\(text): \(answer)")
                }
            }
            // A body that breaks off where a request was refused before it was read: that answer, and no other.
            let refused = "POST /v1/receipts HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            let answer = try await RawConnection.listen(after: refused + "1\r\n{\r\nzz\r\n\r\n", port: world.port)
            #expect(answer.statuses == [401] || answer.statuses == [400], "\(answer)")
        }
    }

    @Test(arguments: [
        "GET /health HTTP/1.0\r\n\r\n", "GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "GET /health HTTP/1.0\r\nHost: a\r\n\r\nGET /health HTTP/1.0\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n",
        "GET /v1/apps/com.example.hangman/products HTTP/1.0\r\n\r\n",
    ])
    func `The connection is closed after HTTP/1.0 and Connection: close`(request: String) async throws {
        try await World.run { world in
            let answer = try await RawConnection.listen(after: request, port: world.port)
            #expect(answer.statuses == [200] && answer.lowercased().contains("connection: close"), "\(answer)")
        }
    }

    /// A path that exists, with a method that it does not have.
    @Test func `A wrong method is answered with the allowed ones`() async throws {
        let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
        try await World.run { world in
            var allowed: [String: Set<HTTPRequest.Method>] = [:]
            for route in world.assembly.routes.main.router.routes {
                let more: Set<HTTPRequest.Method> = route.method == .get ? [.get, .head] : [route.method]
                allowed[route.path.description.replacing(/\{[^}]*\}/, with: "x"), default: []].formUnion(more)
            }
            for (path, there) in allowed {
                let list = there.map(\.rawValue).sorted().joined(separator: ", ")
                for method in methods where !there.contains(method) {
                    #expect(try await world.call(method, "/" + path).status == 404, "\(method) /\(path)")
                    for path in [path, path + "/"] {
                        let answer = try await world.call(method, path)
                        #expect(answer.status == 405, "\(method) \(path): \(answer)")
                        #expect(answer.headers[.allow] == list, "\(method) \(path)")
                        if method != .head { answer.expect(ExpectedProblem(405, "method_not_allowed")) }
                    }
                }
            }
            for path in ["/v1", "/nowhere", "/v1/receipts/x/y", "/admin"] {
                let answer = try await world.call(.post, path)
                #expect(answer.status == 404 && answer.headers[.allow] == nil, "\(path): \(answer)")
            }
        }
    }

    @Test func `Request IDs are unrelated to each other`() async throws {
        try await World.run { world in
            var ids: [String] = []
            for path in ["/health", "/v1/apps/\(World.app)/products"] {
                for _ in 0..<20 { ids.append(try #require(try await world.call(.get, path).requestID)) }
            }
            #expect(ids.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil }, "\(ids)")
            #expect(Set(ids).count == ids.count && Set(ids.map { $0.prefix(16) }).count == ids.count)
            let numbers = ids.compactMap { UInt64($0.suffix(16), radix: 16) }
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 &- $0 > 1_000 })
        }
    }

    @Test func `Request IDs are the bytes of the random source`() {
        let ids = RequestIDs { count in (0..<count).map { UInt8($0 & 0xFF) } }
        let made = (0..<512).map { _ in ids.next() }
        #expect(made[0] == "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff" && made[1] == "e0e1e2e3e4e5e6e7e8e9eaebecedeeef")
        #expect(made.allSatisfy { $0.utf8.count == 32 } && made[0..<16].count == Set(made[0..<16]).count)
    }

    /// The path is not what is logged or answered, but the row's ID; and a name with a control character is no name.
    @Test(arguments: ["%00", "%0A", "%00%0Aforged", "%0D%0A", "%1B%5B2J", "%7F", "%C2%85", "%E2%80%A8"])
    func `A name with a control character in a path is not found`(more: String) async throws {
        let log = LogRecorder()
        try await World.run(logger: log.logger(.info)) { world in
            let (player, admin) = (try await world.newPlayer(), try await world.newAdmin(.write))
            let bought = try await world.buy("tenhints", "consumable").signedTransaction
            let receipt = try #require(try await world.post(bought, as: player).json["receipt"].text)
            let calls: [(HTTPRequest.Method, String, Player)] = [
                (.get, "/v1/receipts/\(receipt)\(more)", player), (.get, "/v1/bundles/hard-words\(more)", player),
                (.post, "/v1/balances/hints\(more)/spend", player),
                (.get, "/v1/apps/\(World.app)\(more)/products", player),
                (.get, "/admin/v1/apps/\(World.app)\(more)/products", admin),
                (.put, "/admin/v1/apps/\(World.app)/products/x\(more)", admin),
                (.get, "/admin/v1/bundles/hard-words\(more)/versions", admin),
                (.post, "/admin/v1/lines/Production/1\(more)/move", admin),
            ]
            for (method, path, caller) in calls {
                let body: JSONValue? =
                    method == .get
                    ? nil : ["amount": 1, "type": "consumable", "to": .string(player.account), "reason": "x"]
                let headers: HTTPFields = method == .post ? .key("k") : [:]
                let answer = try await world.call(method, path, body, as: caller, headers: headers)
                #expect(answer.status == 404, "\(method) \(path): \(answer)")
            }
            let raw = try await world.raw("GET", "/v1/receipts/\(receipt)\(more)", as: player)
            #expect(raw.statuses == [404])
            #expect(!log.lines.contains { $0.hasControlCharacters || $0.contains("forged") }, "\(log.lines)")
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])
        }
    }

    @Test func `A name with a control character in a body is refused`() async throws {
        try await World.run { world in
            let (player, admin) = (try await world.newPlayer(), try await world.newAdmin(.write))
            let app = JSONValue.string("com.example\u{0}")
            for path in ["/v1/receipts", "/v1/restore"] {
                let body: JSONValue = ["receipt": "1", "receipts": ["1"], "bundleID": app]
                try await world.call(.post, path, body, as: player).expect(.invalid)
            }
            for currency in ["hints\u{0}", "hi\nnts"] {
                let body: [String: JSONValue] = ["currency": .string(currency), "amount": 1]
                let answer = try await world.act("credits", on: player, body, as: admin, key: "k")
                answer.expect(ExpectedProblem(422, "invalid_request"))
            }
            let answer = try await world.act("block", on: player, ["reason": "a\u{2028}b"], as: admin)
            answer.expect(ExpectedProblem(422, "invalid_request"))
            for id in ["x\u{0}", "x\ny"] {
                let entry: JSONValue = ["id": .string(id), "type": "consumable"]
                let put = try await world.call(.put, "/admin/v1/apps/\(World.app)/products/x", entry, as: admin)
                put.expect(ExpectedProblem(422, "invalid_product"))
            }
            let spend = "POST /v1/balances/hints/spend HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(player.token)\r\n"
            let key = try await RawConnection.exchange(
                spend + "Idempotency-Key: a\tb\r\nContent-Length: 13\r\n\r\n{\"amount\": 1}", port: world.port)
            #expect(key.statuses == [400], "\(key)")
        }
    }
}
