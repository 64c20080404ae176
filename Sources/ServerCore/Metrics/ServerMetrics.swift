package import CoreMetrics
package import Foundation
package import InAppPurchase
package import Ledger
package import LedgerSQL
package import PrometheusMetrics
package import ServerHTTP
package import StoreClient
import Synchronization

/// The metrics of the server. Label values are words of this server, never of a client.
package struct ServerMetrics: Sendable {
    let registry: PrometheusRegistry
    package let requests: RequestMetrics
    package let connections: Meter
    package let contentSent: Counter
    private let store: [StoreResult: CoreMetrics.Timer]
    private let write: (wait: CoreMetrics.Timer, work: CoreMetrics.Timer, commit: CoreMetrics.Timer)
    private let writesOfCommit: Recorder
    private let receipts = CounterCache<ReceiptLabels>()
    private let transactions = CounterCache<Outcome>()
    private let reloadFailures: Counter
    private let lastReload: Meter

    /// - Parameter registry: stores the metrics; each server has its own.
    package init(registry: PrometheusRegistry = PrometheusRegistry(MetricFamily.server)) {
        self.registry = registry
        requests = RequestMetrics(registry)
        connections = Meter(.httpConnections, in: registry)
        contentSent = Counter(.contentSent, in: registry)
        let results = StoreResult.allCases.map {
            ($0, CoreMetrics.Timer(.storeRequestDuration, [("result", $0.rawValue)], in: registry))
        }
        store = Dictionary(results) { first, _ in first }
        func phase(_ name: String) -> CoreMetrics.Timer {
            CoreMetrics.Timer(.ledgerWriteDuration, [("phase", name)], in: registry)
        }
        write = (phase("wait"), phase("work"), phase("commit"))
        writesOfCommit = Recorder(.ledgerCommitWrites, in: registry)
        reloadFailures = Counter(.catalogReloadFailures, in: registry)
        lastReload = Meter(.catalogLastReloadSuccessful, in: registry)
        for kind in [ReceiptBytesKind.pending, .rejected] { bytesRefused(kind, 0) }
        for outcome in Self.watchedOutcomes { count(outcome, 0) }
        for outcome in NotificationOutcome.allCases { notified(version: 2, outcome, 0) }
    }

    /// Exported from the start, at 0: Prometheus sees no increase in a series that appears with its first event.
    private static let watchedOutcomes: [Outcome] = [
        .delivered, .alreadyDelivered, .denied(.typeMismatch), .denied(.unknownProduct),
    ]

    /// Records that the server starts and serves the catalog it found.
    package func start(at date: Date) {
        Meter(.processStartTime, in: registry).set(date.timeIntervalSince1970)
        lastReload.set(1)
    }

    /// - Parameter kind: `nil` if the text was no kind of receipt.
    package func count(_ answer: ReceiptAnswer, of kind: Receipt.Kind?) {
        let labels = ReceiptLabels(kind: kind, status: answer.status, reason: answer.rejection)
        receipts.counter(labels) { Counter(.receipts, labels.texts, in: registry) }.increment()
        for transaction in answer.transactions { count(transaction.outcome, 1) }
    }

    private func count(_ outcome: Outcome, _ number: Int) {
        transactions.counter(outcome) { Counter(.transactions, outcome.labels, in: registry) }.increment(by: number)
    }

    package func asked(_ result: VerificationResult<some Sendable>, took time: Duration) {
        store[StoreResult(result)]?.record(time)
    }

    /// Records a request whose key the store refused.
    package func keyRefused(took time: Duration) { store[.misconfigured]?.record(time) }

    /// The outcome of a notification that was posted.
    enum NotificationOutcome: String, CaseIterable {
        case applied
        case stored = "kept"
        case duplicate
        case rejected
    }

    func notified(version: Int, _ outcome: NotificationOutcome, _ number: Int = 1) {
        Counter(.notifications, [("version", String(version)), ("outcome", outcome.rawValue)], in: registry)
            .increment(by: number)
    }

    /// Counts a verified notification by Apple's type; those that this version does not know count together.
    package func verified(notificationOfType type: String) {
        let known = AppStoreNotification.knownTypes.contains(type) ? type : "other"
        Counter(.verifiedNotifications, [("type", known)], in: registry).increment()
    }

    /// Counts connections refused because their address had too many.
    package var connectionsRefused: Counter { Counter(.rateLimited, [("limit", "connections")], in: registry) }

    /// Counts receipts for which a budget of stored bytes had no room.
    func bytesRefused(_ kind: ReceiptBytesKind, _ number: Int = 1) {
        Counter(.rateLimited, [("limit", "\(kind.rawValue)Bytes")], in: registry).increment(by: number)
    }

    /// Counts requests for whose body there was no room.
    package var bodiesRefused: Counter { Counter(.rateLimited, [("limit", "bodies")], in: registry) }
    package var unsentEnded: Counter { Counter(.rateLimited, [("limit", "unsent")], in: registry) }

    /// Measured by servers with TLS of their own alone.
    package var certificateNotAfter: Meter { Meter(.certificateNotAfter, in: registry) }

    /// Counts requests that a rate limit refused; exported from the start, at 0.
    func rateLimited(_ limit: RateLimit) -> Counter { Counter(.rateLimited, [("limit", limit.rawValue)], in: registry) }

    package func committed(_ commit: Commit) {
        writesOfCommit.record(commit.writes.count)
        for times in commit.writes {
            write.wait.record(times.wait)
            write.work.record(times.work)
            write.commit.record(times.commit)
        }
    }

    /// Records whether a changed catalog is served or was refused.
    func catalogReloaded(_ isServed: Bool) {
        lastReload.set(isServed ? 1 : 0)
        if !isServed { reloadFailures.increment() }
    }

    /// The metrics in the text format of Prometheus.
    ///
    /// - Parameter pending: `nil` if the ledger could not be read; its gauges are then left out, which an alert on
    ///   `absent()` notices, and everything else is still exported.
    func exposition(_ pending: PendingReceipts?, at date: Date) -> String {
        let (count, age) = (Meter(.receiptsPending, in: registry), Meter(.oldestPendingReceiptAge, in: registry))
        if let pending {
            count.set(pending.count)
            age.set(pending.oldest.map { max(0, date.timeIntervalSince($0)) } ?? 0)
        } else {
            count.destroy()
            age.destroy()
        }
        Meter(.refusedMetrics, in: registry).set(registry.refusedMetrics)
        return registry.exposition()
    }
}

