import Foundation
import Ledger
import Logging

/// Keeps the sums of days for reports up to date: makes those of new days, and those that a purchase, a refund or a
/// renewal has changed.
struct ReportDayWorker: PeriodicService {
    static let interval = Duration.seconds(10)
    static let firstInterval = Duration.seconds(2)

    let ledger: any Ledger
    let clock: @Sendable () -> Date
    let logger: Logger

    func runOnce() async {
        do {
            try await ledger.foldReportDays(at: clock())
        } catch is CancellationError {
            return
        } catch {
            logger.error("the sums of reports could not be made", metadata: ["error": "\(error)"])
        }
    }
}
