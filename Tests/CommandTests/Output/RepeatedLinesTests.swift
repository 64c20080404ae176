import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import Logging
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Strangers cannot fill the log.
@Suite struct RepeatedLinesTests {
    private let log = LogRecorder()
    private let clock = TestClock(World.start)

    private func lines(_ level: Logger.Level = .info) -> (RepeatedLines, Logger) {
        let logger = log.logger(level)
        return (RepeatedLines(clock: { [clock] in clock.now }, logger: logger), logger)
    }

    private static let most = RepeatedLines.maximumLines

    @Test func `The first of repeated log lines are logged and the others counted`() {
        let (lines, logger) = lines()
        for number in 0..<1_000 {
            lines.log(.init("refused", ["status": "401"]), .info, metadata: ["n": "\(number)"], to: logger)
        }
        lines.log(.init("refused", ["status": "404"]), .info, metadata: [:], to: logger)
        #expect(log.lines.count == Self.most + 1)
        clock.advance(by: 59)
        lines.log(.init("refused", ["status": "401"]), .info, metadata: [:], to: logger)
        #expect(log.lines.count == Self.most + 1)
        clock.advance(by: 1)
        lines.log(.init("refused", ["status": "401"]), .info, metadata: ["n": "next"], to: logger)
        #expect(
            log.lines.suffix(2) == [
                "repeated log lines suppressed count=\(1_001 - Self.most) line=refused seconds=60 status=401",
                "refused n=next",
            ])
    }

    /// Nobody comes any more: the sum is still logged, once.
    @Test func `The count of suppressed lines is logged without further lines`() {
        let (lines, logger) = lines()
        for _ in 0..<(Self.most + 1) { lines.log(.init("a"), .info, metadata: [:], to: logger) }
        for _ in 0..<Self.most { lines.log(.init("b"), .info, metadata: [:], to: logger) }
        clock.advance(by: 12)
        lines.sumUp()
        lines.sumUp()
        #expect(log.lines.count == 2 * Self.most + 1)
        #expect(log.lines.last == "repeated log lines suppressed count=1 line=a seconds=12")
    }

    @Test func `A clock that is set back suppresses no log line`() {
        let (lines, logger) = lines()
        for _ in 0..<10 { lines.log(.init("a"), .info, metadata: [:], to: logger) }
        clock.advance(by: -3_600)
        lines.log(.init("a"), .info, metadata: [:], to: logger)
        #expect(log.lines.count == Self.most + 2)
        #expect(log.lines.contains("repeated log lines suppressed count=5 line=a seconds=0"))
    }

    @Test func `The kinds of counted log lines are bounded`() {
        let (lines, logger) = lines()
        for number in 0..<(3 * RepeatedLines.maximumKinds) {
            lines.log(.init("\(number)"), .info, metadata: [:], to: logger)
        }
        #expect(log.lines.count == RepeatedLines.maximumKinds + Self.most)
    }

    @Test func `The debug log has all repeated lines`() {
        let (lines, logger) = lines(.debug)
        for _ in 0..<100 { lines.log(.init("a"), .info, metadata: [:], to: logger) }
        #expect(log.lines.count == 100)
    }

    /// Acts of strangers without credentials, and with those of an account, which anybody can make.
    private static func floods(_ player: Player) -> [(HTTPRequest.Method, String, JSONValue?, Player?)] {
        let stranger = Player(account: "", token: "wrong", recoveryCode: "")
        return [
            (.get, "/nowhere", nil, nil), (.get, "/v1/entitlements", nil, stranger), (.get, "/v1/keys", nil, nil),
            (.get, "/admin/v1/audit", nil, stranger), (.post, "/v1/sessions", ["recoveryCode": "x"], nil),
            (.post, "/v1/notifications/app-store", ["signedPayload": "a.b.c"], nil),
            (.post, "/v1/notifications/app-store", nil, nil), (.get, "/v1/content/x?grant=y", nil, nil),
            (.get, "/v1/receipts/r_x", nil, player), (.post, "/v1/receipts", ["receipt": "x"], player),
            (.post, "/v1/receipts", ["receipt": 7], player), (.delete, "/health", nil, nil),
        ]
    }

    @Test func `A flood of requests is some log lines and their count`() async throws {
        let times = 60
        try await World.run(logger: log.logger(.info)) { world in
            let player = try await world.newPlayer()
            let floods = Self.floods(player)
            let before = log.lines.count
            for (method, path, body, caller) in floods {
                for _ in 0..<times { _ = try await world.call(method, path, body, as: caller) }
            }
            for _ in 0..<times { _ = try await RawConnection.exchange("no HTTP\r\n\r\n", port: world.port) }
            let logged = log.lines.count - before
            // Some are answered with two statuses, as a limit begins to refuse, and some log what was refused as well.
            #expect(logged <= Self.most * 3 * (floods.count + 1), "\(logged) lines")
            world.assembly.routes.services.lines.sumUp()
            let sums = log.lines.filter {
                $0.hasPrefix("repeated log lines suppressed ") && $0.contains("line=request ")
            }
            let count = sums.compactMap { $0.firstMatch(of: /count=(\d+)/).flatMap { Int($0.1) } }.reduce(0, +)
            let requests = log.lines.dropFirst(before).count { $0.hasPrefix("request ") }
            #expect(count + requests == times * (floods.count + 1))
        }
    }

    /// Acts of a player, and of an administrator, are a line each.
    @Test func `Every request with credentials is logged`() async throws {
        try await World.run(logger: log.logger(.info)) { world in
            let (player, admin) = (try await world.newPlayer(), try await world.newAdmin(.write))
            let before = log.lines.count
            for _ in 0..<20 {
                _ = try await world.call(.get, "/v1/entitlements", as: player)
                _ = try await world.call(.get, "/admin/v1/audit?limit=0", as: admin)
            }
            #expect(log.lines.count - before == 40)
        }
    }
}
