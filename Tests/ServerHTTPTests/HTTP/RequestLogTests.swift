import Foundation
import HTTPTypes
import InAppPurchase
import Logging
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// One line for each request, with what is needed to find it again.
@Suite struct RequestLogTests {
    /// The line of a request, except for how long it took.
    private func line(
        _ method: String, _ route: String, _ answer: Answer, account: String? = nil, receipt: String? = nil
    ) -> [String: String] {
        var line = ["method": method, "route": route, "status": "\(answer.status)"]
        (line["account"], line["receipt"], line["hb.request.id"]) = (account, receipt, answer.requestID)
        return line
    }

    /// The lines of requests, once each is seen to have its time.
    private func requests(_ log: LogRecorder) -> [[String: String]] {
        log.lines.filter { $0.hasPrefix("request ") }.map { text in
            var line = text.split(separator: " ").dropFirst().reduce(into: [String: String]()) { line, pair in
                let parts = pair.split(separator: "=", maxSplits: 1)
                if let name = parts.first, let value = parts.last { line[String(name)] = String(value) }
            }
            #expect(line.removeValue(forKey: "milliseconds").flatMap(Double.init).map { $0 >= 0 } == true, "\(text)")
            return line
        }
    }

    @Test func `Each request is one line of the log, without secrets`() async throws {
        let log = LogRecorder()
        try await World.run(logger: log.logger(.info)) { world in
            let created = try await world.call(.post, "/v1/accounts")
            let account = created.json["account"].text
            let player = Player(account: account ?? "", token: created.json["accessToken"].text ?? "", recoveryCode: "")
            var expected = [line("POST", "/v1/accounts", created, account: account)]
            let bought = try await world.buy("hardwords", "non-consumable").signedTransaction
            for receipt in [bought, bought + "AAAA", "garbage", String(repeating: "x", count: 3 << 20 + 1)] {
                let answer = try await world.post(receipt, as: player)
                let id = try #require(answer.json["receipt"].text, "\(answer)")
                expected.append(line("POST", "/v1/receipts", answer, account: account, receipt: id))
                let again = try await world.call(.get, "/v1/receipts/\(id)", as: player)
                let known = again.status == 200 ? id : nil
                expected.append(line("GET", "/v1/receipts/{id}", again, account: account, receipt: known))
            }
            expected.append(line("GET", "none", try await world.call(.get, "/secret?grant=x")))
            expected.append(line("GET", "/v1/entitlements", try await world.call(.get, "/v1/entitlements")))
            #expect(requests(log) == expected)
            #expect(!log.lines.joined().contains("secret") && !log.lines.joined().contains(player.token))
        }
    }

    @Test func `Health checks and scrapes are logged at debug only`() async throws {
        for (level, expected) in [(Logger.Level.info, [String]()), (.debug, ["/health", "/ready", "/metrics"])] {
            let log = LogRecorder()
            try await World.run(logger: log.logger(level)) { world in
                for path in ["/health", "/ready", "/metrics"] { _ = try await world.call(.get, path) }
                #expect(requests(log).compactMap { $0["route"] } == expected)
            }
        }
    }

    /// Our own trouble is also one line, which says what it was.
    @Test func `A failed request is logged as an error with its cause`() async throws {
        let log = LogRecorder()
        try await World.run(logger: log.logger(.error)) { world in
            try await world.loseTables("accounts")
            let answer = try await world.call(.post, "/v1/accounts")
            #expect(answer.status == 503)
            #expect(log.lines.count == 1)
            let line = try #require(log.lines.first)
            #expect(line.hasPrefix("request failed error=SQLite "), "\(line)")
            for part in ["status=503", "route=/v1/accounts", "hb.request.id=\(answer.requestID ?? "-")"] {
                #expect(line.contains(part), "\(line)")
            }
        }
    }

    /// Without signal in the middle of the body, as the first request of a connection and as a later one.
    @Test(arguments: [true, false])
    func `A client that is gone is logged with status 499 and not as a failure`(isFirst: Bool) async throws {
        let log = LogRecorder()
        try await World.run(logger: log.logger(.info)) { world in
            let player = try await world.newPlayer()
            // After its answer the server has read what follows it.
            let first = """
                GET /v1/entitlements HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(player.token)\r\n\r\n
                """
            let head = """
                \(isFirst ? "" : first)\
                POST /v1/receipts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(player.token)\r\n\
                Content-Length: 1000\r\n\(isFirst ? "Expect: 100-continue\r\n" : "")\r\n
                """
            try await RawConnection.vanish(
                after: head, hearing: isFirst ? "100 Continue" : "balances", port: world.port)
            // The server learns of it when it learns of it.
            let gone = "quartermaster_http_requests_total{method=\"POST\",route=\"/v1/receipts\",status=\"499\"}"
            for _ in 1...1_000 where try await world.scrape()[gone] == nil {}
            #expect(try await world.scrape()[gone] == "1")
            #expect(requests(log).last?["status"] == "499")
            #expect(!log.lines.contains { $0.hasPrefix("request failed") })
        }
    }

    /// A client that is cut off in the middle of its body is no trouble of ours.
    @Test func `A request that breaks off is logged with status 400 and not as a failure`() async throws {
        let log = LogRecorder()
        try await World.run(logger: log.logger(.info)) { world in
            let player = try await world.newPlayer()
            let head = """
                POST /v1/receipts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(player.token)\r\n\
                Content-Length: 1000\r\n\r\n{"receipt":
                """
            _ = try await RawConnection.exchange(head, port: world.port)
            let line = try #require(requests(log).last)
            #expect(line["route"] == "/v1/receipts" && line["status"] == "400", "\(log.lines)")
            #expect(!log.lines.contains { $0.hasPrefix("request failed") })
        }
    }
}
