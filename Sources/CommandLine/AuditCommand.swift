import ArgumentParser
import AuditSeal
import Basics
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "List, verify and export the audit trail, and erase contents.",
        subcommands: [List.self, Verify.self, Export.self, Erase.self])
}

extension AuditCommand {
    struct Verify: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Verify every row, seal and checkpoint of the audit trail.",
            discussion: """
                If something does not match, prints the first mismatch and exits with status 1. Checks the ledger, or \
                with --export only a file; you can run this while a server is serving. A checkpoint that you kept \
                elsewhere (--checkpoint) also reveals that the whole ledger was rewritten.

                Example: quartermaster audit verify --database var/ledger.sqlite --checkpoint kept.jsonl
                Example: quartermaster audit verify --export trail.jsonl --keys keys.json
                """)

        @OptionGroup var options: SettingOptions

        @Option(help: "A file that `audit export` wrote, to check instead of the ledger.") var export: String?

        @Option(help: "The trusted keys: a file with the response of GET /v1/keys (default: those in the export).")
        var keys: String?

        @Option(
            help: """
                A file with checkpoints that must be part of the trail, one per line, as exported or as logged by the \
                server.
                """)
        var checkpoint: String?

        @OptionGroup var confirmation: Confirmation
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            if export != nil, options.flags.database != nil {
                throw ValidationError("--export checks a file without any ledger; leave out --database.")
            }
        }

        func run(_ program: any ServerProgram) async throws {
            let trusted = try keys.map(TrailFiles.keys)
            let kept = try checkpoint.map(TrailFiles.checkpoints) ?? []
            let line = ProgressLine.onTerminal(clock: { Date() })
            defer { line?.clear() }
            let report: VerifyReport
            if let export {
                let summary = try TrailFiles.verify(export, keys: trusted, kept: kept) {
                    line?.show(CommandProgress(verb: "verified", unit: .things("lines"), done: $0))
                }
                report = VerifyReport(summary, keysFrom: trusted == nil ? .export : .file)
            } else {
                let summary = try await verifyLedger(trusted, kept, program.handlers, line)
                report = VerifyReport(summary, keysFrom: trusted == nil ? .ledger : .file)
            }
            line?.clear()
            if json { print(try report.json) } else { confirmation.print(report.text) }
        }

        private func verifyLedger(
            _ trusted: [AuditVerifyingKey]?, _ kept: [Checkpoint], _ handlers: [any ProductHandler.Type],
            _ line: ProgressLine?
        ) async throws -> TrailSummary {
            try await options.withLedger(handlers) { ledger, _ in
                try await ledger.verifyTrail(keys: trusted, kept: kept) { line?.show(.verified(rows: $0)) }
            }
        }
    }

    struct Export: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Export the audit trail as JSON Lines, oldest row first.",
            discussion: """
                The export is a consistent snapshot, even while a server is serving. Verify it on any machine with \
                `audit verify --export`.

                Example: quartermaster audit export --database var/ledger.sqlite --output trail.jsonl
                """)

        @OptionGroup var options: SettingOptions

        @Option(help: "Only rows with a higher sequence number than this.") var after = 0

        @Option(help: "The file to write, atomically (default: standard output).") var output: String?

        func validate() throws { guard after >= 0 else { throw ValidationError("--after: a whole number from 0 on.") } }

        func run(_ program: any ServerProgram) async throws {
            try await options.withLedger(program.handlers) { ledger, _ in
                guard let output else { return try await ledger.exportTrail(after: after, to: .standardOutput) }
                let line = ProgressLine.onTerminal(clock: { Date() })
                defer { line?.clear() }
                try await AtomicFile.write(output) { file in
                    try await ledger.exportTrail(after: after, to: file) {
                        line?.show(CommandProgress(verb: "wrote", unit: .things("lines"), done: $0))
                    }
                }
            }
        }
    }
}

/// The result of a successful `audit verify`.
private struct VerifyReport: Encodable {
    /// The source of the keys that checkpoints were verified with.
    enum KeySource: String, Encodable {
        case ledger, export, file
    }

    struct LastCheckpoint: Encodable {
        var position: Int
        var hash: String
        var at: Date
        var key: String
    }

    var rows: Int
    var sealed: Int
    var unsealed: Int
    var erased: Int
    var lastPosition: Int
    var checkpoints: Int
    var keptCheckpoints: Int
    var lastCheckpoint: LastCheckpoint?
    /// The position after which the verified part begins; `nil` if it is the whole trail.
    var beginsAfterPosition: Int?
    var keysFrom: KeySource

    init(_ summary: TrailSummary, keysFrom: KeySource) {
        rows = summary.sealed + summary.unsealed
        sealed = summary.sealed
        unsealed = summary.unsealed
        erased = summary.erased
        lastPosition = summary.position
        checkpoints = summary.checkpoints
        keptCheckpoints = summary.knownCheckpoints
        lastCheckpoint = summary.lastCheckpoint.map {
            LastCheckpoint(position: $0.position, hash: $0.hash.hex, at: $0.date, key: $0.key)
        }
        beginsAfterPosition = summary.firstPosition
        self.keysFrom = keysFrom
    }

    var text: String {
        let content = "the content of \(erased) is erased"
        var lines = ["\(rows.counted("row")): \(sealed) sealed, \(unsealed) not yet; \(content)"]
        if let beginsAfterPosition { lines.append("a partial export: it begins after position \(beginsAfterPosition)") }
        if let last = lastCheckpoint {
            let place = "the last at position \(last.position) of \(lastPosition)"
            lines.append("\(checkpoints.counted("checkpoint")), \(place)")
            lines.append("last checkpoint: \(last.at.rfc3339), hash \(last.hash), key \(last.key)")
        } else {
            lines.append("no checkpoint: nothing of the \(lastPosition.counted("position")) is signed for")
        }
        if keptCheckpoints > 0 {
            lines.append("\(keptCheckpoints.counted("kept checkpoint is", "kept checkpoints are")) part of it")
        }
        if keysFrom == .export {
            lines.append("the keys came with the export, which proves little: use --keys with those of GET /v1/keys")
        }
        return lines.joined(separator: "\n")
    }
}

/// Atomic writes: a file appears when all of it is written.
enum AtomicFile {
    /// Writes a file that only its owner can read, replacing an existing one. What root writes is the folder owner's.
    ///
    /// - Throws: ``/ServerCore/CommandError`` if it cannot be written, and what `body` throws; nothing is left then.
    static func write(_ path: String, _ body: (FileHandle) async throws -> Void) async throws {
        let temporary = "\(path).\(UUID().text)"
        guard FileManager.default.createFile(atPath: temporary, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: temporary)
        else { throw CommandError("\(path): cannot be written: \(systemError)") }
        FileOwner.inherit(fileAt: temporary)
        do {
            try await body(file)
            try file.synchronize()
            try file.close()
            guard rename(temporary, path) == 0 else { throw CommandError("\(path): cannot be written: \(systemError)") }
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw error is CommandError || error is TrailError || error is LedgerUnavailable
                ? error : CommandError("\(path): cannot be written: \(error.localizedDescription)")
        }
    }

    private static var systemError: String { String(cString: strerror(errno)) }
}