/// The labels of a receipt's counter.
private struct ReceiptLabels: Hashable, Sendable {
    var kind: Receipt.Kind?
    var status: ReceiptAnswer.Status
    var reason: ReceiptRejection.Reason?

    var texts: [(String, String)] {
        [("kind", kind?.rawValue ?? "unknown"), ("outcome", status.rawValue), ("reason", reason?.rawValue ?? "")]
    }
}

extension Outcome {
    fileprivate var labels: [(String, String)] {
        switch self {
        case .delivered: [("outcome", "delivered")]
        case .alreadyDelivered: [("outcome", "alreadyDelivered")]
        case .denied(let reason): [("outcome", "denied"), ("reason", reason.rawValue)]
        }
    }
}

/// The result of a question to the App Store.
private enum StoreResult: String, CaseIterable {
    case verified, rejected, temporary
    /// As the metric is labelled.
    case ambiguous = "doubtful"
    case misconfigured, badRequest, clock

    init(_ result: VerificationResult<some Sendable>) {
        self =
            switch result {
            case .verified: .verified
            case .rejected: .rejected
            case .unavailable(let trouble):
                switch trouble.cause {
                case .temporary: .temporary
                case .ambiguous: .ambiguous
                case .misconfigured: .misconfigured
                case .badRequest: .badRequest
                case .clock: .clock
                case .notFound: .rejected
                }
            }
    }
}

/// Counters by key, each created once, so that its labels are not built and looked up for each event.
final class CounterCache<Key: Hashable & Sendable>: Sendable {
    /// The maximum number of counters that are held: more than a server has label values. Further ones are created each
    /// time.
    private let limit = 1_024
    private let counters = Mutex<[Key: Counter]>([:])

    func counter(_ key: Key, make: () -> Counter) -> Counter {
        if let known = counters.withLock({ $0[key] }) { return known }
        let counter = make()
        counters.withLock { if $0.count < limit { $0[key] = counter } }
        return counter
    }
}
