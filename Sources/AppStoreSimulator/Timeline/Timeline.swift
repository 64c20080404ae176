import Basics
import Foundation
import InAppPurchase
import Logging

/// Performs what is due by the simulator's clock: renewals and ends of subscriptions, and planned acts. Each happens at
/// its own date, in the order of the dates, whenever the simulator gets to it.
struct Timeline: Sendable {
    /// The maximum number of events in one go; what remains happens at the next request, or a second later. A year of
    /// 190 weekly subscriptions.
    static let maximumEvents = 10_000

    var performer: Performer
    var logger: Logger
    private let queue = SerialQueue()

    init(performer: Performer, logger: Logger) {
        self.performer = performer
        self.logger = logger
    }

    private var book: PurchaseBook { performer.book }

    /// Adds what other processes that share the store have added to theirs.
    func readAgenda() async throws { try await book.readAgenda() }

    /// Returns when all that is due has happened.
    func catchUp(to now: Date) async throws {
        // What is not on the agenda any more may still be happening.
        let isDue = await book.agenda.next(at: now) != nil
        let isBusy = await queue.isBusy
        guard isDue || isBusy else { return }
        try await queue.run {
            for _ in 0..<Self.maximumEvents {
                guard let (item, _) = await book.agenda.next(at: now) else { return }
                switch item {
                case .plannedAct(let key): try await performPlannedAct(key)
                case .subscription(let id): try await advance(id, to: now)
                }
            }
        }
    }

    private func advance(_ id: TransactionID, to now: Date) async throws {
        let newest = try await book.outcome(of: id)?.newest
        // Another process that shares the store may have been faster.
        guard let newest, let event = newest.nextEvent, event.date <= now else {
            return await book.agenda.set(newest?.nextEvent?.date, for: .subscription(id))
        }
        let earliest = newest.subscription?.renewal.signedDate ?? event.date
        guard try await performer.perform(event.act, on: id, at: max(event.date, earliest)) != nil else {
            return await book.agenda.set(nil, for: .subscription(id))
        }
    }

    private func performPlannedAct(_ key: String) async throws {
        guard let planned = try await book.removePlannedAct(key) else { return }
        do {
            try await perform(planned)
        } catch let problem as SimulatorProblem {
            logger.warning(
                "A planned act is not possible", metadata: ["act": "\(planned.name)", "reason": "\(problem.detail)"])
        }
    }

    private func perform(_ planned: PlannedAct) async throws {
        let date = planned.date
        guard planned.name != TransactionAct.refund else {
            let refund = try Refund(planned.body)
            guard let newest = try await book.outcome(of: planned.original)?.newest else { return }
            _ = try await performer.change(newest.transaction.id, .refund, at: date) {
                try refund.apply(to: &$0, at: $1)
            }
            return
        }
        let act = try SubscriptionAct(named: planned.name, planned.body, at: date)
        _ = try await performer.perform(act, on: planned.original, at: date)
    }
}

/// An act that a test planned: it happens by itself when its time comes.
struct PlannedAct: Codable, Sendable {
    /// The subscription's original transaction.
    var original: TransactionID
    /// The name in the path of the act's route: `price-increase`.
    var name: String
    var date: Date
    /// The JSON body of its route; empty for none.
    var body: Data
}
