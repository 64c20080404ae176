import AuditSeal
import Crypto
import Foundation
import InAppPurchase
import Logging
import ServiceLifecycle
import Synchronization

/// Seals the audit trail while the server runs, and a last time when it stops.
final class AuditSealer: Service {
    /// Rows that have no seal yet could be changed unseen: not many seconds' worth of them.
    static let interval = Duration.seconds(1)

    let keys: AuditKeys
    private let file: CheckpointFile?
    private let sealer: Sealer
    private let clock: @Sendable () -> Date
    private let logger: Logger
    private let trouble = Mutex<String?>(nil)
    private let fileTrouble = Mutex<String?>(nil)

    /// - Parameter file: gets each checkpoint; nil: checkpoints are in the ledger and in the log only.
    /// - Throws: where the keys cannot be read or made.
    init(
        _ ledger: any Ledger, random: @escaping RandomBytes, clock: @escaping @Sendable () -> Date, logger: Logger,
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

    func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            while true {
                try await Task.sleep(for: Self.interval)
                await seal()
            }
        }
        // A download that uses up the grace period gets every service cancelled; what it reads was sealed all the same.
        await Task { await seal(isLast: true) }.value
    }

    /// One round. Trouble is logged once, until it is another or over.
    func seal(isLast: Bool = false) async {
        do {
            let checkpoint = try await sealer.seal(at: clock(), isLast: isLast)
            trouble.withLock { $0 = nil }
            if let checkpoint {
                log(checkpoint)
                await write(checkpoint)
            }
        } catch {
            if isNews(error, trouble) { logger.error("audit trail not sealed", metadata: ["error": "\(error)"]) }
        }
    }

    /// Trouble is logged once, until it is another or over: the ledger and the log have the checkpoint too.
    private func write(_ checkpoint: Checkpoint) async {
        guard let file else { return }
        do {
            try await file.append(checkpoint)
            fileTrouble.withLock { $0 = nil }
        } catch {
            guard isNews(error, fileTrouble) else { return }
            logger.error(
                "audit checkpoint not appended to its file", metadata: ["path": "\(file.path)", "error": "\(error)"])
        }
    }

    private func isNews(_ error: any Error, _ known: borrowing Mutex<String?>) -> Bool {
        known.withLock { known in
            defer { known = "\(error)" }
            return known != "\(error)"
        }
    }

    /// Where logs are collected elsewhere, it is kept from whoever can write the ledger.
    private func log(_ checkpoint: Checkpoint) {
        let metadata = checkpoint.logged.map { ($0.name, Logger.MetadataValue.string($0.value)) }
        logger.info("audit checkpoint", metadata: Dictionary(metadata) { first, _ in first })
    }
}
