package import Basics
package import Foundation
package import Ledger
package import Logging
import ServerHTTP

/// Finds out whether the ledger can be written once a write has failed, and then until one succeeds. While all is well,
/// it writes nothing.
package struct LedgerWatch: PeriodicService {
    package static let interval = Duration.seconds(5)
    /// In bytes; as much as receipts take. A full disk may have room for a small value.
    static let probeSize = 64 << 10
    private static let key = "writeProbe"

    package let ledger: any LedgerMaintenance & KeyValueStore
    package let clock: @Sendable () -> Date
    package let logger: Logger

    package init(
        ledger: any LedgerMaintenance & KeyValueStore, clock: @escaping @Sendable () -> Date, logger: Logger
    ) {
        self.ledger = ledger
        self.clock = clock
        self.logger = logger
    }

    package func runOnce() async {
        guard ledger.writes.consumeFailure() else { return }
        do {
            try await ledger.set([Self.key: Data(count: Self.probeSize)])
            try await ledger.removeValues(forKeys: [Self.key])
            guard ledger.writes.setOutage(nil, at: clock()) else { return }
            logger.notice("the ledger can be written again")
        } catch let error as LedgerUnavailable {
            guard ledger.writes.setOutage(error.detail, at: clock()) else { return }
            logger.error(
                "the ledger cannot be written; nobody can buy until it can", metadata: ["error": "\(error.detail)"])
        } catch {
            // Cancelled: that says nothing about the ledger.
            return
        }
    }
}
