import Foundation
import InAppPurchase
import Ledger
import ServerTestSupport
import Synchronization
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// The store has a root that this server does not know: whatever it signs is refused.
@Suite struct RefusedSignatureTests {
    private static let root = "the root is not known: CN=Root"

    @Test func `Receipts of an unknown root are an alarm that names it, until most are good`() async throws {
        try await World.run { world in
            let (authority, player) = (try SigningAuthority(), try await world.newPlayer())
            let genuine = try await world.buy("hardwords", "non-consumable").signedTransaction
            #expect(try await world.post(genuine, as: player).status == 200)
            for _ in 1...SignatureWatch.minimumRefusals {
                #expect(try await world.alarm(.receiptsRejected)["level"] == "good")
                let answer = try await world.post(authority.jws(SigningAuthority.transaction()), as: player)
                #expect(answer.status == 422 && answer.json["reason"] == "chain", "\(answer)")
            }
            #expect(try await world.post("garbage", as: player).status == 422)
            let alarm = try await world.alarm(.receiptsRejected)
            #expect(alarm["level"] == "bad" && alarm["count"] == 5, "\(alarm)")
            #expect(
                alarm["detail"].text == "Refused within an hour: 5 of 6 receipts; the last: chain, \(Self.root)",
                "\(alarm)")
            #expect(alarm["remedy"].text == Alarm.Kind.receiptsRejected.remedy)
            #expect(try await world.scrapeAlarm(.receiptsRejected) == ["2", "5", "0"])
            for _ in 1...SignatureWatch.minimumRefusals {
                #expect(try await world.post(genuine, as: player).status == 200)
            }
            #expect(try await world.alarm(.receiptsRejected)["level"] == "good", "5 of 11")
            #expect(try await world.scrapeAlarm(.receiptsRejected) == ["0", "0", "0"])
        }
    }

    /// The address in App Store Connect is right then.
    @Test func `Notifications that are refused are not taken for silence`() async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: true) { world in
            try await world.setNotificationURL()
            let asked = World.start - Overview.maximumTestDelay - 1
            let test = TestNotificationRecord((BundleID(stored: World.app), .production), requestedAt: asked)
            try await TestNotifications(ledger: world.ledger).set(test)
            let (authority, player) = (try SigningAuthority(), try await world.newPlayer())
            let bought = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            for kind in [Alarm.Kind.noNotifications, .testNotification] {
                #expect(try await world.alarm(kind)["level"] == "bad")
            }
            for _ in 1...SignatureWatch.minimumRefusals {
                let answer = try await world.receive(authority.jws(SigningAuthority.transaction()))
                #expect(answer.status == 422 && answer.json["reason"] == "chain", "\(answer)")
            }
            let silence = try await world.alarm(.noNotifications)
            #expect(silence["level"] == "waiting" && silence["remedy"] == .null, "\(silence)")
            #expect(silence["detail"].text == "What comes is refused, although there are purchases: \(World.app)")
            #expect(try await world.alarm(.testNotification)["level"] == "waiting")
            let page = try await world.visitor(.read).get("/admin").html.unescaped
            #expect(page.contains("5 refused") && page.contains(Alarm.Kind.receiptsRejected.remedy), "\(page)")
            #expect(!page.contains(Alarm.Kind.noNotifications.remedy))
            try await Self.expectCommandsKnow(world)
            let reported = try #require(try await world.signedPayloads().last)
            #expect(try await world.receive(reported).status == 200)
            #expect(try await world.alarm(.noNotifications)["level"] == "good")
            world.clock.advance(by: SignatureWatch.window + SignatureWatch.slotTime)
            #expect(try await world.alarm(.receiptsRejected)["level"] == "good")
        }
    }

    /// They read it in the ledger, where the server writes it each minute.
    private static func expectCommandsKnow(_ world: World) async throws {
        let watch = try #require(world.assembly.services.compactMap { $0 as? OverviewWatch }.first)
        await watch.runOnce()
        let now = world.clock.now
        let overview = try await Overview(world.ledger, withServersAt: now) { nil }
        #expect(overview.bad.map(\.kind) == [.receiptsRejected])
        let counts = "Refused within an hour: 5 of 5 notifications; the last: chain, \(root)"
        #expect(overview.bad.first?.detail == counts)
        #expect(overview.alarms.first { $0.kind == .noNotifications }?.level == .waiting)
        let listed = try await Alarm.ofNotifications(world.ledger, at: now) { nil }
        #expect(listed.map(\.kind) == [.receiptsRejected])
        let later = try await Alarm.ofNotifications(world.ledger, at: now + ServerState.maximumAge + 1) { nil }
        #expect(later.map(\.kind) == [.testNotification, .noNotifications], "an old state says nothing")
    }

    private func slots(of watch: SignatureWatch) -> Int { watch.state.withLock { $0.counts.count } }

    /// Forgeries that are sent for days fill no memory, and are forgotten an hour later.
    @Test func `Only the last hour is counted`() {
        let (watch, forged) = (SignatureWatch(), ReceiptRejection(.signature))
        for number in 0..<1_000 {
            let date = World.start + Double(number) * SignatureWatch.slotTime
            watch.record(.receipts, forged, at: date)
            watch.record(.notifications, nil, at: date)
            watch.record(.receipts, ReceiptRejection(.malformed), at: date)
        }
        let last = World.start + 999 * SignatureWatch.slotTime
        #expect(watch.summary(at: last).counts[.receipts] == SignatureWatch.Count(all: 12, refused: 12))
        #expect(watch.summary(at: last).counts[.notifications] == SignatureWatch.Count(all: 12, refused: 0))
        #expect(watch.summary(at: last + SignatureWatch.window).counts.isEmpty)
        #expect(slots(of: watch) == 12)
        // A clock that is set back begins anew.
        watch.record(.receipts, forged, at: World.start)
        #expect(slots(of: watch) == 1)
    }
}
