import Foundation
import InAppPurchase
import Logging
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// An app's key that the store refuses: refunds would be missed in silence.
@Suite struct RefusedKeyTests {
    private static let misconfigured = "quartermaster_store_request_duration_seconds_count{result=\"misconfigured\"}"

    private static func worker(_ world: World) throws -> ReconciliationWorker {
        try #require(world.assembly.services.compactMap { $0 as? ReconciliationWorker }.first)
    }

    @Test func `A wrong issuer ID is an alarm, and a warning in the log`() async throws {
        let log = LogRecorder()
        let wrong = ["QUARTERMASTER_APPS_COM_EXAMPLE_HANGMAN_ISSUER_ID": UUID().uuidString]
        try await World.run(environment: wrong, hasServerKey: true, logger: log.logger(.warning)) { world in
            #expect(try await world.alarm(.storeRefusesKey)["level"] == "good")
            #expect(try await Self.worker(world).runOnce() == ReconciliationWorker.refusedInterval)
            let alarm = try await world.alarm(.storeRefusesKey)
            #expect(alarm["level"] == "bad" && alarm["count"] == 1, "\(alarm)")
            #expect(alarm["since"].text == World.start.rfc3339)
            #expect(alarm["detail"].text == "The App Store refuses the key of \(World.app)")
            #expect(alarm["remedy"].text == Alarm.Kind.storeRefusesKey.remedy)
            #expect(try await world.scrapeAlarm(.storeRefusesKey) == ["2", "1", "0"])
            #expect(try await world.scrape()[Self.misconfigured] == "1", "the first refusal may be for an unsold app")
            #expect(
                log.lines.contains { $0.hasPrefix("not everything was reconciled with the App Store failures=2") },
                "\(log.lines)")
        }
    }

    /// The token is from the future then, which the simulated App Store takes: it knows the clock of whoever asks. No
    /// restart is needed once the clock is right.
    @Test func `A clock that is ahead is named beside the refused key, until it is set`() async throws {
        try await World.run(hasServerKey: true) { world in
            let worker = try Self.worker(world)
            #expect(await worker.runOnce() == ReconciliationWorker.interval)
            _ = try await world.act("clock", ["offsetSeconds": -172_830])
            _ = try await world.act("faults", ["http": 401, "path": "/inApps"])
            #expect(await worker.runOnce() == ReconciliationWorker.refusedInterval)
            let alarm = try await world.alarm(.storeRefusesKey)
            #expect(
                alarm["detail"].text
                    == "The App Store refuses the key of \(World.app); this machine's clock is 2880 minutes ahead",
                "\(alarm)")
            _ = try await world.act("clock", ["offsetSeconds": 0])
            try await world.endFaults()
            #expect(await worker.runOnce() == ReconciliationWorker.interval)
            #expect(try await world.alarm(.storeRefusesKey)["level"] == "good")
            #expect(try await world.scrapeAlarm(.storeRefusesKey) == ["0", "0", "0"])
        }
    }

    /// Production refuses the key of an app that it does not sell yet.
    @Test func `A key that the sandbox takes is not refused`() async throws {
        try await World.run(hasServerKey: true) { world in
            _ = try await world.act("faults", ["http": 401, "path": "/production"])
            for _ in 1...2 { #expect(try await Self.worker(world).runOnce() == ReconciliationWorker.interval) }
            #expect(try await world.alarm(.storeRefusesKey)["level"] == "good")
            #expect(try await world.scrape()[Self.misconfigured] == "0")
        }
    }

    /// The question about a receipt is measured as a whole, and its requests with the key one by one.
    @Test func `A refused key is counted once for a receipt`() async throws {
        try await World.run(hasServerKey: true) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable")
            _ = try await world.act("faults", ["http": 401, "path": "/inApps"])
            let answer = try await world.post(bought.transactionID, as: player)
            #expect(answer.status == 202, "\(answer)")
            #expect(try await world.scrape()[Self.misconfigured] == "1")
            #expect(try await world.alarm(.storeRefusesKey)["level"] == "bad")
            try await world.endFaults()
            #expect(try await Self.worker(world).runOnce() == ReconciliationWorker.interval)
            #expect(try await world.alarm(.storeRefusesKey)["level"] == "good")
        }
    }
}
