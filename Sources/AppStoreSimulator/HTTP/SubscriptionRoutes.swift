import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

/// The routes for events of subscriptions: `/simulator/v1/subscriptions/{id}/…`.
struct SubscriptionRoutes: Sendable {
    private struct Plan: Decodable {
        struct Act: Decodable {
            var act: String
            var at: String?
            var after: CalendarDuration?
            var body: JSONValue?
        }

        var acts: [Act]
    }

    private struct Planned: Encodable {
        var planned: Int
    }

    var acts: Acts

    func add(to router: RouterGroup<StoreRequestContext>) {
        for name in SubscriptionAct.names {
            router.post("subscriptions/{id}/\(name)") { request, context in
                let body = try await context.data(of: request)
                return try await acts.perform(SubscriptionAct(named: name, body, at: acts.now), context)
            }
        }
        router.post("subscriptions/{id}/plan", use: plan)
    }

    /// Plans acts, which happen when their time comes.
    @Sendable private func plan(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let plan = try await context.decode(Plan.self, from: request)
        let book = acts.counter.book
        guard let newest = try await book.outcome(of: context.id)?.newest, newest.subscription != nil else {
            throw SimulatorProblem.notFound("There is no such subscription.")
        }
        let original = newest.transaction.originalID
        let planned = try plan.acts.map { try Self.planned($0, of: original, at: acts.now) }
        let count = try await book.planned(original).saturatingAdding(planned.count)
        guard count <= SimulatorLimits.plannedActs else {
            throw SimulatorProblem.invalid("acts: at most \(SimulatorLimits.plannedActs) may be planned")
        }
        try await book.plan(planned)
        return try .json(Planned(planned: count), status: .accepted)
    }

    private static func planned(_ act: Plan.Act, of original: TransactionID, at now: Date) throws -> PlannedAct {
        let date: Date? =
            switch (act.at, act.after) {
            case (let text?, nil): Date(rfc3339: text)?.wholeMilliseconds
            case (nil, let duration?): duration.end(from: now).wholeMilliseconds
            default: nil
            }
        guard let date, date > now else {
            throw SimulatorProblem.invalid("Either at, a time to come, or after, a duration, is needed.")
        }
        let body = try act.body.map { try JSONEncoder().encode($0) } ?? Data()
        if act.act == TransactionAct.refund {
            _ = try Refund(body)
        } else {
            _ = try SubscriptionAct(named: act.act, body, at: date)
        }
        return PlannedAct(original: original, name: act.act, date: date, body: body)
    }
}
