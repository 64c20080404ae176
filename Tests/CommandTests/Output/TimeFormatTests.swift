import Foundation
import HTTPTypes
import InAppPurchase
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// Apps get whole seconds, administrators get milliseconds.
@Suite struct TimeFormatTests {
    @Test(arguments: [
        (1_795_000_000_000, "2026-11-18T11:06:40Z", "2026-11-18T11:06:40Z"),
        (1_795_000_000_001, "2026-11-18T11:06:40Z", "2026-11-18T11:06:41Z"),
        (1_795_000_000_999, "2026-11-18T11:06:40Z", "2026-11-18T11:06:41Z"),
        (-1, "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
    ])
    func `Times are rounded down, and ends of time spans up`(milliseconds: Int, down: String, up: String) {
        let date = Date(milliseconds: milliseconds)
        #expect(TimeFormat.wholeSeconds.text(of: date, key: "at") == down)
        #expect(TimeFormat.wholeSeconds.text(of: date) == down)
        #expect(TimeFormat.wholeSeconds.text(of: date, key: "until") == up)
        #expect(TimeFormat.wholeSeconds.text(of: date, key: "provisionalUntil") == up)
        #expect(TimeFormat.milliseconds.text(of: date, key: "until") == date.rfc3339)
    }

    /// Beyond what RFC 3339 can express, nothing that is computed overflows.
    @Test(arguments: [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 1e300), Date(milliseconds: .max)])
    func `No date traps the time format`(date: Date) {
        for key in ["at", "until"] { _ = TimeFormat.wholeSeconds.text(of: date, key: key) }
    }

    @Test func `Apps get whole seconds and administrators milliseconds`() async throws {
        try await World.run { world in
            world.clock.advance(by: 0.25)
            let player = try await world.newPlayer()
            let month = try await world.buy("nighttheme.month", "non-renewing")
            #expect(try await world.post(month.signedTransaction, as: player).status == 200)
            let words = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(words.signedTransaction, as: player).status == 200)
            let fraction = #/:\d\d\.\d+Z/#
            for path in ["/v1/entitlements", "/v1/bundles", "/v1/bundles/hard-words", "/v1/keys"] {
                let answer = try await world.call(.get, path, as: player)
                let text = String(decoding: answer.bytes, as: UTF8.self)
                #expect(answer.status == 200 && !text.contains(fraction), "\(text)")
            }
            let entitlement = try await world.entitlement(to: "nighttheme.month", of: player)
            let end = try #require(entitlement["until"].text.flatMap { Date(rfc3339: $0) })
            #expect(end.milliseconds % 1000 == 0)
            let admin = try await world.newAdmin()
            let report = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: admin)
            let until = report.json["entitlements"].array.compactMap { $0["until"].text.flatMap { Date(rfc3339: $0) } }
            #expect(until.map { $0.addingTimeInterval(0.75) } == [end], "\(report.json)")
            for path in ["/admin/v1/audit", "/admin/v1/deliveries"] {
                let answer = try await world.call(.get, path, as: admin)
                let text = String(decoding: answer.bytes, as: UTF8.self)
                #expect(answer.status == 200 && text.contains(fraction), "\(path): \(text)")
            }
        }
    }
}
