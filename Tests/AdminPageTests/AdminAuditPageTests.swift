import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// The filters of the audit trail, in the pages and over HTTP.
@Suite struct AdminAuditPageTests {
    @Test func `The audit trail is filtered in the pages and over HTTP`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            world.clock.advance(by: 100)
            let path = "/admin/accounts/\(player.account)/block"
            #expect(try await alice.submit(path, [("reason", "ticket 7")]).status == 303)
            let account = try await alice.get("/admin/accounts/\(player.account)").html
            #expect(account.contains("href=\"/admin/audit?account=\(player.account)\">All of it in the audit trail"))
            let admin = try await world.newAdmin(.read, name: "bob")
            let middle = World.start.addingTimeInterval(50).rfc3339
            let queries: [(String, Set<String>)] = [
                ("kind=account.blocked", ["account.blocked"]), ("actor=admin:alice", ["account.blocked"]),
                ("kind=account.created&account=\(player.account)", ["account.created"]),
                ("since=\(middle)", ["account.blocked", "adminToken.created"]),
                ("until=\(middle)&kind=adminToken.created", ["adminToken.created"]),
                ("kind=account.blocked&until=\(middle)", []), ("actor=admin:alice&since=2027-01-01", []),
            ]
            for (query, kinds) in queries {
                let answer = try await world.call(.get, "/admin/v1/audit?\(query)", as: admin)
                #expect(Set(answer.json["rows"].array.compactMap { $0["kind"].text }) == kinds, "\(query): \(answer)")
                let html = try await alice.get("/admin/audit?\(query)").html
                for kind in ["account.blocked", "account.created", "adminToken.created"] {
                    let title = try #require(AuditEntry.Kind(rawValue: kind)).words.title
                    #expect(html.contains("<strong>\(title)</strong>") == kinds.contains(kind), "\(query): \(title)")
                }
            }
            for query in ["account=x", "since=x", "until=x", "kind=", "actor=\(String(repeating: "x", count: 201))"] {
                #expect(try await world.call(.get, "/admin/v1/audit?\(query)", as: admin).status == 400, "\(query)")
            }
            #expect(try await world.call(.get, "/admin/v1/audit?kinds=x", as: admin).status == 422)
            let nothing = try await world.call(.get, "/admin/v1/audit?kind=nothing", as: admin)
            #expect(nothing.status == 422 && nothing.json["detail"] == .string("kind: \(AuditQuery.kinds)"))
            #expect(try await alice.get("/admin/audit?kind=nothing").html.contains("account.blocked, "))
            let page = try await alice.get("/admin/audit?kind=account.blocked&actor=%3Cb%3E").html
            #expect(
                page.contains("value=\"&lt;b&gt;\"") && page.contains("<option value=\"account.blocked\" selected>"))
            #expect(page.contains("None."))
            let times = try await alice.get("/admin/audit?since=\(middle)&until=2026-12-01T12:30").html
            #expect(times.contains("type=\"datetime-local\" value=\"2026-11-18T11:07:30\""), "\(times)")
            #expect(times.contains("value=\"2026-12-01T12:30\"") && times.contains("step=\"1\""))
        }
    }

    /// Older events are a page away, with the same filter.
    @Test func `Filtered pages of the audit trail follow each other`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            for _ in 0..<60 {
                _ = try await world.newPlayer()
                // Only a limited number of new accounts an hour come from one address.
                world.clock.advance(by: 3_600)
            }
            let bob = try await world.visitor(.read)
            var (path, events, pages): (String?, Int, Int) = ("/admin/audit?kind=account.created", 0, 0)
            while let next = path {
                let html = try await bob.get(next).html
                events += html.matches(of: #/<strong>Account created</#).count
                pages += 1
                path = html.firstMatch(of: #/href="([^"]*)">Older events/#).map { String($0.output.1).unescaped }
            }
            #expect(events == 60 && (2...3).contains(pages))
        }
    }
}
