import AppStore
import Foundation
import InAppPurchase
import Ledger
import Logging
import ServerCore
import ServerHTTP
import StoreClient

/// Asks the App Store for what deliveries and transfers have queued: to finish transactions, and to name new owners.
struct StoreTaskRunner: Sendable {
    /// The number of tasks that are run concurrently.
    static let atOnce = 16
    /// The maximum number of batches in one round, so that the rest of the worker's duties have their turn.
    static let batchesPerRound = 50
    static let attemptTime = Duration.seconds(30)
    /// In seconds; longer than ``attemptTime``.
    static let lease: TimeInterval = 60

    let ledger: any StoreLedger
    let decisions: ServingContext
    let api: AppStoreServerClient
    let keys: StoreKeys
    let random: RandomBytes
    let logger: Logger

    /// Runs the tasks that are due, until none is left or the App Store does not answer.
    func runDueTasks() async {
        do {
            for _ in 0..<Self.batchesPerRound {
                let now = decisions.clock()
                let due = try await ledger.dueStoreTasks(
                    limit: Self.atOnce, lease: now.addingTimeInterval(Self.lease), at: now)
                let isAnswered = await withTaskGroup(of: Bool.self) { group in
                    for task in due { group.addTask { await run(task) } }
                    return await group.reduce(true) { $0 && $1 }
                }
                guard isAnswered, due.count == Self.atOnce else { return }
            }
        } catch {
            logger.error("tasks for the App Store could not be read", metadata: ["error": "\(error)"])
        }
    }

    /// - Returns: whether the task is completed; otherwise it is run again later.
    private func run(_ task: StoreTask) async -> Bool {
        do {
            guard let outcome = try await outcome(of: task) else { return false }
            guard try await ledger.complete(task, outcome, at: decisions.clock()) else { return true }
            logger.info(
                "task for the App Store completed", metadata: task.metadata.merging(["outcome": "\(outcome)"]) { $1 })
            return true
        } catch {
            logger.error("task for the App Store still waits", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// The outcome of a task; `nil` if it was postponed.
    private func outcome(of task: StoreTask) async throws -> StoreTask.Outcome? {
        let context = decisions.context
        let (kind, app) = (task.key.kind, task.key.app)
        if kind == .finish, context.catalog.app(app)?.finishFromServer != true { return .switchedOff }
        guard let key = await keys.key(for: app) else { return .withoutKey }
        guard !task.isTooLate(at: context.date) else { return .tooLate }
        let call = api.asking(for: key, in: task.key.environment, within: Self.attemptTime, at: context.date)
        do throws(AppStoreServerError) {
            switch kind {
            case .finish: try await call.finish(task.key.id)
            case .setAccountToken: try await call.set(appAccountToken: task.account.uuid, of: task.key.id)
            }
            return .done
        } catch .unavailable(let trouble) {
            return try await postpone(task, trouble) ? nil : .refused
        } catch {
            return .refused
        }
    }

    /// - Returns: whether another attempt is of any use.
    private func postpone(_ task: StoreTask, _ trouble: Unavailability) async throws -> Bool {
        let now = decisions.clock()
        guard let retry = RetryPlan(after: task.attempts, trouble, at: now, random) else { return false }
        if task.attempts.count == 0 {
            logger.warning(
                "the App Store does not take a task now",
                metadata: task.metadata.merging(["detail": "\(trouble.detail)"]) { $1 })
        }
        try await ledger.postpone(task, attempts: retry.attempts, until: now.addingTimeInterval(retry.delay))
        return true
    }
}

extension StoreTask {
    fileprivate var metadata: Logger.Metadata {
        [
            "task": "\(key.kind)", "app": "\(key.app)", "environment": "\(key.environment.rawValue)",
            "transaction": "\(key.id)",
        ]
    }
}
