import Crypto
import Foundation
import GRDB
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import AuditSeal
@testable import LedgerSQL
@testable import LedgerSQLite

/// 20 November 2026 and this many seconds.
func moment(_ seconds: Int) -> Date { Date(milliseconds: 1_795_000_000_000 + seconds * 1_000) }

/// A small audit trail in a ledger, sealed and signed.
struct SealedTrail: Sendable {
    let ledger: SQLLedger
    let key: AuditKey

    /// - Parameter path: the ledger's file; in memory without one.
    init(path: String? = nil) throws {
        ledger = try path.map { try SQLiteLedger.open(path: $0, handlers: []) } ?? SQLiteLedger.inMemory(handlers: [])
        key = try Self.key(1)
    }

    /// A key that differs by one byte.
    static func key(_ byte: UInt8) throws -> AuditKey {
        AuditKey(try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: byte, count: 32)))
    }

    /// Three sealed stretches with a checkpoint after each, some erased contents, and two rows that are not sealed yet.
    static func make(seed: UInt64) async throws -> SealedTrail {
        let trail = try SealedTrail()
        var generator = SeededGenerator(seed: seed)
        for stretch in 0..<3 {
            try await trail.append(4, using: &generator)
            try await trail.seal(at: moment(stretch), isLast: true)
        }
        try await trail.erase([2...2, 7...7])
        try await trail.append(1, using: &generator)
        return trail
    }

    static let sealedRows = 12

    /// Those that mean nothing to a check.
    static let kinds = AuditEntry.Kind.allCases.filter { $0 != .contentErased && $0 != .trailCut }

    @discardableResult func erase(_ rows: [ClosedRange<Int>]) async throws -> ErasureOutcome {
        let alice = AdminToken(name: "alice", role: .write, createdAt: moment(0))
        let act = try #require(SupportAct(by: .admin(alice), reason: "ticket 7", at: moment(7)))
        return try await ledger.eraseContent(.rows(rows), act)
    }

    func append(_ count: Int, using generator: inout SeededGenerator) async throws {
        for _ in 0..<count {
            let kind = Self.kinds.randomElement(using: &generator) ?? .accountCreated
            let letters = ["a", "é", "-", ",", "1:", "\u{0}", "\n", "🎮", "\""]
            let account = Bool.random(using: &generator) ? AccountID(text: "0B0E7C1E-0000-4000-8000-00000000000A") : nil
            let isAdmin = Bool.random(using: &generator)
            let token = AdminToken(name: "alice", role: .write, createdAt: moment(0))
            try await ledger.append(
                AuditEntry(
                    kind, by: isAdmin ? .admin(token) : nil, account: account,
                    subject: Bool.random(using: &generator) ? generator.text(of: letters, upTo: 9) : nil,
                    content: ["text": .string(generator.text(of: letters, upTo: 20)), "n": .integer(7)],
                    at: moment(Int.random(in: 0...999_999, using: &generator))))
        }
    }

    @discardableResult func seal(at date: Date = moment(0), isLast: Bool = false) async throws -> Checkpoint? {
        try await Sealer(ledger, key: key).seal(at: date, isLast: isLast)
    }

    /// - Parameter trusted: the keys; by default the trail's own.
    func verify(kept: [Checkpoint] = [], trusting trusted: AuditKey? = nil) async throws -> TrailSummary {
        let verifier = TrailVerifier(keys: [(trusted ?? key).verifying], kept: kept)
        return try await ledger.readTrail(after: 0, into: verifier) { try $0.verify($1) }.finish()
    }

    /// The fault that is found, or nil.
    func fault(kept: [Checkpoint] = []) async throws -> TrailError? {
        do {
            _ = try await verify(kept: kept)
            return nil
        } catch let fault as TrailError { return fault }
    }

    func export(after sequence: Int = 0) async throws -> [Data] {
        let key = key.verifying
        let lines: [ExportLine] = try await ledger.readTrail(after: sequence, into: []) { lines, item in
            switch item {
            case .beginning(let place): lines += [.export(after: place), .key(key)]
            case .row(let row, let seal): lines.append(.row(row, seal))
            case .checkpoint(let checkpoint): lines.append(.checkpoint(checkpoint))
            case .rowless: Issue.record("a row is gone")
            case .end: break
            }
        }
        return try (lines + [.end(lines: lines.count)]).map { try $0.encoded() }
    }

    func checkpoints() async throws -> [Checkpoint] {
        try await ledger.readTrail(after: 0, into: []) {
            if case .checkpoint(let checkpoint) = $1 { $0.append(checkpoint) }
        }
    }

    // MARK: Behind the ledger's back

    func execute(_ sql: String) async throws {
        try await ledger.writer.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    /// Makes the tables as they are for somebody who writes the file with another program: without constraints.
    func unlock() async throws {
        try await execute("PRAGMA foreign_keys = OFF")
        for table in ["audit", "auditSeals", "auditCheckpoints"] {
            try await execute(
                """
                CREATE TABLE copy AS SELECT * FROM \(table); DROP TABLE \(table); ALTER TABLE copy RENAME TO \(table)
                """)
        }
    }

    func row(_ table: String, _ index: Int) async throws -> [String: DatabaseValue] {
        try await ledger.writer.read { db in
            let row = try Row.fetchOne(db, sql: "SELECT rowid AS place, * FROM \(table) LIMIT 1 OFFSET \(index)")
            return Dictionary(row.map { Array($0) } ?? []) { first, _ in first }
        }
    }
}

extension SQLLedger {
    /// SQLite behind the ledger.
    var writer: any DatabaseWriter { get throws { try #require(database as? SQLiteDatabase).writer } }
}

/// - Returns: the result for an export of these lines.
func verify(
    _ lines: [Data], trusting keys: [AuditVerifyingKey]?, kept: [Checkpoint] = []
) throws(TrailError) -> TrailSummary {
    var verifier = ExportVerifier(keys: keys, kept: kept)
    for line in lines { try verifier.verify(line) }
    return try verifier.finish()
}

func fault(_ lines: [Data], trusting keys: [AuditVerifyingKey]?, kept: [Checkpoint] = []) -> TrailError? {
    do {
        _ = try verify(lines, trusting: keys, kept: kept)
        return nil
    } catch { return error }
}
