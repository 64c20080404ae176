package import Ledger
package import Logging
import ServerHTTP

/// Looks through a ledger once, page by page, for purchases that an earlier version left with their former owners; the
/// alarm ``Alarm/Kind/misplacedPurchases`` tells how many it found.
package struct MisplacedPurchaseCounter: PeriodicService {
    package static let interval = Duration.seconds(5)
    /// The number of original transactions that a run looks at.
    static let originalsInARun = 1_000

    package let ledger: any LedgerMaintenance
    package let logger: Logger

    package init(ledger: any LedgerMaintenance, logger: Logger) {
        self.ledger = ledger
        self.logger = logger
    }

    package func runOnce() async {
        do {
            _ = try await ledger.countMisplacedPurchases(inNext: Self.originalsInARun)
        } catch {
            logger.error("misplaced purchases could not be counted", metadata: ["error": "\(error)"])
        }
    }
}
