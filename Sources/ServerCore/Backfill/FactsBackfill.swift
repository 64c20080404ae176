import Foundation
package import InAppPurchase
package import Ledger
package import Logging
import ServerHTTP
import ServiceLifecycle

/// Reads the receipts and notifications that an earlier release stored for facts that it did not keep, once, while the
/// server serves.
///
/// It goes page by page, and records its progress in the ledger: a server that is stopped, or killed, resumes where it
/// was. After each page it rests as long as the page took, so that it uses half of one core at most.
package struct FactsBackfill: Service {
    /// The time between two lines of the log about the progress.
    static let reportInterval = Duration.seconds(30)
    /// The pause after the ledger, or the verification, was unavailable.
    static let retryInterval = Duration.seconds(30)

    package let ledger: any StoreLedger
    package let store: any Store
    package let decisions: ServingContext
    package let logger: Logger

    package init(ledger: any StoreLedger, store: any Store, decisions: ServingContext, logger: Logger) {
        self.ledger = ledger
        self.store = store
        self.decisions = decisions
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while true {
                do {
                    return try await fillAll()
                } catch {
                    if Task.isCancelled { return }
                    logger.warning("reading facts of stored receipts is postponed", metadata: ["error": "\(error)"])
                    try? await Task.sleep(for: Self.retryInterval)
                }
            }
        }
        try? await gracefulShutdown()
    }

    /// The work done by this process.
    struct Progress {
        var read = 0
        /// Of ``read``, those that prove nothing by themselves, such as transaction IDs.
        var unreadable = 0
        /// The rows that gained facts.
        var filled = 0

        fileprivate var metadata: Logger.Metadata {
            ["read": "\(read)", "filled": "\(filled)", "unreadable": "\(unreadable)"]
        }
    }

    /// Reads what is left.
    ///
    /// - Throws: what the ledger throws, ``VerificationUnavailable``, `CancellationError`.
    func fillAll() async throws {
        var (total, reported) = (Progress(), ContinuousClock.now)
        while case let began = ContinuousClock.now, let page = try await fillPage() {
            total.read += page.read
            total.unreadable += page.unreadable
            total.filled += page.filled
            if reported.duration(to: .now) > Self.reportInterval {
                logger.info("reading facts of stored receipts", metadata: total.metadata)
                reported = .now
            }
            try await Task.sleep(for: began.duration(to: .now))
        }
        guard total.read > 0 else { return }
        logger.info("facts of stored receipts read", metadata: total.metadata)
    }

    /// Reads the next page.
    ///
    /// - Returns: what was done, nothing if another server did it meanwhile; `nil` if everything was read before.
    @discardableResult
    func fillPage() async throws -> Progress? {
        let position = try await ledger.backfillPosition()
        guard position.phase != .done else { return nil }
        let page = try await ledger.backfillPage(after: position)
        var facts: [VerifiedReceipt] = []
        for item in page.items {
            if let read = try await self.facts(in: item) { facts.append(read) }
        }
        let filled = try await ledger.fill(facts, from: position, to: page.next, in: decisions.context)
        guard let filled else { return Progress() }
        return Progress(read: page.items.count, unreadable: page.items.count - facts.count, filled: filled)
    }

    /// The facts that stored bytes prove, verified as of the day of their arrival, when their certificates were valid.
    package func facts(in item: BackfillPage.Item) async throws -> VerifiedReceipt? {
        var context = decisions.context
        switch item {
        case .receipt(_, let date), .notification(_, let date): context.date = date
        }
        return try await store.facts(in: item, in: context)
    }
}
