import AuditSeal
import Foundation
import GRDB
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import NIOCore
import NIOHTTP1
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerHTTP

/// The real program is killed again and again: what it acknowledged is there afterwards, exactly once.
@Suite(
    .enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."), .serialized)
struct CrashTests {
    static let accounts = 10
    static let kills = 10

    @Test func `Everything acknowledged survives every kill`() async throws {
        try await ServerProcess.run { server, authority in
            var players: [Player] = []
            for _ in 0..<Self.accounts { players.append(try await server.newPlayer()) }
            let work = try Work(players: players, authority: authority)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<Work.connections { group.addTask { try await work.post(by: worker, to: server) } }
                var generator = SeededGenerator(seed: 42)
                for kill in 0..<Self.kills {
                    let share = Work.count * 9 / 10 / Self.kills
                    let moment = kill * share + Int.random(in: 1...share, using: &generator)
                    try await poll("\(moment) receipts are posted") { work.posted >= moment }
                    try await server.kill()
                    try await server.start()
                }
                try await group.waitForAll()
            }
            try await server.kill()
            try await server.start()
            try await Self.expectEverything(in: work, on: server)
        }
    }

    /// Balances are those of what is recorded; sending everything again adds what was not acknowledged and nothing
    /// else.
    private static func expectEverything(in work: Work, on server: ServerProcess) async throws {
        let before = try await balances(of: work, on: server)
        var recorded: [String: Int] = [:]
        var total: [String: Int] = [:]
        for item in work.items {
            let answer = try await server.post(item.receipt, token: item.token)
            let outcome = answer.json["transactions"][0]["outcome"].text
            let isDuplicate = answer.json["duplicate"].flag
            #expect(answer.status == 200 && isDuplicate == (outcome == "alreadyDelivered"), "\(answer)")
            #expect(!work.isAcknowledged(item) || outcome == "alreadyDelivered", "\(answer)")
            total[item.token, default: 0] += item.hints
            if outcome == "alreadyDelivered" { recorded[item.token, default: 0] += item.hints }
        }
        #expect(before == recorded)
        #expect(try await balances(of: work, on: server) == total)
        let unacknowledged = work.items.count { !work.isAcknowledged($0) }
        #expect(unacknowledged < work.items.count / 2, "most were acknowledged: \(unacknowledged) were not")
        let path = server.folder.appending(path: "ledger.sqlite").path
        try await DatabaseQueue(path: path).read { db in
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
            let posted = try Int.fetchOne(db, sql: "SELECT count(*) FROM audit WHERE kind = 'credits.posted'")
            #expect(posted == work.items.count { $0.hints > 0 })
        }
        try await expectNoDifference(in: path)
    }

    /// Beside the running server: what is kept ready is what the history comes to, and the trail is complete.
    private static func expectNoDifference(in path: String) async throws {
        let ledger = try SQLiteLedger.open(path: path, handlers: Server.standardHandlers)
        let counts = try await ledger.checkAccounts(at: Date()) { Issue.record("\($0)") }
        #expect(counts.differences == 0 && counts.transactions > 0)
        let summary = try await verify(ledger)
        #expect(summary.sealed > 0 && summary.checkpoints > 0)
    }

    private static func verify(_ ledger: SQLLedger) async throws -> TrailSummary {
        let verifier = TrailVerifier(keys: try await AuditKeys.verifying(in: ledger))
        return try await ledger.readTrail(after: 0, into: verifier) { try $0.verify($1) }.finish()
    }

    @Test func `A server that is stopped seals and signs everything`() async throws {
        try await ServerProcess.run { server, _ in
            for _ in 0..<3 { _ = try await server.newPlayer() }
            await server.terminate()
            #expect(try await server.exitStatus() == 0)
            let path = server.folder.appending(path: "ledger.sqlite").path
            let ledger = try SQLiteLedger.open(path: path, handlers: Server.standardHandlers)
            let summary = try await Self.verify(ledger)
            #expect(summary.sealed == 6 && summary.unsealed == 0 && summary.lastCheckpoint?.position == 6)
        }
    }

    private static func balances(of work: Work, on server: ServerProcess) async throws -> [String: Int] {
        var balances: [String: Int] = [:]
        for token in Set(work.items.map(\.token)) {
            let answer = try await server.call(.GET, "/v1/entitlements", token: token).json
            balances[token] = answer["balances"]["hints"].number
            let owed = work.items.contains { $0.token == token && $0.hints == 0 && work.isAcknowledged($0) }
            let words = answer["entitlements"].array.first { $0["type"] == "non-consumable" }
            #expect(!owed || words?["access"] == "granted", "\(answer)")
        }
        return balances
    }

    @Test func `A receipt that waits survives a kill and is delivered`() async throws {
        try await ServerProcess.run { server, _ in
            let player = try await server.newPlayer()
            let order: JSONValue = [
                "bundleID": .string(World.app), "productID": .string("\(World.app).tenhints"), "type": "consumable",
            ]
            let bought = try await server.call(.POST, "/simulator/v1/purchases", order, simulator: true).json
            _ = try await server.call(.POST, "/simulator/v1/faults", ["status": 21005], simulator: true)
            let answer = try await server.post(bought["transactionReceipt"].text ?? "", token: player.token)
            #expect(answer.status == 202 && answer.json["status"] == "pending", "\(answer)")
            let path = "/v1/receipts/\(answer.json["receipt"].text ?? "")"
            #expect(try await server.call(.GET, path, token: player.token).json["status"] == "pending")
            try await server.kill()
            try await server.start()
            try await poll("the receipt is delivered") {
                let now = try await server.call(.GET, path, token: player.token)
                #expect(now.status == 200)
                return now.json["status"] == "verified"
            }
            let entitlements = try await server.call(.GET, "/v1/entitlements", token: player.token).json
            #expect(entitlements["balances"] == ["hints": 10])
        }
    }

    /// How often a download is begun that a busy machine does not read in that time.
    static let downloads = 10

    @Test func `A download is finished before the program ends`() async throws {
        try await ServerProcess.run { server, authority in
            let url = try await server.linkToBigFile(authority)
            var isInTime = try await Self.isDownloaded(url, whileStopping: server)
            for _ in 1..<Self.downloads where !isInTime {
                try await server.start()
                isInTime = try await Self.isDownloaded(url, whileStopping: server)
            }
            #expect(isInTime)
        }
    }

    /// Stops the server during a download, and reads the rest.
    ///
    /// - Returns: whether it was read in the time that the server gives it. If so, it was complete.
    private static func isDownloaded(_ url: String, whileStopping server: ServerProcess) async throws -> Bool {
        let isInTime = try await RawConnection.open(port: server.port) { inbound, outbound in
            try await outbound.write(ByteBuffer(string: "GET \(url) HTTP/1.1\r\nHost: a\r\n\r\n"))
            var iterator = inbound.makeAsyncIterator()
            let first = try #require(await iterator.next())
            #expect(String(buffer: first).hasPrefix("HTTP/1.1 200 "))
            let start = ContinuousClock.now
            await server.terminate()
            try await poll("nobody is let in any more") {
                (try? await RawConnection.exchange("GET /health HTTP/1.0\r\n\r\n", port: server.port)) == nil
            }
            var count = first.readableBytes
            // A connection that is cut may end with an error.
            while let part = try? await iterator.next() { count += part.readableBytes }
            // Well within what a server that stops gives a request, and a connection that is to close.
            let isInTime = start.duration(to: .now) < .seconds(7)
            #expect(count > ServerProcess.bigFileSize || !isInTime, "all of it, and the head")
            return isInTime
        }
        let status = try await server.exitStatus()
        #expect(status == 0 || !isInTime)
        return isInTime
    }

    @Test func `More connections than file descriptors do not stop open downloads`() async throws {
        try await ServerProcess.run(openFiles: 96) { server, authority in
            let url = try await server.linkToBigFile(authority)
            try await RawConnection.open(port: server.port) { inbound, outbound in
                var iterator = inbound.makeAsyncIterator()
                try await outbound.write(ByteBuffer(string: "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"))
                _ = try await iterator.next()
                let crowd = try await Crowd(200, port: server.port)
                try await outbound.write(
                    ByteBuffer(string: "GET \(url) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
                let first = try #require(await iterator.next())
                #expect(String(buffer: first).hasPrefix("HTTP/1.1 200 "))
                var count = first.readableBytes
                while let part = try await iterator.next() { count += part.readableBytes }
                #expect(count > ServerProcess.bigFileSize, "all of it, and the head")
                try await crowd.leave()
            }
            #expect(try await server.call(.GET, "/health").status == 200)
        }
    }
}
