import AuditSeal
import Foundation
import InAppPurchase
import Ledger
import LedgerSQLite
import Logging
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Checkpoints go to a file of their own, line by line.
@Suite struct CheckpointFileTests {
    private func checkpoint(_ position: Int) -> Checkpoint {
        Checkpoint(
            position: position, hash: Data(repeating: 7, count: 32), date: World.start, key: "key",
            signature: Data(repeating: 9, count: 64))
    }

    private func folder<Result>(_ body: (LedgerFolder) async throws -> Result) async throws -> Result {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        return try await body(folder)
    }

    @Test func `Each stored checkpoint is a line that the verifier reads`() async throws {
        try await folder { folder in
            let file = CheckpointFile(folder.path("checkpoints.jsonl"))
            for position in 1...3 { try await file.append(checkpoint(position)) }
            try await CheckpointFile(file.path).append(checkpoint(4))
            #expect(try TrailFiles.checkpoints(file.path) == (1...4).map(checkpoint))
        }
    }

    /// After a power failure; only the torn line is lost.
    @Test(arguments: ["{\"at\":17", "{", "\u{1}\u{2}"])
    func `A torn line at the end of the checkpoint file is removed`(torn: String) async throws {
        try await folder { folder in
            let file = CheckpointFile(folder.path("checkpoints.jsonl"))
            try await file.append(checkpoint(1))
            let whole = try Data(contentsOf: URL(filePath: file.path))
            try (whole + Data(torn.utf8)).write(to: URL(filePath: file.path))
            try await file.append(checkpoint(2))
            #expect(try TrailFiles.checkpoints(file.path) == [checkpoint(1), checkpoint(2)])
            try Data(torn.utf8).write(to: URL(filePath: file.path))
            try await file.append(checkpoint(3))
            #expect(try TrailFiles.checkpoints(file.path) == [checkpoint(3)])
        }
    }

    /// A full file that ends in a torn line is complete when it is put aside.
    @Test(arguments: [0, 1, 100, 1_200])
    func `A torn line is removed from a full checkpoint file`(torn: Int) async throws {
        try await folder { folder in
            let file = CheckpointFile(folder.path("checkpoints.jsonl"), limit: 1_000)
            for position in 1...3 { try await file.append(checkpoint(position)) }
            let whole = try Data(contentsOf: URL(filePath: file.path))
            try (whole + Data(repeating: UInt8(ascii: "x"), count: torn)).write(to: URL(filePath: file.path))
            let next = CheckpointFile(file.path, limit: 1_000)
            for position in 4...6 { try await next.append(checkpoint(position)) }
            let kept = try TrailFiles.checkpoints(file.path + ".1") + TrailFiles.checkpoints(file.path)
            #expect(kept == (1...6).map(checkpoint))
            let aside = try Data(contentsOf: URL(filePath: file.path + ".1"))
            #expect(aside.last == UInt8(ascii: "\n") && aside.starts(with: whole))
        }
    }

    @Test func `The checkpoint file is bounded to two files`() async throws {
        try await folder { folder in
            let file = CheckpointFile(folder.path("checkpoints.jsonl"), limit: 1_000)
            for position in 1...30 { try await file.append(checkpoint(position)) }
            #expect(try folder.names == ["checkpoints.jsonl", "checkpoints.jsonl.1"])
            let kept = try TrailFiles.checkpoints(file.path + ".1") + TrailFiles.checkpoints(file.path)
            #expect(kept == Array((1...30).map(checkpoint).suffix(kept.count)) && kept.count >= 4)
            for name in try folder.names {
                #expect(try Data(contentsOf: URL(filePath: folder.path(name))).count <= 1_000)
            }
        }
    }

    @Test func `The server writes the checkpoint file, and logs once where it cannot`() async throws {
        let log = LogRecorder()
        try await World.run(logger: log.logger(.error)) { world in
            let sealer = try #require(world.assembly.services.compactMap { $0 as? AuditSealer }.first)
            let path = world.folder.appending(path: "checkpoints.jsonl").path
            _ = try await world.newPlayer()
            await sealer.seal()
            let first = try TrailFiles.checkpoints(path)
            #expect(first.map(\.position) == [2])
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            for _ in 0..<3 {
                _ = try await world.newPlayer()
                await sealer.seal(isLast: true)
            }
            #expect(log.lines.count == 1 && log.lines[0].contains(path), "\(log.lines)")
            try FileManager.default.removeItem(atPath: path)
            _ = try await world.newPlayer()
            await sealer.seal(isLast: true)
            let summary = try await world.ledger.verifyTrail(kept: first + TrailFiles.checkpoints(path))
            #expect(summary.knownCheckpoints == 2)
        }
    }

    @Test func `The checkpoint file is beside the ledger, or where the setting says`() async throws {
        func path(_ database: String, _ chosen: String? = nil) -> String {
            CheckpointsSetting(chosen: chosen, database: database).path
        }
        #expect(path("var/ledger.sqlite") == "var/ledger.sqlite.checkpoints.jsonl")
        #expect(path("postgresql://a:secret@b/c") == "quartermaster.checkpoints.jsonl")
        #expect(path("postgresql://a:secret@b/c", "/logs/c.jsonl") == "/logs/c.jsonl")
        try await folder { folder in
            let chosen = CheckpointsSetting(chosen: folder.path("no/folder/c.jsonl"), database: "l")
            #expect(throws: SettingError.self) { try chosen.file() }
            _ = try CheckpointsSetting(chosen: nil, database: folder.path("no/folder/l")).file()
            _ = try CheckpointsSetting(chosen: folder.path("c.jsonl"), database: "l").file()
            #expect(try folder.names == ["c.jsonl"])
        }
    }
}
