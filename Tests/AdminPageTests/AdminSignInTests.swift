import Basics
@testable import AdminPages
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import StrictJSON
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// Signing in to the pages and out again, and what a session is good for.
@Suite struct AdminSignInTests {
    @Test func `An admin token signs in and out again`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let admin = try await world.newAdmin(.write)
            let nobody = try await world.visitor.get("/admin")
            #expect(nobody.status == 303 && nobody.headers[.location] == "/admin/sign-in")
            #expect(try await world.visitor.get("/admin/sign-in").html.contains("current-password"))
            let answer = try await world.visitor.post("/admin/sign-in", [("token", " \(admin.token)\n")])
            #expect(answer.status == 303 && answer.headers[.location] == "/admin")
            let cookie = try #require(answer.headers[.setCookie])
            let form = /__Host-qm_admin=[A-Za-z0-9_-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict/
            #expect(cookie.wholeMatch(of: form) != nil, "\(cookie)")
            var alice = world.visitor
            alice.cookie = answer.sessionCookie
            let page = try await alice.get("/admin")
            #expect(page.status == 200 && page.html.contains("alice") && page.html.contains("may change"))
            let out = try await alice.post("/admin/sign-out", [])
            #expect(
                out.status == 303 && out.sessionCookie == "" && out.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(try await alice.get("/admin").status == 303, "the secret is dead, whoever kept it")
            #expect(try await world.ledger.values(withPrefix: "adminSession").isEmpty)
        }
    }

    /// The client's own address, not the network that limits are counted for.
    @Test(arguments: ["192.0.2.7", "2001:db8:1:2::7"])
    func `The page of tokens says where a session was opened`(address: String) async throws {
        let environment = World.pagesOn.merging(["QUARTERMASTER_TRUSTED_PROXIES": "127.0.0.0/8,::1"]) { $1 }
        try await World.run(environment: environment) { world in
            var fields = PageVisitor.fields()
            fields[.forwardedFor] = address
            var alice = world.visitor
            let form = [("token", try await world.newAdmin(.write).token)]
            alice.cookie = try await alice.post("/admin/sign-in", form, fields).sessionCookie
            #expect(try await alice.get("/admin/tokens").html.contains(">from \(address)<"))
            let id = try #require(try await world.ledger.values(withPrefix: "adminSessions/").first?.key)
            _ = try await alice.submit(
                "/admin/tokens", [("session", id.replacing("adminSessions/", with: "")), ("reason", "left us")])
            let rows = try await world.ledger.newestAuditRows(of: nil, before: nil, limit: 9)
            #expect(rows.contains { $0.content?.contains("\"address\":\"\(address)\"") == true }, "\(rows)")
        }
    }

    @Test func `Wrong tokens have to wait at sign-in, and a right one does not`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let admin = try await world.newAdmin(.read)
            for _ in 0..<10 {
                let wrong = try await world.visitor.post("/admin/sign-in", [("token", "wrong")])
                #expect(wrong.status == 403 && wrong.sessionCookie == nil && wrong.html.contains("no admin token"))
            }
            let eleventh = try await world.visitor.post("/admin/sign-in", [("token", "wrong")])
            #expect(eleventh.status == 429 && eleventh.headers[.retryAfter] != nil, "\(eleventh)")
            #expect(eleventh.html.contains("<h1>Too many requests</h1>"))
            _ = try await world.visitor.signedIn(admin.token)
            world.clock.advance(by: 60)
            #expect(try await world.visitor.post("/admin/sign-in", [("token", "wrong")]).status == 403)
        }
    }

    /// To make room for a session nothing is removed that was opened meanwhile.
    @Test func `Administrators who sign in at the same time are all signed in`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let admin = try await world.newAdmin(.write)
            for _ in 0..<10 {
                try await withThrowingTaskGroup(of: PageVisitor.self) { group in
                    for _ in 0..<8 { group.addTask { try await world.visitor.signedIn(admin.token) } }
                    let visitors = try await group.reduce(into: [PageVisitor]()) { $0.append($1) }
                    for visitor in visitors { #expect(try await visitor.get("/admin").status == 200) }
                }
            }
        }
    }

    /// Each of these ends a session: half an hour without use, twelve hours, the end of the token.
    @Test func `A session ends without use, after twelve hours and with its token`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            for _ in 0..<24 {
                world.clock.advance(by: AdminSessions.idleTime - 1)
                #expect(try await alice.get("/admin").status == 200)
            }
            world.clock.advance(by: 60)
            #expect(try await alice.get("/admin").status == 303, "twelve hours")
            let bob = try await world.visitor(.write, name: "bob")
            world.clock.advance(by: AdminSessions.idleTime - 1)
            #expect(try await bob.get("/admin").status == 200)
            world.clock.advance(by: AdminSessions.idleTime)
            #expect(try await bob.get("/admin").status == 303, "half an hour")
            let carol = try await world.visitor(.write, name: "carol")
            _ = try await world.ledger.revokeAdminToken(named: "carol", by: .command(user: "root"), at: world.clock.now)
            #expect(try await carol.get("/admin").status == 303)
            world.clock.advance(by: 1)
            _ = try await world.newAdmin(.write, name: "carol")
            #expect(try await carol.get("/admin").status == 303, "another token of the name is another token")
            // Whoever signs in next has the ended ones removed.
            _ = try await world.visitor(.read, name: "dave")
            #expect(try await world.ledger.values(withPrefix: "adminSessions/").count == 2)
        }
    }

    /// A session that has ended does not come back by a late write about it.
    @Test func `An ended session stays ended`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            let use = try await world.ledger.values(withPrefix: "adminSessionUses/")
            _ = try await alice.post("/admin/sign-out", [])
            try await world.ledger.set(use)
            #expect(try await alice.get("/admin").status == 303)
        }
    }

    @Test func `Sessions of administrators are limited in number`() async throws {
        try await World.run { world in
            let admin = AdminToken(name: "alice", role: .read, createdAt: world.clock.now)
            _ = try await world.newAdmin(.read)
            let sessions = AdminSessions(ledger: world.ledger, random: systemRandomBytes)
            let first = try await sessions.open(admin, from: nil, at: world.clock.now)
            var last = first
            for _ in 0..<AdminSessions.maximum {
                world.clock.advance(by: 0.01)
                last = try await sessions.open(admin, from: nil, at: world.clock.now)
            }
            #expect(try await sessions.all(at: world.clock.now).count == AdminSessions.maximum)
            #expect(try await sessions.token(secret: first, at: world.clock.now) == nil)
            #expect(try await sessions.token(secret: last, at: world.clock.now)?.name == "alice")
        }
    }

    @Test func `A sign-in link works once and for a short time`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            _ = try await world.newAdmin(.write)
            let token = try #require(try await world.ledger.adminToken(named: "alice"))
            let links = SignInLinks(ledger: world.ledger, random: systemRandomBytes)
            let code = try await links.code(for: token, at: world.clock.now)
            let visitor = world.visitor
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<8 { group.addTask { try await visitor.get(SignInLinks.path + code, site: "none") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map(\.status).sorted() == [303] + Array(repeating: 403, count: 7))
            var alice = world.visitor
            alice.cookie = answers.compactMap(\.sessionCookie).first
            #expect(try await alice.get("/admin").status == 200)
            world.clock.advance(by: 60)
            let late = try await links.code(for: token, at: world.clock.now)
            world.clock.advance(by: SignInLinks.localLifetime)
            let answer = try await visitor.get(SignInLinks.path + late)
            #expect(answer.status == 403 && answer.html.contains("used up") && answer.sessionCookie == nil)
            let soon = try await links.code(for: token, at: world.clock.now)
            _ = try await world.ledger.revokeAdminToken(named: "alice", by: .command(user: "root"), at: world.clock.now)
            #expect(try await visitor.get(SignInLinks.path + soon).status == 403, "of a token that is revoked")
            // A link that is an hour old is removed by the next one.
            world.clock.advance(by: 3_600)
            _ = try await links.code(for: token, at: world.clock.now)
            #expect(try await world.ledger.values(withPrefix: "adminLinks/").count == 1)
            #expect(try await world.ledger.values(withPrefix: "adminLinkUses/").isEmpty)
        }
    }

    /// Browsers that open a link after a minute: only on the server's machine, and under a name of that, is it valid.
    static let openers: [(client: String, host: String, status: Int)] = [
        ("127.0.0.1", "localhost:8080", 303), ("127.0.0.1", "127.0.0.1:8080", 303), ("::1", "[::1]:8080", 303),
        ("192.0.2.7", "localhost:8080", 403), ("127.0.0.1", "admin.example.com", 403),
        ("2001:db8::7", "admin.example.com", 403),
    ]

    @Test(arguments: openers) func `A sign-in link lasts ten minutes on the server's machine, and a minute elsewhere`(
        client: String, host: String, status: Int
    ) async throws {
        let environment = World.pagesOn.merging(["QUARTERMASTER_TRUSTED_PROXIES": "127.0.0.0/8,::1"]) { $1 }
        try await World.run(environment: environment) { world in
            _ = try await world.newAdmin(.write)
            let token = try #require(try await world.ledger.adminToken(named: "alice"))
            let links = SignInLinks(ledger: world.ledger, random: systemRandomBytes)
            for (wait, expected) in [(SignInLinks.lifetime - 1, 303), (SignInLinks.localLifetime - 1, status)] {
                let code = try await links.code(for: token, at: world.clock.now)
                world.clock.advance(by: wait)
                let fields = "X-Forwarded-For: \(client)\r\nSec-Fetch-Site: none\r\nConnection: close\r\n\r\n"
                let head = "GET \(SignInLinks.path)\(code) HTTP/1.1\r\nHost: \(host)\r\n\(fields)"
                let answer = try await RawConnection.exchange(head, port: world.port)
                #expect(answer.statuses == [expected], "after \(wait) s")
            }
        }
    }

    /// Browsers keep the cookie for addresses with TLS and for their own machine.
    static let addresses: [(host: String, site: String?, forwarded: String?, status: Int)] = [
        ("127.0.0.1", nil, nil, 200), ("localhost:8080", nil, nil, 200), ("[::1]:8080", nil, nil, 200),
        ("127.9.9.9:1", nil, nil, 200), ("admin.example.com", nil, nil, 403), ("127.0.0.1.example.com", nil, nil, 403),
        ("localhost.example.com", nil, nil, 403), ("admin.example.com", "none", nil, 200),
        ("admin.example.com", nil, "https", 200), ("admin.example.com", nil, "http", 403),
    ]

    @Test(arguments: addresses) func `The sign-in page is refused without HTTPS, except on the machine itself`(
        host: String, site: String?, forwarded: String?, status: Int
    ) async throws {
        try await World.run(environment: World.pagesOn) { world in
            let fields = [site.map { "Sec-Fetch-Site: \($0)\r\n" }, forwarded.map { "X-Forwarded-Proto: \($0)\r\n" }]
                .compactMap { $0 }.joined()
            let head = "GET /admin/sign-in HTTP/1.1\r\nHost: \(host)\r\n\(fields)Connection: close\r\n\r\n"
            let answer = try await RawConnection.exchange(head, port: world.port)
            #expect(answer.statuses == [status])
        }
    }

    /// After signing in one is where one wanted to go, if that is one of the pages.
    static let nextPages = [
        ("/admin/accounts?order=MX1", "/admin/accounts?order=MX1"), ("/admin/receipts", "/admin/receipts"),
        ("/admin", "/admin"), ("https://example.com/", "/admin"), ("//example.com/admin", "/admin"),
        ("/admin//example.com", "/admin"), ("/admin/\\example.com", "/admin"), ("/administrator", "/admin"),
        ("/admin/v1/audit", "/admin"), ("/admin/open/abc", "/admin"), ("/admin/x\r\nSet-Cookie: a=b", "/admin"),
        ("", "/admin"),
    ]

    @Test(arguments: nextPages)
    func `Signing in leads to the requested page, and to no other site`(next: String, place: String) async throws {
        try await World.run(environment: World.pagesOn) { world in
            let admin = try await world.newAdmin(.read)
            let answer = try await world.visitor.post(
                "/admin/sign-in?next=\(next.pathEncoded)", [("token", admin.token)])
            #expect(answer.status == 303 && answer.headers[.location] == place, "\(answer)")
            #expect(answer.headers[values: .setCookie].count == 1)
        }
    }

    @Test func `A page requested before signing in comes after it`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let admin = try await world.newAdmin(.read)
            let asked = try await world.visitor.get("/admin/audit?before=7")
            let place = try #require(asked.headers[.location])
            let form = try #require(PageForm(try await world.visitor.get(place).html))
            let answer = try await world.visitor.post(form.action, [("token", admin.token)])
            #expect(answer.headers[.location] == "/admin/audit?before=7")
            // A link of another site: the browser holds the cookie back, and sends it with the next request.
            let crossing = try await world.visitor.get("/admin/audit?before=7", site: "cross-site")
            #expect(crossing.status == 200 && crossing.html.contains("href=\"/admin/audit?before=7\""))
        }
    }

    /// The cookie is no token of the API, and the token no cookie of the pages.
    @Test func `The session cookie is for the pages only`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let admin = try await world.newAdmin(.write)
            let alice = try await world.visitor.signedIn(admin.token)
            for path in ["/admin/v1/audit", "/admin/v1/accounts/\(try await world.newPlayer().account)"] {
                #expect(try await alice.get(path).status == 401)
            }
            var secret = admin
            secret.token = try #require(alice.cookie)
            #expect(try await world.call(.get, "/admin/v1/audit", as: secret).status == 401)
            #expect(try await world.call(.get, "/admin", as: admin).html.contains("current-password"))
            var other = world.visitor
            other.cookie = admin.token
            #expect(try await other.get("/admin").status == 303)
        }
    }

    /// The secret is nowhere in the ledger: whoever reads a backup has no session.
    @Test func `Session secrets are stored as digests`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            let cookie = try #require(alice.cookie)
            for (key, value) in try await world.ledger.values(withPrefix: "") {
                #expect(!key.contains(cookie) && !String(decoding: value, as: UTF8.self).contains(cookie))
            }
        }
    }
}
