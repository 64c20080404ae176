import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import TestSupport
import Testing

@testable import AdminPages
@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The operator asks the App Store for a test notification, and learns whether it came.
@Suite struct NotificationTestTests {
    private static let path = "/admin/v1/apps/\(World.app)/test-notification"

    private static func ask(_ world: World, as admin: Player, _ query: String = "") async throws -> Answer {
        try await world.call(.post, path + query, ["reason": "ticket 7"], as: admin)
    }

    private static func last(
        _ world: World, in environment: InAppPurchase.Environment = .production
    ) async throws -> TestNotificationRecord? {
        try await TestNotifications(ledger: world.ledger).last(of: BundleID(stored: World.app), in: environment)
    }

    /// Asks until it has come: the simulated App Store sends it apart from its answer.
    private static func waitForArrival(
        _ world: World, in environment: InAppPurchase.Environment = .production
    ) async throws {
        try await poll("the test notification arrives") { try await last(world, in: environment)?.arrivedAt != nil }
    }

    @Test(arguments: [("", InAppPurchase.Environment.production), ("?environment=Sandbox", .sandbox)])
    func `A test notification that arrives is recorded`(query: String, environment: InAppPurchase.Environment)
        async throws
    {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL(world.notificationURL)
            let admin = try await world.newAdmin(name: "bob")
            #expect(try await world.alarm(.testNotification)["detail"].text?.hasPrefix("None was asked for") == true)
            let answer = try await Self.ask(world, as: admin, query)
            #expect(answer.status == 200 && answer.json["token"].text?.isEmpty == false, "\(answer)")
            #expect(answer.json["app"].text == World.app && answer.json["environment"].text == environment.rawValue)
            #expect(answer.json["requestedAt"].text == World.start.rfc3339)
            try await Self.waitForArrival(world, in: environment)
            let alarm = try await world.alarm(.testNotification)
            #expect(alarm["level"] == "good" && alarm["detail"].text == "The last one came.")
            let row = try await world.ledger.auditRows(after: 0, limit: 100).first {
                $0.kind == "notification.testRequested"
            }
            #expect(row?.actor == "admin:bob" && row?.json["environment"].text == environment.rawValue)
            world.clock.advance(by: Overview.maximumTestAge + 1)
            #expect(try await world.alarm(.testNotification)["detail"].text?.hasPrefix("None was asked for") == true)
        }
    }

    /// The most common error: the address in App Store Connect is not the server's.
    @Test func `A test notification that never arrives is an alarm`() async throws {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL()
            let admin = try await world.newAdmin()
            #expect(try await Self.ask(world, as: admin).status == 200)
            let waiting = try await world.alarm(.testNotification)
            #expect(waiting["level"] == "waiting" && waiting["count"] == 1)
            #expect(waiting["detail"].text == "That of com.example.hangman in Production is on its way.")
            world.clock.advance(by: Overview.maximumTestDelay + 1)
            let missing = try await world.alarm(.testNotification)
            #expect(missing["level"] == "bad" && missing["since"].text == World.start.rfc3339)
            #expect(missing["detail"].text == "That of com.example.hangman in Production never arrived.")
            #expect(missing["remedy"].text == Alarm.Kind.testNotification.remedy)
            #expect(try await world.scrapeAlarm(.testNotification) == ["2", "1", "301"])
            let kinds = Alarm.Kind.allCases
            let place = try #require(kinds.firstIndex(of: .testNotification))
            let others = try [.noNotifications, .unavailableProducts, .catalogRefused].map {
                try #require(kinds.firstIndex(of: $0))
            }
            #expect(others.allSatisfy { place < $0 })

            // What the server fetches by itself has not come; what the store sends has, however late.
            _ = try await world.assembly.store.reconcile(since: World.start - 60)
            #expect(try await world.alarm(.testNotification)["level"] == "bad")
            let reported = try #require(try await world.signedPayloads().last)
            #expect(try await world.receive(reported).status == 200)
            #expect(try await world.alarm(.testNotification)["level"] == "good")
        }
    }

    /// Anybody may send again what the store sent once: it is not the test that was asked for since.
    @Test func `An earlier test notification does not prove that the new one came`() async throws {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL()
            let admin = try await world.newAdmin()
            #expect(try await Self.ask(world, as: admin).status == 200)
            let reported = try #require(try await world.signedPayloads().last)
            world.clock.advance(by: TestNotifications.clockTolerance + 1)
            #expect(try await Self.ask(world, as: admin).status == 200)
            #expect(try await world.receive(reported).status == 200)
            #expect(try await Self.last(world)?.arrivedAt == nil)
        }
    }

    @Test func `The reason why the store sends no test notification is reported`() async throws {
        try await World.run(hasServerKey: true) { world in
            let admin = try await world.newAdmin()
            // The simulated App Store has no address yet.
            let answer = try await Self.ask(world, as: admin)
            answer.expect(.init(409, "test_refused", reason: "noURL"))
            #expect(answer.json["detail"].text?.contains("4040007") == true, "\(answer)")
            let alarm = try await world.alarm(.testNotification)
            #expect(alarm["level"] == "bad" && alarm["detail"].text?.contains("4040007") == true, "\(alarm)")
            // The cause of the alarm is in the trail.
            let rows = try await world.auditRows(of: "notification.testRequested")
            let isExplained = rows.first.map { $0.contains(#""reason":"ticket 7""#) && $0.contains("4040007") }
            #expect(rows.count == 1 && isExplained == true, "\(rows)")
            // A store that does not answer changes nothing.
            let before = try await Self.last(world)
            _ = try await world.act("faults", ["http": 503])
            try await Self.ask(world, as: admin).expect(.init(503, "store_unavailable"))
            #expect(try await Self.last(world) == before)
            try await Self.ask(world, as: admin, "?environment=Xcode").expect(.invalid)
            try await Self.ask(world, as: admin, "?environmnet=Sandbox").expect(.init(422, "invalid_request"))
            try await world.call(
                .post, "/admin/v1/apps/com.example.go/test-notification", ["reason": "ticket 7"], as: admin
            ).expect(.init(404, "unknown_app"))
        }
        try await World.run { world in
            try await Self.ask(world, as: world.newAdmin()).expect(.init(409, "test_refused", reason: "noKey"))
            #expect(try await Self.last(world) == nil)
            #expect(try await world.alarm(.testNotification)["level"] == "good")
        }
    }

    private static func words(_ world: World) -> String { PageTime(world.clock.now, now: world.clock.now).text }

    /// Nobody waits for the test of an app that is no longer served: neither a server nor the command has an alarm
    /// about it.
    @Test func `An app that left the catalog is no alarm`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            var record = TestNotificationRecord(("com.example.gone", .production), requestedAt: world.clock.now)
            record.refusal = "4040007 ServerNotificationURLNotFound"
            try await TestNotifications(ledger: world.ledger).set(record)
            #expect(try await world.alarm(.testNotification)["level"] == "good")
            let page = try await world.visitor(.read).get("/admin/store").html
            #expect(!page.contains("com.example.gone") && !page.contains("notice bad"), "\(page)")
            let catalog = world.assembly.store.decisions.context.catalog
            for (catalog, level) in [(catalog, Alarm.Level.good), (nil, .bad)] {
                let overview = try await Overview(
                    world.ledger, withServersAt: world.clock.now, catalog: { catalog })
                #expect(overview.alarms.first { $0.kind == .testNotification }?.level == level)
            }
        }
    }

    /// A request has a reason, and a dry run says what is and what would be.
    @Test func `A test notification is audited with its reason, and a dry run asks for none`() async throws {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL()
            let admin = try await world.newAdmin(name: "bob")
            let dry = try await world.call(.post, Self.path + "?dryRun=true", ["reason": "ticket 7"], as: admin)
            let nothing: JSONValue = ["requestedAt": .null, "arrivedAt": .null, "refusal": .null]
            let asked: JSONValue = [
                "requestedAt": .string(World.start.rfc3339), "arrivedAt": .null, "refusal": .null,
            ]
            #expect(dry.status == 200 && dry.json == ["before": nothing, "after": asked, "dryRun": true], "\(dry)")
            #expect(try await Self.last(world) == nil)
            #expect(try await world.signedPayloads().isEmpty, "the store was asked")
            let rows = { try await world.auditRows(of: "notification.testRequested") }
            #expect(try await rows().isEmpty)
            #expect(try await world.call(.post, Self.path, ["reason": " ticket 7"], as: admin).status == 200)
            #expect(try await rows().map { $0.contains(#""reason":"ticket 7""#) } == [true])
            let second = try await Self.ask(world, as: admin, "?dryRun=true")
            #expect(second.json["before"] == asked && second.json["after"] == asked, "\(second)")
            for query in ["", "?dryRun=true"] {
                try await world.call(.post, Self.path + query, as: admin).expect(.invalid)
            }
            for reason in ["", " ", "a\u{7}", String(repeating: "x", count: SupportAct.maximumReasonCharacters + 1)] {
                for query in ["", "?dryRun=true"] {
                    let refused = try await world.call(.post, Self.path + query, ["reason": .string(reason)], as: admin)
                    refused.expect(.init(422, "invalid_request"))
                }
            }
            try await Self.ask(world, as: admin, "?dryRun=maybe").expect(.invalid)
            try await world.call(.post, Self.path, ["reason": 7], as: admin).expect(.invalid)
            #expect(try await rows().count == 1)
        }
        try await World.run { world in
            try await Self.ask(world, as: world.newAdmin(), "?dryRun=true")
                .expect(.init(409, "test_refused", reason: "noKey"))
        }
    }

    @Test func `The page of the store asks for a test notification and shows its state`() async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: true) { world in
            try await world.setNotificationURL(world.notificationURL)
            let alice = try await world.visitor(.write)
            #expect(try await alice.get("/admin/store").html.contains("No test notification was asked for."))
            let path = "/admin/store/test-notification?app=\(World.app)&environment=Sandbox"
            let before = try await alice.get(path).html
            #expect(before.contains("asked for: no; came: no; refused: no"), "\(before)")
            #expect(before.contains("asked for: \(Self.words(world)); came: no; refused: no"), "\(before)")
            let unexplained = try await alice.submit(path, [("reason", " ")])
            #expect(unexplained.status == 422 && unexplained.html.contains("A reason is required"), "\(unexplained)")
            #expect(try await world.auditRows(of: "notification.testRequested").isEmpty)
            let sent = try await alice.submit(path, [("reason", "ticket 9: none came")])
            #expect(try await world.auditRows(of: "notification.testRequested").first?.contains("ticket 9") == true)
            #expect(sent.status == 303 && sent.headers[.location] == "/admin/store?done=asked#tests", "\(sent.html)")
            try await Self.waitForArrival(world, in: .sandbox)
            let page = try await alice.get("/admin/store?done=asked").html
            #expect(page.contains("A test notification is on its way.") && page.contains("Came"), "\(page)")
            let reader = try await world.visitor(.read, name: "bob")
            #expect(try await !reader.get("/admin/store").html.contains("Ask for a test notification"))
        }
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            #expect(try await !alice.get("/admin/store").html.contains("Ask for a test notification"), "no key")
        }
    }
}
