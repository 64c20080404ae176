import AuditSeal
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerPostgres
import LedgerSQL
import LedgerSQLite
import Logging
import PostgresSupport
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The server seals what it records, publishes where the chain stands, and hands out the keys to check it.
@Suite struct AuditSealerTests {
    @Test func `Anybody can read the public keys of the server`() async throws {
        try await World.run { world in
            let answer = try await world.call(.get, "/v1/keys")
            #expect(answer.status == 200 && answer.headers[.contentType] == "application/json")
            let keys = answer.json["keys"].array
            #expect(keys.count == 2)
            let sealer = try #require(world.sealer)
            #expect(keys[0]["kid"].text == sealer.keys.newest.verifying.id)
            #expect(keys[0]["kty"] == "OKP" && keys[0]["crv"] == "Ed25519" && keys[0]["x"].text?.count == 43)
            #expect(keys[0]["alg"] == "EdDSA" && keys[0]["use"] == "sig" && keys[0]["d"] == .null)
            #expect(keys.map { $0["purpose"].text } == [nil, "manifests"])
            let again = try await AuditSealer(
                world.ledger, random: systemRandomBytes, clock: { World.start }, logger: World.quiet)
            #expect(again.keys.newest.verifying.id == sealer.keys.newest.verifying.id)
        }
    }

    /// U+10FFFF is what a ledger escapes texts with. The hash is that of the content as it was written.
    @Test(arguments: [false, true])
    func `A reason may have any character and the trail still verifies`(isPostgres: Bool) async throws {
        let ledger =
            isPostgres
            ? try PostgresLedger.open(
                url: try PostgresServer.shared.get().newLedger(), handlers: Server.standardHandlers, limits: .patient)
            : try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        let strange = "\u{10FFFF}, \u{10FFFF}0, \0"
        try await ledger.append(
            AuditEntry(
                .accountBlocked, by: .operatingSystemUser, subject: strange, content: ["reason": .string(strange)],
                at: World.start))
        try await ledger.sealTrail(at: World.start)
        let summary = try await ledger.verifyTrail(kept: [])
        #expect(summary.sealed >= 1 && summary.unsealed == 0)
        let contents = try await ledger.auditRows(after: 0, limit: 9).map(\.content)
        let exact = try await ledger.readTrail(after: 0, into: [String?]()) { rows, item in
            if case .row(let row, _) = item { rows.append(row.content) }
        }
        #expect(exact == contents && exact.contains { $0?.contains("\u{10FFFF}, ") == true })
    }

    /// Whoever collects the log can detect a trail that was rewritten.
    @Test func `Checkpoints are logged once`() async throws {
        let log = LogRecorder()
        try await World.run(logger: log.logger(.info)) { world in
            let sealer = try #require(world.sealer)
            _ = try await world.newPlayer()
            for _ in 0..<3 { await sealer.seal() }
            _ = try await world.newPlayer()
            await sealer.seal(isLast: true)
            let lines = log.lines.filter { $0.hasPrefix("audit checkpoint ") }
            #expect(lines.count == 2)
            let kept = lines.compactMap { Checkpoint(kept: $0) }
            #expect(kept.map(\.position) == [2, 4])
            let verifier = TrailVerifier(keys: sealer.keys.verifying, kept: kept)
            let summary = try await world.ledger.readTrail(after: 0, into: verifier) { try $0.verify($1) }.finish()
            #expect(summary.knownCheckpoints == 2 && summary.unsealed == 0)
        }
    }

    /// The operator hears of it without running a check.
    @Test func `A cut audit trail is logged once`() async throws {
        let log = LogRecorder()
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        try await World.run(ledger: ledger, logger: log.logger(.error)) { world in
            let sealer = try #require(world.sealer)
            _ = try await world.newPlayer()
            await sealer.seal(isLast: true)
            for (trigger, table) in [
                ("auditCheckpointsAreNotDeleted", "auditCheckpoints"), ("auditSealsAreNotDeleted", "auditSeals"),
                ("auditIsNotDeleted", "audit"),
            ] { try await ledger.execute("DROP TRIGGER \(trigger); DELETE FROM \(table)") }
            for _ in 0..<3 {
                _ = try await world.newPlayer()
                await sealer.seal(isLast: true)
            }
            let lines = log.lines.filter { $0.hasPrefix("rows at the end of the audit trail are missing ") }
            #expect(lines.count == 1 && lines.first?.contains(#"{"found":0,"highest":2}"#) == true, "\(log.lines)")
        }
    }

    /// As with a full disk: logged once, and what waited is sealed when it is over.
    @Test func `Trouble of the sealer is logged once, and what waited is sealed after it`() async throws {
        let log = LogRecorder()
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        try await World.run(ledger: ledger, logger: log.logger(.error)) { world in
            let sealer = try #require(world.sealer)
            _ = try await world.newPlayer()
            let full = "BEGIN SELECT RAISE(ABORT, 'disk full'); END"
            try await ledger.execute("CREATE TRIGGER full BEFORE INSERT ON auditSeals \(full)")
            for _ in 0..<3 { await sealer.seal() }
            try await ledger.execute("DROP TRIGGER full")
            await sealer.seal()
            #expect(log.lines.count == 1, "\(log.lines)")
            #expect(log.lines.allSatisfy { $0.hasPrefix("audit trail not sealed ") })
            let verifier = TrailVerifier(keys: sealer.keys.verifying)
            let summary = try await ledger.readTrail(after: 0, into: verifier) { try $0.verify($1) }.finish()
            #expect(summary.sealed == 2)
        }
    }
}

extension World {
    fileprivate var sealer: AuditSealer? { assembly.services.compactMap { $0 as? AuditSealer }.first }
}
