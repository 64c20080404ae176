package import Foundation
import InAppPurchase
package import Ledger
package import Logging
import ServerHTTP
import ServiceLifecycle

/// The worker of the retry queue: asks the store again about pending receipts. The queue is in the ledger, so a
/// restart loses nothing.
package struct RetryWorker: PeriodicService {
    /// The time between two polls for receipts that are due.
    package static let interval = Duration.seconds(1)
    /// The number of receipts asked about concurrently, so that a store that returns after an outage is not
    /// overloaded.
    package static let atOnce = 8
    package static let attemptTime = Duration.seconds(30)
    /// In seconds; longer than ``attemptTime``. After it another worker may take the receipt.
    package static let lease: TimeInterval = 60

    package let intake: ReceiptIntake
    package let ledger: any ReceiptLedger
    package let clock: @Sendable () -> Date
    package let logger: Logger
    package let outages: OutageWatch
    /// The queues of this worker. Each has a service of its own: a slow answer about one holds up no other.
    var queues = ReceiptQueue.allCases

    package init(
        intake: ReceiptIntake, ledger: any ReceiptLedger, clock: @escaping @Sendable () -> Date, logger: Logger,
        outages: OutageWatch, queues: [ReceiptQueue] = ReceiptQueue.allCases
    ) {
        self.intake = intake
        self.ledger = ledger
        self.clock = clock
        self.logger = logger
        self.outages = outages
        self.queues = queues
    }

    package func runOnce() async { await askAboutDueReceipts() }

    /// The same worker for one queue.
    package func serving(_ queue: ReceiptQueue) -> RetryWorker {
        var worker = self
        worker.queues = [queue]
        return worker
    }

    /// Asks once about every receipt of one batch of each queue that is due.
    package func askAboutDueReceipts() async { for queue in queues { await askAboutDueReceipts(in: queue) } }

    private func askAboutDueReceipts(in queue: ReceiptQueue) async {
        do {
            let now = clock()
            if outages.consumeEnd() { try await ledger.retryPendingNow(at: now) }
            let due = try await ledger.dueReceipts(
                in: queue, limit: Self.atOnce, lease: now.addingTimeInterval(Self.lease), at: now)
            await withTaskGroup { group in
                for pending in due { group.addTask { await ask(pending) } }
            }
        } catch {
            logger.error("pending receipts could not be read", metadata: ["error": "\(error)"])
        }
    }

    private func ask(_ pending: PendingReceipt) async {
        do {
            report(try await intake.ask(pending, within: Self.attemptTime))
        } catch {
            logger.error(
                "pending receipt still pending", metadata: ["receipt": "\(pending.receipt.id)", "error": "\(error)"])
        }
    }

    /// Logs what became of a receipt. That the store could not answer is logged with the reason elsewhere.
    private func report(_ asked: AskedReceipt) {
        let answer = asked.answer
        var metadata: Logger.Metadata = ["receipt": "\(answer.receipt)"]
        guard !asked.isAskedAgain else {
            return logger.debug("pending receipt asked about again later", metadata: metadata)
        }
        switch answer.status {
        case .pending: break
        case .verified: logger.info("pending receipt verified", metadata: metadata)
        case .conflict: logger.info("pending receipt verified, owned by another account", metadata: metadata)
        case .rejected:
            metadata["reason"] = "\(answer.rejection?.rawValue ?? "-")"
            logger.info("pending receipt rejected", metadata: metadata)
        }
    }
}

/// The result of asking the store about a receipt.
package struct AskedReceipt: Sendable {
    /// The answer for the client.
    var answer: ReceiptAnswer
    /// Whether the store could not answer and is asked again. The receipt may be delivered all the same.
    var isAskedAgain = false
}
