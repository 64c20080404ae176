import Ledger
import Logging
import ServerHTTP

/// Looks through a ledger once, page by page, for purchases that an earlier version left with their former owners; the
/// alarm ``Alarm/Kind/misplacedPurchases`` tells how many it found.
struct MisplacedPurchaseCounter: PeriodicService {
    static let interval = Duration.seconds(5)
    /// The number of original transactions that a run looks at.
    static let originalsInARun = 1_000

    let ledger: any Ledger
    let logger: Logger

    func runOnce() async {
        do {
            _ = try await ledger.countMisplacedPurchases(inNext: Self.originalsInARun)
        } catch {
            logger.error("misplaced purchases could not be counted", metadata: ["error": "\(error)"])
        }
    }
}
