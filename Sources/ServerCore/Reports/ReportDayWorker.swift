package import Foundation
package import Ledger
package import Logging
import ServerHTTP

/// Keeps the sums of days for reports up to date: makes those of new days, and those that a purchase, a refund or a
/// renewal has changed.
package struct ReportDayWorker: PeriodicService {
    package static let interval = Duration.seconds(10)
    static let firstInterval = Duration.seconds(2)
    /// The pause for each transaction that a run counted, if that is longer than the interval: one takes some 25 µs of
    /// CPU, so that days with many, or many days, take a twentieth of a core and no more.
    static let pausePerTransaction = Duration.microseconds(500)

    package let ledger: any ReportLedger
    package let clock: @Sendable () -> Date
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    package let logger: Logger

    package init(ledger: any ReportLedger, clock: @escaping @Sendable () -> Date, logger: Logger) {
        self.ledger = ledger
        self.clock = clock
        self.logger = logger
    }

    /// The pause before the interval.
    static func pause(after transactions: Int) -> Duration { max(.zero, pausePerTransaction * transactions - interval) }

    package func runOnce() async {
        do {
            let work = try await ledger.foldReportDays(at: clock())
            try await sleep(Self.pause(after: work.transactions))
        } catch is CancellationError {
            return
        } catch {
            logger.error("the sums of reports could not be made", metadata: ["error": "\(error)"])
        }
    }
}
