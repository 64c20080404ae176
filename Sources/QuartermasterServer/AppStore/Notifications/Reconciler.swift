import AppStore
import Basics
import Foundation
import InAppPurchase
import Ledger
import Logging
import StoreClient

/// Fetches notifications that were missed, and asks about subscriptions without an update.
struct Reconciler: Sendable {
    /// The findings that were not known before.
    struct Findings: Codable, Sendable {
        /// Notifications that had not arrived.
        var notifications = 0
        /// Subscriptions that expired without an update, and that were asked about.
        var subscriptionsAsked = 0
        /// Transactions that were not known, or had changed.
        var transactions = 0
        /// Requests that failed, and notifications that could not be recorded; they are tried again next time.
        var failures = 0

        static func += (left: inout Findings, right: Findings) {
            left.notifications += right.notifications
            left.subscriptionsAsked += right.subscriptionsAsked
            left.transactions += right.transactions
            left.failures += right.failures
        }
    }

    /// In seconds. The App Store repeats a notification for five days; the time before the last reconciliation is read
    /// again for so long.
    static let overlap: TimeInterval = 3_600
    /// In seconds. The App Store keeps notifications for 180 days, in the sandbox for 30; a day less, since its clock
    /// differs.
    static let oldest: [InAppPurchase.Environment: TimeInterval] = [.production: 179 * 86_400, .sandbox: 29 * 86_400]
    /// In seconds. A server that starts for the first time has missed nothing older.
    static let first: TimeInterval = 7 * 86_400
    static let subscriptionsPerRound = 200
    static let timePerQuestion = Duration.seconds(60)

    let ledger: any Ledger
    let decisions: ServingContext
    let api: AppStoreServerClient
    let keys: StoreKeys
    let notifications: NotificationIntake
    let logger: Logger

    /// Reconciles all apps that have a key once.
    ///
    /// - Parameter since: `nil` for the time of the last reconciliation.
    /// - Throws: what the ledger throws.
    func reconcile(since: Date? = nil) async throws -> Findings {
        var findings = Findings()
        for app in decisions.context.catalog.apps {
            guard let key = await keys.key(for: app.bundleID) else { continue }
            for environment in [InAppPurchase.Environment.production, .sandbox] {
                findings += try await fetchNotifications(with: key, in: environment, since: since)
            }
        }
        findings += try await askAboutSubscriptionsAwaitingUpdate()
        logger.info("reconciled with the App Store", metadata: findings.metadata)
        return findings
    }

    private func fetchNotifications(
        with key: AppStoreServerKey, in environment: InAppPurchase.Environment, since: Date?
    ) async throws -> Findings {
        var findings = Findings()
        let now = decisions.clock()
        let mark = ReconciliationMark(app: key.bundleID, environment: environment)
        let last = try await mark.read(from: ledger) ?? now.addingTimeInterval(-Self.first)
        let oldest = now.addingTimeInterval(-(Self.oldest[environment] ?? Self.first))
        var filter = NotificationFilter(
            from: max(oldest, since ?? last.addingTimeInterval(-Self.overlap)), to: now)
        filter.subject = .everything
        var continuation: String?
        repeat {
            let call = api.asking(for: key, in: environment, within: Self.timePerQuestion, at: now)
            do throws(AppStoreServerError) {
                let page = try await call.notifications(matching: filter, from: continuation)
                for signedPayload in page.signedPayloads { findings += await apply(signedPayload) }
                // An interrupted history is read again next time, from the same date.
                guard page.interruption == nil else { return findings.failed(at: key, page.interruption, logger) }
                continuation = page.continuation
            } catch .unavailable(let trouble) {
                return findings.failed(at: key, trouble, logger)
            } catch {
                return findings.failed(at: key, nil, logger)
            }
        } while continuation != nil
        // What could not be recorded is read again next time, from the same date.
        if findings.failures == 0 { try await mark.write(now, to: ledger) }
        return findings
    }

    private func apply(_ signedPayload: String) async -> Findings {
        do {
            guard let observation = try await notifications.accept(signedPayload: signedPayload) else {
                return Findings()
            }
            return Findings(notifications: 1, transactions: observation.news)
        } catch is ReceiptRejection {
            // Another attempt would not help; the rejection is in the log.
            return Findings()
        } catch {
            logger.error("App Store notification could not be recorded", metadata: ["error": "\(error)"])
            return Findings(failures: 1)
        }
    }

    private func askAboutSubscriptionsAwaitingUpdate() async throws -> Findings {
        var findings = Findings()
        for doubt in try await ledger.subscriptionsAwaitingUpdate(
            limit: Self.subscriptionsPerRound, at: decisions.clock())
        {
            guard let key = await keys.key(for: doubt.original.app) else { continue }
            let context = decisions.context
            let call = api.asking(
                for: key, in: doubt.original.environment, within: Self.timePerQuestion, at: context.date)
            findings.subscriptionsAsked += 1
            do throws(AppStoreServerError) {
                var facts = try await call.history(of: doubt.original.originalID).answer.receipt
                facts.renewals = try await call.subscriptions(of: doubt.original.originalID).receipt.renewals
                findings += await observe(facts, of: doubt.original, in: context)
            } catch .unavailable(let trouble) {
                return findings.failed(at: key, trouble, logger)
            } catch {
                findings.failures += 1
            }
        }
        return findings
    }

    private func observe(_ facts: VerifiedReceipt, of original: OriginalTransaction.Key, in context: RecordingContext)
        async
        -> Findings
    {
        do {
            let observation = try await ledger.observe(facts, cause: "history \(original.originalID)", in: context)
            return Findings(transactions: observation.news)
        } catch {
            logger.error("facts from the App Store could not be recorded", metadata: ["error": "\(error)"])
            return Findings(failures: 1)
        }
    }
}

extension Reconciler.Findings {
    var metadata: Logger.Metadata {
        [
            "notifications": "\(notifications)", "linesAsked": "\(subscriptionsAsked)",
            "transactions": "\(transactions)",
            "failures": "\(failures)",
        ]
    }

    fileprivate func failed(at key: AppStoreServerKey, _ trouble: Unavailability?, _ logger: Logger) -> Self {
        logger.warning(
            "App Store Server API request failed",
            metadata: ["app": "\(key.bundleID)", "detail": "\(trouble?.detail ?? "refused")"])
        var findings = self
        findings.failures += 1
        return findings
    }
}

/// The date up to which the notification history of one app and environment was read.
private struct ReconciliationMark {
    private let name: String

    init(app: BundleID, environment: InAppPurchase.Environment) {
        name = "reconciliation/\(environment.rawValue)/\(app)"
    }

    func read(from store: any KeyValueStore) async throws -> Date? {
        try await store.value(forKey: name).flatMap { Date(rfc3339: String(decoding: $0, as: UTF8.self)) }
    }

    func write(_ date: Date, to store: any KeyValueStore) async throws {
        try await store.set([name: Data(date.rfc3339.utf8)])
    }
}
