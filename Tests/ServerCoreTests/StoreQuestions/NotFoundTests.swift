import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import StoreClient
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// A transaction ID that the store does not know may be that of a purchase of this minute: it is asked about for a day.
@Suite struct NotFoundTests {
    static let id = "2000000999999999"
    /// In seconds after the ID came.
    static let times: [TimeInterval] = [0, 60, 300, 1_800, 7_200, 28_800, 86_400]

    /// How often the store was asked.
    private static func questions(_ world: World) async throws -> Int {
        let name = "quartermaster_store_request_duration_seconds_count{result=\"rejected\"}"
        return Int(try await world.scrape()[name] ?? "0") ?? 0
    }

    /// Moves the clock to a time after the start, and asks about what is due.
    private static func ask(_ world: World, at time: TimeInterval) async throws {
        world.clock.advance(by: (World.start + time).timeIntervalSince(world.clock.now))
        await world.assembly.worker.askAboutDueReceipts()
    }

    @Test func `An unknown transaction ID waits for a day, and is then rejected without finish`() async throws {
        try await World.run(hasServerKey: true) { world in
            let player = try await world.newPlayer()
            let answer = try await world.post(Self.id, as: player)
            #expect(answer.status == 202 && answer.json["finish"] == false, "\(answer)")
            let id = try #require(answer.json["receipt"].text)
            for (number, time) in Self.times.enumerated().dropFirst() {
                try await Self.ask(world, at: time - 1)
                #expect(try await Self.questions(world) == number, "a second before \(time)")
                let waiting = try await world.call(.get, "/v1/receipts/\(id)", as: player).json
                #expect(waiting["status"] == "pending" && waiting["finish"] == false)
                try await Self.ask(world, at: time)
                #expect(try await Self.questions(world) == number + 1, "at \(time)")
            }
            let end = try await world.call(.get, "/v1/receipts/\(id)", as: player).json
            #expect(end["status"] == "rejected" && end["reason"] == "notFound" && end["finish"] == false, "\(end)")
            // Invented IDs page nobody.
            #expect(try await world.alarm(.receiptsWaiting)["level"] == "good")
        }
    }

    @Test func `An ID that was not found is asked about at most once an hour, and waits no second day`() async throws {
        try await World.run(hasServerKey: true) { world in
            let player = try await world.newPlayer()
            _ = try await world.post(Self.id, as: player)
            for time in Self.times.dropFirst() { try await Self.ask(world, at: time) }
            let asked = try await Self.questions(world)
            for (time, more) in [(0.0, 1), (1, 1), (3_599, 1), (3_600, 2), (3_601, 2)] {
                try await Self.ask(world, at: 86_400 + time)
                try await world.post(Self.id, as: player).expect(.rejected("notFound"), "after \(time) s")
                await world.assembly.worker.askAboutDueReceipts()
                #expect(try await Self.questions(world) == asked + more, "after \(time) s")
            }
        }
    }

    @Test
    func `An ID that is sent again while it waits is asked about at once, and waits no longer for that`() async throws {
        try await World.run(hasServerKey: true) { world in
            let player = try await world.newPlayer()
            for second in 0..<10 {
                try await Self.ask(world, at: TimeInterval(second))
                #expect(try await world.post(Self.id, as: player).status == 202)
            }
            for time in Self.times.dropFirst() { try await Self.ask(world, at: time) }
            try await world.post(Self.id, as: player).expect(.rejected("notFound"))
        }
    }

    @Test func `An outage between does not begin the day anew`() throws {
        let receipt = Receipt(
            id: "r", account: AccountID(UUID()), kind: .transactionID, content: Self.id, digest: Data([1]))
        let pending = PendingReceipt(receipt: receipt, attempts: Attempts(count: 3, ambiguous: 3))
        let plan = try #require(
            RetryPlan(after: pending, Unavailability(.temporary), at: World.start, systemRandomBytes))
        #expect(plan.attempts.ambiguous == 3)
        #expect(RetryPlan.notFoundWaits.reduce(0, +) == 86_400)
    }

    @Test func `Waiting for an ID that is not known is no alarm at any time, and an outage is`() async throws {
        try await World.run(hasServerKey: true) { world in
            let player = try await world.newPlayer()
            _ = try await world.post(Self.id, as: player)
            #expect(try await world.alarm(.receiptsWaiting)["level"] == "waiting")
            _ = try await world.act("faults", ["http": 503])
            #expect(try await world.post("2000000999999998", as: player).status == 202)
            #expect(try await world.alarm(.receiptsWaiting)["level"] == "bad")
        }
    }
}
