package import AppStore
import Basics
package import Foundation
import InAppPurchase
import Ledger
import Logging
package import ServerCore
import ServerHTTP
import StoreClient

/// Fetches notifications that were missed, and asks about subscriptions without an update.
package struct Reconciler: Sendable {
    /// The time, in seconds, before the last reconciliation that is read again: the App Store repeats a notification
    /// for five days.
    static let overlap: TimeInterval = 3_600
    /// In seconds. The App Store keeps notifications for 180 days, in the sandbox for 30; a day less, since its clock
    /// differs.
    static let oldest: [InAppPurchase.Environment: TimeInterval] = [.production: 179 * 86_400, .sandbox: 29 * 86_400]
    /// In seconds. A server that starts for the first time has missed nothing older.
    static let first: TimeInterval = 7 * 86_400
    static let subscriptionsPerRound = 200
    static let timePerQuestion = Duration.seconds(60)

    let ledger: any ReceiptLedger & StoreLedger & KeyValueStore
    let decisions: ServingContext
    package let api: AppStoreServerClient
    package let keys: StoreKeys
    let reader: NotificationReader
    let notifications: NotificationRecorder
    let logger: Logger

    /// Reconciles all apps that have a key once.
    ///
    /// - Parameter since: `nil` for the time of the last reconciliation.
    /// - Throws: what the ledger throws.
    package func reconcile(since: Date? = nil) async throws -> ReconciliationFindings {
        var findings = ReconciliationFindings()
        for app in decisions.context.catalog.apps {
            guard let key = await keys.key(for: app.bundleID) else { continue }
            for environment in [InAppPurchase.Environment.production, .sandbox] {
                findings += try await fetchNotifications(with: key, in: environment, since: since)
            }
        }
        findings += try await askAboutSubscriptionsAwaitingUpdate()
        if findings.failures == 0 {
            logger.info("reconciled with the App Store", metadata: findings.metadata)
        } else {
            logger.warning("not everything was reconciled with the App Store", metadata: findings.metadata)
        }
        return findings
    }

    private func fetchNotifications(
        with key: AppStoreServerKey, in environment: InAppPurchase.Environment, since: Date?
    ) async throws -> ReconciliationFindings {
        var findings = ReconciliationFindings()
        let now = decisions.clock()
        let mark = ReconciliationMark(app: key.bundleID, environment: environment)
        let last = try await mark.read(from: ledger) ?? now.addingTimeInterval(-Self.first)
        let oldest = now.addingTimeInterval(-(Self.oldest[environment] ?? Self.first))
        var filter = NotificationFilter(from: max(oldest, since ?? last.addingTimeInterval(-Self.overlap)), to: now)
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
        // Whatever could not be recorded is read again next time, from the same date.
        if findings.failures == 0 { try await mark.write(now, to: ledger) }
        return findings
    }

    private func apply(_ signedPayload: String) async -> ReconciliationFindings {
        do {
            let observation = try await notifications.record { context in
                try await reader.read(signedPayload: signedPayload, in: context)
            }
            guard let observation else { return ReconciliationFindings() }
            return ReconciliationFindings(notifications: 1, transactions: observation.changed)
        } catch is NotificationRejection {
            // Another attempt would not help; the rejection is in the log.
            return ReconciliationFindings()
        } catch {
            logger.error("App Store notification could not be recorded", metadata: ["error": "\(error)"])
            return ReconciliationFindings(failures: 1)
        }
    }

    private func askAboutSubscriptionsAwaitingUpdate() async throws -> ReconciliationFindings {
        var findings = ReconciliationFindings()
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
        async -> ReconciliationFindings
    {
        do {
            let observation = try await ledger.observe(facts, cause: "history \(original.originalID)", in: context)
            return ReconciliationFindings(transactions: observation.changed)
        } catch {
            logger.error("facts from the App Store could not be recorded", metadata: ["error": "\(error)"])
            return ReconciliationFindings(failures: 1)
        }
    }
}

extension ReconciliationFindings {
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
