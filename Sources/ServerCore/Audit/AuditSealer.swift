package import Basics
package import AuditSeal
import Crypto
package import Foundation
package import Ledger
package import Logging
package import ServerHTTP
import ServiceLifecycle
import Synchronization

/// Seals the audit trail periodically while the server runs, and a last time when it stops.
package final class AuditSealer: PeriodicService {
    /// Rows that are not sealed yet could be changed unnoticed, so there are not many seconds' worth of them.
    package static let interval = Duration.seconds(1)

    package let keys: AuditKeys
    private let file: CheckpointFile?
    private let sealer: Sealer
    private let clock: @Sendable () -> Date
    private let logger: Logger
    private let trouble = Mutex<String?>(nil)
    private let fileTrouble = Mutex<String?>(nil)

    /// - Parameter file: the file that each checkpoint is appended to; `nil` if checkpoints are in the ledger and the
    ///   log only.
    /// - Throws: an error if the keys cannot be read or created.
    package init(
        _ ledger: any AuditLedger & KeyValueStore, random: @escaping RandomBytes, clock: @escaping @Sendable () -> Date,
        logger: Logger,
        file: CheckpointFile? = nil
    ) async throws {
        self.file = file
        keys = try await AuditKeys.load(from: ledger, at: clock()) {
            try Curve25519.Signing.PrivateKey(rawRepresentation: random(32))
        }
        sealer = Sealer(ledger, key: keys.newest) { row in
            logger.error(
                "rows at the end of the audit trail are missing",
                metadata: ["sequence": "\(row.sequence)", "content": "\(row.content ?? "erased")"])
        }
        self.clock = clock
        self.logger = logger
    }

    package func runOnce() async { await seal() }

    package func stop() async {
        // Unstructured, since a download that uses up the grace period gets every service cancelled, and the last rows
        // must be sealed all the same.
        await Task { await seal(isLast: true) }.value
    }

    /// Seals once. A failure is logged once, until it changes or is over.
    package func seal(isLast: Bool = false) async {
        do {
            let checkpoint = try await sealer.seal(at: clock(), isLast: isLast)
            trouble.withLock { $0 = nil }
            if let checkpoint {
                log(checkpoint)
                await write(checkpoint)
            }
        } catch {
            if isNew(error, trouble) { logger.error("audit trail not sealed", metadata: ["error": "\(error)"]) }
        }
    }

    /// Appends a checkpoint to the file. A failure is logged once, until it changes or is over: the ledger and the log
    /// have the checkpoint too.
    private func write(_ checkpoint: Checkpoint) async {
        guard let file else { return }
        do {
            try await file.append(checkpoint)
            fileTrouble.withLock { $0 = nil }
        } catch {
            guard isNew(error, fileTrouble) else { return }
            logger.error(
                "audit checkpoint not appended to its file", metadata: ["path": "\(file.path)", "error": "\(error)"])
        }
    }

    private func isNew(_ error: any Error, _ known: borrowing Mutex<String?>) -> Bool {
        known.withLock { known in
            defer { known = "\(error)" }
            return known != "\(error)"
        }
    }

    /// Logs a checkpoint. If logs are collected elsewhere, it is out of reach for whoever can write to the ledger.
    private func log(_ checkpoint: Checkpoint) {
        let metadata = checkpoint.logged.map { ($0.name, Logger.MetadataValue.string($0.value)) }
        logger.info("audit checkpoint", metadata: Dictionary(metadata) { first, _ in first })
    }
}
