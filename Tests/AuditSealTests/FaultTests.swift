import Foundation
import InAppPurchase
import Testing

@testable import AuditSeal
@testable import LedgerSQL
@testable import LedgerSQLite

/// What somebody may do to a trail who can write its tables, and what is said of it. Positions and sequence numbers are
/// the same; rows 1 to 12 are sealed, 13 and 14 wait; checkpoints stand at 4, 8 and 12.
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

    @Test(arguments: acts.indices) func isFound(number: Int) async throws {
        let trail = try await SealedTrail.make(seed: 77)
        try await trail.unlock()
        let (act, found) = Self.acts[number]
        try await trail.execute(act)
        let fault = try await trail.fault()
        // Which accounts the random rows name, and whether rows without seals follow, is the seed's.
        if found.contains("row 0") {
            #expect(fault?.reason == "no account, time or kind is written so")
        } else if found.contains("no such fault") {
            #expect(fault?.description == "checkpoint 12: the chain ends before it, at position 10")
        } else {
            #expect(fault?.description == found)
        }
    }

    /// An inserted row with an old number is never sealed, so it is always found.
    @Test func aRowIsPutIn() async throws {
        let trail = try await SealedTrail.make(seed: 3)
        try await trail.unlock()
        try await trail.execute("UPDATE audit SET sequence = sequence + 100 WHERE sequence > 12")
        #expect(try await trail.fault() == nil)
        try await trail.execute(
            "INSERT INTO audit SELECT -8, at, kind, account, subject, content, contentHash, "
                + "actor FROM audit WHERE sequence = 1")
        #expect(try await trail.fault()?.place == .row(sequence: -8))
    }

    @Test func nothingIsWrong() async throws {
        let trail = try await SealedTrail.make(seed: 4)
        let summary = try await trail.verify()
        #expect(
            summary
                == TrailSummary(
                    sealed: 12, unsealed: 2, erased: 2, position: 12, firstPosition: nil, checkpoints: 3,
                    lastCheckpoint: try await trail.checkpoints().last, kept: 0))
        try await trail.execute("UPDATE audit SET content = NULL")
        #expect(try await trail.verify().erased == 14)
    }

    /// With the key, which stands in the ledger, everything can be written anew; not so what was kept elsewhere.
    @Test func whoHasTheKeyIsFoundByAKeptCheckpoint() async throws {
        let trail = try await SealedTrail.make(seed: 5)
        let kept = try await trail.checkpoints()
        #expect(try await trail.verify(kept: kept).kept == 3)
        try await trail.unlock()
        try await trail.execute("UPDATE audit SET subject = 'another' WHERE sequence = 6; DELETE FROM auditSeals")
        try await trail.execute("DELETE FROM auditCheckpoints")
        try await trail.seal(at: moment(9), isLast: true)
        #expect(try await trail.fault() == nil)
        #expect(try await trail.fault(kept: [kept[0]]) == nil, "the stretch before the change is as it was")
        let found = try await trail.fault(kept: kept)
        #expect(found?.description == "checkpoint 8: names another hash than the chain has")
    }

    @Test func theLastRowsAreDeletedWithTheirCheckpoint() async throws {
        let trail = try await SealedTrail.make(seed: 6)
        let kept = try await trail.checkpoints()
        try await trail.unlock()
        for table in ["auditSeals", "auditCheckpoints"] {
            try await trail.execute("DELETE FROM \(table) WHERE position > 8; DELETE FROM audit WHERE sequence > 8")
        }
        #expect(try await trail.fault() == nil)
        let found = try await trail.fault(kept: kept)
        #expect(found?.description == "checkpoint 12: the chain ends before it, at position 8")
    }

    @Test func aKeptCheckpointOfAnotherKey() async throws {
        let trail = try await SealedTrail.make(seed: 6)
        var foreign = try #require(try await trail.checkpoints().first)
        foreign.key = try SealedTrail.key(2).verifying.id
        #expect(
            try await trail.fault(kept: [foreign])?.description == "checkpoint 4: is signed by a key that is not known")
        await #expect(throws: TrailFault(.checkpoint(position: 4), "is signed by a key that is not known")) {
            try await trail.verify(trusting: try SealedTrail.key(2))
        }
    }
}
