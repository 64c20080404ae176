import Crypto
import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import AuditSeal
@testable import LedgerSQL
@testable import LedgerSQLite

/// Faults made by somebody who can write to a trail's tables, and what is reported of them. Positions and sequence
/// numbers are the same; rows 1 to 12 are sealed, 13 and 14 are not yet; checkpoints are at 4, 8 and 12.
@Suite struct FaultTests {
    static let swapped = "CASE sequence WHEN 5 THEN 6 ELSE 5 END"

    static let acts: [(act: String, found: String)] = [
        ("DELETE FROM audit WHERE sequence = 1", "position 1: its row 1 is gone"),
        ("DELETE FROM audit WHERE sequence = 6", "position 6: its row 6 is gone"),
        ("DELETE FROM audit WHERE sequence >= 12", "position 12: its row 12 is gone"),
        ("DELETE FROM auditSeals WHERE position = 6", "position 6: is missing"),
        ("DELETE FROM auditSeals WHERE position = 1", "position 1: is missing"),
        (
            "DELETE FROM audit WHERE sequence = 6; DELETE FROM auditSeals WHERE position = 6",
            "position 6: is missing"
        ),
        (
            "DELETE FROM audit WHERE sequence >= 11; DELETE FROM auditSeals WHERE position >= 11",
            "checkpoint 12: the chain ends before it, at position 10"
        ),
        (
            "DELETE FROM audit; DELETE FROM auditSeals",
            "checkpoint 4: the chain ends before it, at position 0"
        ),
        ("DELETE FROM auditSeals WHERE position > 10", "row 11: no such fault"),
        (
            "UPDATE audit SET sequence = \(swapped) WHERE sequence IN (5, 6)",
            "position 5: row 5 or its seal was changed"
        ),
        (
            "UPDATE auditSeals SET sequence = \(swapped) WHERE position IN (5, 6)",
            "position 5: row 6 or its seal was changed"
        ),
        (
            "UPDATE auditSeals SET position = 11 - position WHERE position IN (5, 6)",
            "position 5: row 6 or its seal was changed"
        ),
        (
            """
            UPDATE audit SET content = (SELECT content FROM audit o WHERE o.sequence = 11 - audit.sequence)
            WHERE sequence IN (5, 6)
            """, "position 5: row 5 has another content than was recorded"
        ),
        (
            """
            UPDATE audit SET (content, contentHash) =
                (SELECT content, contentHash FROM audit o WHERE o.sequence = 11 - audit.sequence)
            WHERE sequence IN (5, 6)
            """, "position 5: row 5 or its seal was changed"
        ),
        (
            "UPDATE audit SET content = '{}' WHERE sequence = 9",
            "position 9: row 9 has another content than was recorded"
        ),
        ("UPDATE audit SET content = '{}' WHERE sequence = 13", "row 13: has another content than was recorded"),
        ("UPDATE audit SET kind = CAST(x'80' AS TEXT) WHERE sequence = 3", "row 3: its kind is no UTF-8"),
        ("UPDATE audit SET account = 'nobody' WHERE sequence = 3", "row 3: no account, time or kind is written so"),
        (
            "UPDATE audit SET account = upper(account) WHERE account IS NOT NULL",
            "row 0: no account, time or kind is written so"
        ),
        (
            "INSERT INTO auditSeals SELECT 6, sequence, hash FROM auditSeals WHERE position = 5",
            "position 6: stands where position 7 belongs"
        ),
        (
            "INSERT INTO auditSeals SELECT 5, sequence, hash FROM auditSeals WHERE position = 5",
            "position 5: stands where position 6 belongs"
        ),
        (
            "INSERT INTO auditSeals SELECT 13, sequence, hash FROM auditSeals WHERE position = 5",
            "position 13: row 5 is sealed a second time"
        ),
        ("UPDATE auditCheckpoints SET at = at + 1 WHERE position = 8", "checkpoint 8: its signature is wrong"),
        (
            "UPDATE auditCheckpoints SET hash = (SELECT hash FROM auditSeals WHERE position = 7) WHERE position = 8",
            "checkpoint 8: names another hash than the chain has"
        ),
        (
            "UPDATE auditCheckpoints SET key = 'k' WHERE position = 8",
            "checkpoint 8: is signed by a key that is not known"
        ),
        ("UPDATE auditCheckpoints SET position = 0 WHERE position = 8", "checkpoint 0: has no seal at its position"),
    ]

