package import Ledger
package import Logging
import ServerHTTP

/// Posts the credits of periods that were paid for ahead when they begin: no request and no notification of the App
/// Store tells of a beginning.
package struct BegunPeriodWorker: PeriodicService {
    package static let interval = Duration.seconds(10)
    static let firstInterval = Duration.seconds(1)

    package let ledger: any ReceiptLedger
    package let decisions: ServingContext
    package let logger: Logger

    package init(ledger: any ReceiptLedger, decisions: ServingContext, logger: Logger) {
        self.ledger = ledger
        self.decisions = decisions
        self.logger = logger
    }

    package func runOnce() async {
        do {
            let count = try await ledger.creditBegunPeriods(in: decisions.context)
            if count > 0 { logger.info("periods began", metadata: ["transactions": "\(count)"]) }
        } catch is CancellationError {
            return
        } catch {
            logger.error("the credits of begun periods were not posted", metadata: ["error": "\(error)"])
        }
    }
}
