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
    private let sealer: Sealer
    private let clock: @Sendable () -> Date
    private let logger: Logger
    private let trouble = Mutex<String?>(nil)

    /// - Throws: where the keys cannot be read or made.
    init(
        _ ledger: any Ledger, random: @escaping RandomBytes, clock: @escaping @Sendable () -> Date, logger: Logger
    ) async throws {
        keys = try await AuditKeys.load(from: ledger, at: clock()) {
            try Curve25519.Signing.PrivateKey(rawRepresentation: random(32))
        }
        sealer = Sealer(ledger, key: keys.newest)
        (self.clock, self.logger) = (clock, logger)
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
            if let checkpoint { log(checkpoint) }
        } catch {
            let isNews = trouble.withLock { known in
                defer { known = "\(error)" }
                return known != "\(error)"
            }
            if isNews { logger.error("audit trail not sealed", metadata: ["error": "\(error)"]) }
        }
    }

    /// Where logs are collected elsewhere, it is kept from whoever can write the ledger.
    private func log(_ checkpoint: Checkpoint) {
        let metadata = checkpoint.logged.map { ($0.name, Logger.MetadataValue.string($0.value)) }
        logger.info("audit checkpoint", metadata: Dictionary(metadata) { first, _ in first })
    }
}