    @Test(arguments: acts.indices)
    func `Tampering with the audit trail is reported with its place`(number: Int) async throws {
        let trail = try await SealedTrail.make(seed: 77)
        try await trail.unlock()
        let (act, found) = Self.acts[number]
        try await trail.execute(act)
        let fault = try await trail.fault()
        // The seed decides which accounts the random rows name, and whether unsealed rows follow.
        if found.contains("row 0") {
            #expect(fault?.reason == "no account, time or kind is written so")
        } else if found.contains("no such fault") {
            #expect(fault?.description == "checkpoint 12: the chain ends before it, at position 10")
        } else {
            #expect(fault?.description == found)
        }
    }

    /// An inserted row with an old number is never sealed, so it is always found.
    @Test func `A row inserted with an old sequence number is reported`() async throws {
        let trail = try await SealedTrail.make(seed: 3)
        try await trail.unlock()
        try await trail.execute("UPDATE audit SET sequence = sequence + 100 WHERE sequence > 12")
        #expect(try await trail.fault() == nil)
        try await trail.execute(
            "INSERT INTO audit SELECT -8, at, kind, account, subject, content, contentHash, "
                + "actor FROM audit WHERE sequence = 1")
        #expect(try await trail.fault()?.place == .row(sequence: -8))
    }

