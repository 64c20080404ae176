import Foundation
import InAppPurchase
import Ledger
import Testing

@testable import AuditSeal

/// An export proves by itself what the ledger proves, and so does a part of one.
@Suite struct ExportTests {
    @Test func `A whole export and every part of one verify as the ledger does`() async throws {
        let trail = try await SealedTrail.make(seed: 9)
        let whole = try verify(try await trail.export(), trusting: [trail.key.verifying])
        #expect(whole == (try await trail.verify()))
        for sequence in 1...14 {
            let part = try verify(try await trail.export(after: sequence), trusting: nil)
            #expect(part.firstPosition == min(sequence, 12))
            #expect(part.sealed == max(12 - sequence, 0) && part.unsealed == min(14 - sequence, 2))
            #expect(part.position == 12)
        }
        #expect(try verify(try await trail.export(after: 1_000), trusting: nil).position == 12)
    }

    @Test func `An empty audit trail verifies, and so does its export`() async throws {
        let trail = try SealedTrail()
        #expect(try await trail.verify() == TrailSummary())
        #expect(try verify(try await trail.export(), trusting: nil) == TrailSummary())
    }

    /// Of the lines 1 export, 2 key, 3 to 6 rows, 7 checkpoint, and so on.
    @Test(arguments: [
        (remove: [0], place: TrailError.Place.line(1)), (remove: [1], place: .checkpoint(position: 4)),
        (remove: [2], place: .position(1)), (remove: [7], place: .position(5)), (remove: [6], place: .line(19)),
        (remove: [17], place: .line(19)), (remove: [15, 16], place: .line(18)), (remove: [19], place: .line(20)),
    ])
    func `A line that is missing from an export is reported with its place`(remove: [Int], place: TrailError.Place)
        async throws
    {
        let trail = try await SealedTrail.make(seed: 10)
        let lines = try await trail.export()
        #expect(lines.count == 20)
        let rest = lines.enumerated().filter { !remove.contains($0.offset) }.map(\.element)
        #expect(fault(rest, trusting: nil)?.place == place)
    }

    @Test func `An export with swapped or repeated lines is refused`() async throws {
        let trail = try await SealedTrail.make(seed: 11)
        let lines = try await trail.export()
        for (first, second) in [(2, 3), (6, 7), (0, 1), (1, 2), (17, 18), (16, 17), (18, 19)] {
            var swapped = lines
            swapped.swapAt(first, second)
            #expect(fault(swapped, trusting: nil) != nil, "\(first) and \(second)")
        }
        #expect(fault(lines + lines, trusting: nil)?.description == "line 21: comes after the end")
    }

    @Test func `The keys in an export are not trusted in place of those that the verifier is given`() async throws {
        let trail = try await SealedTrail.make(seed: 12)
        let lines = try await trail.export()
        let found = fault(lines, trusting: [try SealedTrail.key(2).verifying])
        #expect(found?.description == "checkpoint 4: is signed by a key that is not known")
    }

    @Test func `Checkpoints stored elsewhere are found in an export, unless the part begins after them`() async throws {
        let trail = try await SealedTrail.make(seed: 13)
        let kept = try await trail.checkpoints()
        #expect(try verify(try await trail.export(), trusting: nil, kept: kept).knownCheckpoints == 3)
        let part = try await trail.export(after: 8)
        #expect(try verify(part, trusting: nil, kept: Array(kept.dropFirst())).knownCheckpoints == 2)
        let found = fault(part, trusting: nil, kept: kept)
        #expect(found?.description == "checkpoint 4: stored elsewhere, but this part begins after it")
    }

    /// As a line of an export, and as a line of the log.
    @Test func `A checkpoint is read back from a line of an export and from a line of the log`() async throws {
        let trail = try await SealedTrail.make(seed: 14)
        for checkpoint in try await trail.checkpoints() {
            let line = String(decoding: try ExportLine.checkpoint(checkpoint).encoded(), as: UTF8.self)
            #expect(Checkpoint(kept: line) == checkpoint)
            let words = checkpoint.logged.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
            #expect(Checkpoint(kept: "2026-11-20T21:37:00Z info quartermaster: \(words) [Server] it") == checkpoint)
            let quoted = checkpoint.logged.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: " ")
            #expect(Checkpoint(kept: "2026-11-20T21:37:00Z info audit checkpoint \(quoted)") == checkpoint)
            let members = Dictionary(checkpoint.logged.map { ($0.name, $0.value) }) { first, _ in first }
            let object = try JSONEncoder().encode(members.merging(["message": "it"]) { $1 })
            #expect(Checkpoint(kept: String(decoding: object, as: UTF8.self)) == checkpoint)
        }
        for text in ["", "{}", "position=1 hash=zz at=0 key=k signature=AA==", "position=1 hash=00 at=0 key=k", "a=b"] {
            #expect(Checkpoint(kept: text) == nil)
        }
    }
}
