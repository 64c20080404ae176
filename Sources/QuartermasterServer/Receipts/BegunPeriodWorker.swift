import Ledger
import Logging
import ServerHTTP

/// Posts the credits of periods that were paid for ahead when they begin: no request and no notification of the App
/// Store tells of a beginning.
struct BegunPeriodWorker: PeriodicService {
    static let interval = Duration.seconds(10)
    static let firstInterval = Duration.seconds(1)

    let ledger: any Ledger
    let decisions: ServingContext
    let logger: Logger

    func runOnce() async {
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