    @Test func `A trail that nobody changed verifies, also after contents were erased`() async throws {
        let trail = try await SealedTrail.make(seed: 4)
        let summary = try await trail.verify()
        #expect(
            summary
                == TrailSummary(
                    sealed: 12, unsealed: 2, erased: 2, position: 12, hash: try await trail.checkpoints().last?.hash,
                    firstPosition: nil, checkpoints: 3, lastCheckpoint: try await trail.checkpoints().last,
                    knownCheckpoints: 0))
        try await trail.erase([1...12, 14...14])
        #expect(try await trail.verify().erased == 13)
    }

    /// Whoever has the key, which is in the ledger, can write everything anew, but not the checkpoints stored
    /// elsewhere.
    @Test func `A trail rewritten with its own key is found out by a checkpoint stored elsewhere`() async throws {
        let trail = try await SealedTrail.make(seed: 5)
        let kept = try await trail.checkpoints()
        #expect(try await trail.verify(kept: kept).knownCheckpoints == 3)
        try await trail.unlock()
        try await trail.execute("UPDATE audit SET subject = 'another' WHERE sequence = 6; DELETE FROM auditSeals")
        try await trail.execute("DELETE FROM auditCheckpoints; DELETE FROM keyValues")
        try await trail.seal(at: moment(9), isLast: true)
        #expect(try await trail.fault() == nil)
        #expect(try await trail.fault(kept: [kept[0]]) == nil, "the stretch before the change is as it was")
        let found = try await trail.fault(kept: kept)
        #expect(found?.description == "checkpoint 8: names another hash than the chain has")
    }

    @Test func `Rows deleted from the end with their checkpoint are reported`() async throws {
        let trail = try await SealedTrail.make(seed: 6)
        let kept = try await trail.checkpoints()
        try await trail.unlock()
        try await trail.cut(after: 8)
        #expect(try await trail.fault()?.description == "row 12: is gone: the trail ends with row 8")
        try await trail.execute("DELETE FROM keyValues")
        // The row that named the erased content is gone with the others.
        let erased = TrailError(.row(sequence: 2), "its content is erased, and no row tells of it")
        #expect(try await trail.fault() == erased)
        let found = try await trail.fault(kept: kept)
        #expect(found?.description == "checkpoint 12: the chain ends before it, at position 8")
    }

    @Test func `A stored checkpoint signed by an unknown key is reported`() async throws {
        let trail = try await SealedTrail.make(seed: 6)
        var foreign = try #require(try await trail.checkpoints().first)
        foreign.key = try SealedTrail.key(2).verifying.id
        #expect(
            try await trail.fault(kept: [foreign])?.description == "checkpoint 4: is signed by a key that is not known")
        await #expect(throws: TrailError(.checkpoint(position: 4), "is signed by a key that is not known")) {
            try await trail.verify(trusting: try SealedTrail.key(2))
        }
    }

    /// Content that is gone must be named by a row whose own content is there, sealed or not yet.
    @Test func `Content erased without a row that names it is reported`() async throws {
        let trail = try await SealedTrail.make(seed: 8)
        #expect(try await trail.fault() == nil)
        try await trail.execute("UPDATE audit SET content = NULL WHERE sequence IN (5, 14)")
        let found = TrailError(.row(sequence: 5), "its content is erased, and no row tells of it")
        #expect(try await trail.fault() == found)
        #expect(fault(try await trail.export(), trusting: nil) == found)
        #expect(try await trail.erase([5...5]) == ErasureOutcome(erased: 0, named: 1))
        #expect(try await trail.fault()?.place == .row(sequence: 14))
        #expect(try await trail.erase([14...14, 14...14]) == ErasureOutcome(erased: 0, named: 2))
        for _ in 0..<2 {
            #expect(try await trail.fault() == nil)
            #expect(fault(try await trail.export(), trusting: nil) == nil)
            #expect(fault(try await trail.export(after: 4), trusting: nil) == nil)
            try await trail.seal(at: moment(9), isLast: true)
        }
        // The rows that name it are sealed like others, and cannot be emptied in the same way.
        await #expect(throws: ErasureRefusal.tellsOfAnErasure(sequence: 13)) { try await trail.erase([12...14]) }
        try await trail.execute("UPDATE audit SET content = NULL WHERE sequence = 13")
        #expect(try await trail.fault()?.place == .row(sequence: 2))
    }

    @Test(arguments: [
        "{}", #"{"rows": []}"#, #"{"rows": [[1]]}"#, #"{"rows": [[2, 1]]}"#, #"{"rows": [[1, 2, 3]]}"#,
        #"{"rows": [1, 2]}"#, #"{"rows": "all"}"#, "[",
    ])
    func `Malformed content of an erasure row names no rows`(content: String) {
        #expect(ErasedRows(content: content) == nil)
    }

    /// No arithmetic overflows, whatever numbers it names.
    @Test func `An erasure that names the largest and smallest numbers does not overflow`() async throws {
        for bounds in [(Int.min, Int.max), (Int.max, Int.max), (Int.min, Int.min)] {
            var verifier = TrailVerifier(keys: [])
            let content = #"{"rows":[[\#(bounds.0),\#(bounds.1)]]}"#
            try verifier.verify(.beginning(after: nil))
            try verifier.verify(
                .row(
                    AuditRow(
                        sequence: 1, date: moment(0), kind: "content.erased", actor: nil, account: nil, subject: nil,
                        content: content, contentHash: Data(SHA256.hash(data: Data(content.utf8)))), nil))
            #expect(try verifier.finish().unsealed == 1)
        }
        #expect(ErasedRows([3, 1, 2, 9, 3, .max, .max - 1]).ranges == [1...3, 9...9, (.max - 1) ... .max])
    }

    /// SQLite counts the rows that it adds, including those that had no seal yet.
    @Test func `Deleting a row that was not sealed yet is reported`() async throws {
        let trail = try await SealedTrail.make(seed: 9)
        try await trail.execute("DROP TRIGGER auditIsNotDeleted; DELETE FROM audit WHERE sequence = 14")
        let found = TrailError(.row(sequence: 14), "is gone: the trail ends with row 13")
        #expect(try await trail.fault() == found)
    }

    /// A server that goes on after the cut records it in the trail, so that the new rows hide nothing.
    @Test func `A server that goes on after a cut records the cut in the trail`() async throws {
        let trail = try await SealedTrail.make(seed: 10)
        try await trail.cut(after: 8)
        for round in 0..<3 {
            try await trail.ledger.append(AuditEntry(.accountCreated, at: moment(20)))
            try await trail.seal(at: moment(20 + round), isLast: true)
        }
        let rows = try await trail.ledger.auditRows(after: 8, limit: 99)
        #expect(rows.filter { $0.kind == "trail.cut" }.map(\.content) == [#"{"found":8,"highest":12}"#])
        #expect(try await trail.fault()?.reason == "tells that rows before it were cut off")
    }
}

extension SealedTrail {
    fileprivate func cut(after last: Int) async throws {
        for (trigger, table, key) in [
            ("auditCheckpointsAreNotDeleted", "auditCheckpoints", "position"),
            ("auditSealsAreNotDeleted", "auditSeals", "position"), ("auditIsNotDeleted", "audit", "sequence"),
        ] { try await execute("DROP TRIGGER IF EXISTS \(trigger); DELETE FROM \(table) WHERE \(key) > \(last)") }
    }
}
