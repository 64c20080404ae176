import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

/// The routes of the simulator's clock: `/simulator/v1/clock`.
struct ClockRoutes: Sendable {
    private struct Setting: Decodable {
        var offsetSeconds: Double?
        var advanceSeconds: Double?
    }

    private struct Answer: Encodable {
        var now: String
        var offsetSeconds: Double
    }

    var clock: SimulatorClock
    var timeline: Timeline
    var outbox: Outbox

    func add(to router: RouterGroup<StoreRequestContext>) {
        router.get("clock") { _, _ in try answer() }
        router.post("clock") { request, context in
            let setting = try await context.decode(Setting.self, from: request)
            switch (setting.offsetSeconds, setting.advanceSeconds) {
            case (let offset?, nil): return try await set(offset)
            case (nil, let seconds?): return try await set(clock.offset + seconds)
            default: throw SimulatorProblem.invalid("Either offsetSeconds or advanceSeconds is needed.")
            }
        }
        router.delete("clock") { _, _ in try await set(0) }
    }

    private func set(_ offset: TimeInterval) async throws -> Response {
        guard try await clock.set(offset: offset) else {
            throw SimulatorProblem.invalid("The offset is to be a hundred years at most.")
        }
        try await timeline.catchUp(to: clock.now.wholeMilliseconds)
        // Notifications that have become due are sent at once.
        await outbox.look()
        return try answer()
    }

    private func answer() throws -> Response { try .json(Answer(now: clock.now.rfc3339, offsetSeconds: clock.offset)) }
}
