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

/// The list of notifications for operators: over HTTP and on the store's page.
@Suite struct NotificationListRouteTests {
    /// Notifications that the server fetched did not come, and are not shown as if they had.
    @Test func `The list tells fetched notifications from sent ones`() async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: true) { world in
            try await world.setNotificationURL()
            let admin = try await world.newAdmin(.read)
            let fetched = "fetched: the App Store did not send it here"
            let bought = try await world.buy("hardwords", "non-consumable")
            _ = try await world.act("transactions/\(bought.transactionID)/refund")
            _ = try await world.assembly.store.reconcile(since: World.start - 60)
            let list = { try await world.call(.get, "/admin/v1/notifications", as: admin).json["notifications"].array }
            let before = try await list()
            #expect(!before.isEmpty && before.allSatisfy { $0["deliveredAt"] == .null && $0["recordedAt"] != .null })
            let bob = try await world.visitor(.read, name: "bob")
            #expect(try await bob.get("/admin/store").html.contains(fetched))
            // They come after all.
            for payload in try await world.signedPayloads() { #expect(try await world.receive(payload).status == 200) }
            let after = try await list()
            #expect(after.count == before.count)
            #expect(after.allSatisfy { $0["deliveredAt"].text == world.clock.now.rfc3339 }, "\(after)")
            #expect(try await !bob.get("/admin/store").html.contains(fetched))
        }
    }

    /// While the server fetches notifications that do not come, the silence goes on.
    @Test func `Fetched notifications do not end the silence of the store`() async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: true) { world in
            try await world.setNotificationURL()
            let admin = try await world.newAdmin(.read)
            let list = { (query: String) in
                try await world.call(.get, "/admin/v1/notifications\(query)", as: admin).json
            }
            let receive = { (days: Double) in
                for payload in try await world.signedPayloads(ofDays: days) {
                    #expect(try await world.receive(payload).status == 200)
                }
            }
            _ = try await world.buy("hardwords", "non-consumable")
            try await receive(1)
            let last = world.clock.now
            world.clock.advance(by: 2 * 86_400)
            let bought = try await world.buy("tenhints", "consumable")
            _ = try await world.act("transactions/\(bought.transactionID)/refund")
            _ = try await world.assembly.store.reconcile(since: World.start - 60)
            let silent = try await list("")
            let fetched = silent["notifications"].array.count { $0["deliveredAt"] == .null }
            #expect(fetched > 0 && silent["notifications"].array.count > fetched, "\(silent)")
            #expect(silent["silentSince"].text == last.rfc3339 && silent["gaps"] == [], "\(silent)")
            // Also on a page with fetched ones only.
            #expect(try await list("?limit=\(fetched)")["silentSince"].text == last.rfc3339)
            world.clock.advance(by: 60)
            try await receive(1)
            let gap: JSONValue = [["from": .string(last.rfc3339), "to": .string(world.clock.now.rfc3339)]]
            for query in ["", "?limit=\(fetched)"] {
                let after = try await list(query)
                #expect(after["gaps"] == gap && after["silentSince"] == .null, "\(after)")
            }
        }
    }

    @Test func `The list shows notifications and the gaps between them`() async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: true) { world in
            try await world.setNotificationURL()
            let admin = try await world.newAdmin(.read)
            let empty = try await world.call(.get, "/admin/v1/notifications", as: admin)
            #expect(empty.json == ["notifications": [], "gaps": []], "\(empty)")
            _ = try await world.buy("hardwords", "non-consumable")
            for payload in try await world.signedPayloads() { #expect(try await world.receive(payload).status == 200) }
            let first = world.clock.now
            world.clock.advance(by: 2 * 86_400)
            let other = try await world.buy("tenhints", "consumable")
            _ = try await world.act("transactions/\(other.transactionID)/refund")
            for payload in try await world.signedPayloads(ofDays: 1) {
                #expect(try await world.receive(payload).status == 200)
            }
            let all = try await world.call(.get, "/admin/v1/notifications", as: admin).json
            let types = all["notifications"].array.map { $0["type"].text ?? "" }
            #expect(types.count >= 2 && types.contains("REFUND"), "\(all)")
            #expect(all["gaps"] == [["from": .string(first.rfc3339), "to": .string(world.clock.now.rfc3339)]])
            #expect(all["next"] == .null)
            let page = try await world.call(.get, "/admin/v1/notifications?limit=1", as: admin).json
            let next = try #require(page["next"].text)
            let rest = try await world.call(.get, "/admin/v1/notifications?after=\(next)", as: admin).json
            #expect(page["notifications"].array + rest["notifications"].array == all["notifications"].array)
            for query in ["after=x", "after=-1_a", "limit=0", "limit=1001"] {
                #expect(try await world.call(.get, "/admin/v1/notifications?\(query)", as: admin).status == 400)
            }
            let store = try await world.visitor(.read, name: "bob").get("/admin/store").html
            #expect(store.contains("REFUND") && store.contains("None came from"), "\(store)")
            // The silence ends at the last notification of a page: neither page may leave it out.
            let last = world.clock.now
            let late = all["notifications"].array.count { $0["recordedAt"].text == last.rfc3339 }
            let edge = try await world.call(.get, "/admin/v1/notifications?limit=\(late)", as: admin).json
            #expect(edge["gaps"] == all["gaps"] && edge["next"].text != nil, "\(edge)")
            let after = try await world.call(
                .get, "/admin/v1/notifications?after=\(edge["next"].text ?? "")", as: admin
            ).json
            #expect(after["gaps"] == [])
            // One that still goes on is reported once it is longer than a day, and on the first page.
            #expect(all["silentSince"] == .null)
            world.clock.advance(by: 2 * 86_400)
            let silent = try await world.call(.get, "/admin/v1/notifications?limit=1", as: admin).json
            #expect(silent["silentSince"].text == last.rfc3339, "\(silent)")
            let second = try await world.call(
                .get, "/admin/v1/notifications?after=\(silent["next"].text ?? "")", as: admin
            ).json
            #expect(second["silentSince"] == .null)
            let silence = try await world.visitor(.read, name: "carol").get("/admin/store").html
            #expect(silence.contains("None came since \(PageTime(last, now: world.clock.now).text)"), "\(silence)")
        }
    }

    private static func receive(_ id: String, of app: BundleID, _ world: World) async throws {
        let notification = AppStoreNotification(
            id: id, type: "TEST", app: app, environment: .production, signedDate: world.clock.now, content: id)
        _ = try await world.ledger.record(notification, in: world.assembly.store.decisions.context)
    }

    /// An app that hears nothing is not hidden by one that does, and the misconfiguration is named before anything
    /// else.
    @Test func `The silence of the store about one app is reported`() async throws {
        try await World.run(products: SampleCatalog.twoApps, environment: World.pagesOn) { world in
            let (quiet, loud) = (BundleID(stored: World.app), BundleID("com.example.chess"))
            try await Self.receive("a", of: quiet, world)
            let last = world.clock.now
            world.clock.advance(by: 3 * 86_400)
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            try await Self.receive("b", of: loud, world)
            try await Self.receive("c", of: loud, world)
            let admin = try await world.newAdmin(.read)
            let list = { (query: String) in try await world.call(.get, "/admin/v1/notifications\(query)", as: admin) }
            let all = try await list("").json
            #expect(all["silentSince"] == .null && all["notifications"].array.count == 3, "\(all)")
            let silent = try await list("?app=\(World.app)").json
            #expect(silent["notifications"].array.compactMap { $0["id"].text } == ["a"], "\(silent)")
            #expect(silent["silentSince"].text == last.rfc3339 && silent["gaps"] == [], "\(silent)")
            let received = try await list("?app=com.example.chess&limit=1").json
            let next = try #require(received["next"].text)
            #expect(
                received["silentSince"] == .null && received["gaps"] == [] && received["notifications"][0]["id"] == "c")
            let rest = try await list("?app=com.example.chess&after=\(next)").json
            #expect(rest["notifications"].array.compactMap { $0["id"].text } == ["b"] && rest["next"] == .null)
            #expect(try await list("?app=a%07").json["notifications"] == [])
            let words = "although there are purchases: \(World.app). \(Alarm.Kind.noNotifications.remedy)"
            let page = try await world.visitor(.read, name: "bob").get("/admin/store?notificationsOf=\(World.app)").html
            #expect(page.contains("None came since \(PageTime(last, now: world.clock.now).text)."), "\(page)")
            #expect(page.contains("notice bad") && page.unescaped.contains(words), "\(page)")
            #expect(page.contains("<option value=\"\(World.app)\" selected>") && !page.contains("<code>b</code>"))
            // The reason for an app's token.
            let ours = try await world.newAdmin(name: "ours", for: [quiet])
            for (query, status) in [("", 403), ("?app=com.example.chess", 403), ("?app=\(World.app)", 200)] {
                #expect(try await world.call(.get, "/admin/v1/notifications\(query)", as: ours).status == status)
            }
        }
    }

    /// On the page, earlier ones of one app are of that app too.
    @Test func `Pages of one app's notifications follow each other`() async throws {
        try await World.run(products: SampleCatalog.twoApps, environment: World.pagesOn) { world in
            for number in 35..<61 { try await Self.receive("n\(number)", of: "com.example.chess", world) }
            try await Self.receive("other", of: BundleID(stored: World.app), world)
            let bob = try await world.visitor(.read)
            let first = try await bob.get("/admin/store?notificationsOf=com.example.chess").html
            #expect(first.contains("n60") && !first.contains("n35") && !first.contains("other"))
            let earlier = try #require(first.firstMatch(of: #/href="([^"]*)">Earlier ones/#)?.output.1)
            let second = try await bob.get(String(earlier).unescaped).html
            #expect(second.contains("n35") && !second.contains("n36") && !second.contains("other"))
            #expect(second.contains("/admin/store?notificationsOf=com.example.chess#notifications\">The last ones"))
        }
    }
}
