@testable import QuartermasterServer
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerTestSupport
import TestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// Every page and every form, and everybody who may come.
@Suite struct AdminPageAccessTests {
    enum Audience {
        case anybody
        /// Administrators who are signed in.
        case administrators
        /// Those who may act on accounts and what they own.
        case supporters
        /// Those who may change everything.
        case writers
    }

    enum Visitor: CaseIterable {
        case nobody, player, reader, supporter, writer, revoked
        /// May change something, of this app and of another one.
        case appWriter, otherAppWriter
    }

    /// The pages that narrow what they show or do to a token's apps, and name none in their path. Those about a receipt
    /// whose app is unknown are refused.
    static let narrowed: Set<String> = [
        "/admin", "/admin/accounts", "/admin/accounts/{account}", "/admin/accounts/{account}/credits",
        "/admin/gifts", "/admin/gifts/give",
        "/admin/accounts/{account}/grant", "/admin/receipts", "/admin/products", "/admin/reports",
        "/admin/purchases/{environment}/{originalID}/transfer",
        "/admin/purchases/{environment}/{originalID}/transfer/undo",
        "/admin/purchases/{environment}/{originalID}/extend", "/admin/accounts/{account}/reset-sandbox",
        "/admin/purchases/{environment}/{originalID}/app-transaction", "/admin/time-zone",
    ]

    /// Those about something of an app that is not named in their path, and which is looked up.
    static let ofItsApp: Set<String> = ["/admin/accounts/{account}/grants/{grant}/revoke"]

    typealias Row = (method: HTTPRequest.Method, path: String, audience: Audience)

    /// A new page needs a row here.
    static let table: [Row] = pages + acts + publications

    private static let pages: [Row] = [
        (.get, "/admin/assets/icon.svg", .anybody), (.get, PageRouter.stylePath, .anybody),
        (.get, "/admin/sign-in", .anybody), (.post, "/admin/sign-in", .anybody),
        (.get, "/admin/open/{code}", .anybody), (.post, "/admin/sign-out", .anybody),
        (.get, "/admin", .administrators),
        (.get, "/admin/accounts", .administrators),
        (.get, "/admin/accounts/{account}", .administrators),
        (.get, "/admin/accounts/{account}/credits", .supporters),
        (.post, "/admin/accounts/{account}/credits", .supporters),
        (.get, "/admin/accounts/{account}/grant", .supporters), (.post, "/admin/accounts/{account}/grant", .supporters),
        (.get, "/admin/gifts", .supporters), (.post, "/admin/gifts", .supporters),
        (.post, "/admin/gifts/give", .supporters),
        (.get, "/admin/accounts/{account}/grants/{grant}/revoke", .supporters),
        (.post, "/admin/accounts/{account}/grants/{grant}/revoke", .supporters),
        (.get, "/admin/accounts/{account}/notes", .supporters), (.post, "/admin/accounts/{account}/notes", .supporters),
        (.get, "/admin/accounts/{account}/notes/{note}/remove", .supporters),
        (.post, "/admin/accounts/{account}/notes/{note}/remove", .supporters),
        (.get, "/admin/purchases/{environment}/{originalID}/transfer", .supporters),
        (.post, "/admin/purchases/{environment}/{originalID}/transfer", .supporters),
        (.get, "/admin/purchases/{environment}/{originalID}/transfer/undo", .supporters),
        (.post, "/admin/purchases/{environment}/{originalID}/transfer/undo", .supporters),
        (.get, "/admin/purchases/{environment}/{originalID}/extend", .supporters),
        (.post, "/admin/purchases/{environment}/{originalID}/extend", .supporters),
        (.get, "/admin/purchases/{environment}/{originalID}/app-transaction", .supporters),
        (.post, "/admin/purchases/{environment}/{originalID}/app-transaction", .supporters),
        (.get, "/admin/receipts/{receipt}/retry", .supporters),
        (.post, "/admin/receipts/{receipt}/retry", .supporters),
        (.get, "/admin/receipts", .administrators),
        (.get, "/admin/deliveries", .administrators),
        (.get, "/admin/products", .administrators),
        (.get, "/admin/products/{bundleID}/{id}", .administrators),
        (.get, "/admin/products/{bundleID}/{id}/edit", .writers),
        (.post, "/admin/products/{bundleID}/{id}/edit", .writers),
        (.post, "/admin/products/{bundleID}/{id}/save", .writers),
        (.get, "/admin/products/{bundleID}/{id}/off-sale", .writers),
        (.get, "/admin/products/{bundleID}/{id}/on-sale", .writers),
        (.get, "/admin/products/{bundleID}/{id}/remove", .writers),
        (.post, "/admin/products/{bundleID}/{id}/remove", .writers),
        (.get, "/admin/products/{bundleID}/{id}/extend", .writers),
        (.post, "/admin/products/{bundleID}/{id}/extend", .writers),
        (.get, "/admin/apps/{bundleID}/new-product", .writers),
        (.post, "/admin/apps/{bundleID}/new-product", .writers),
        (.get, "/admin/apps/{bundleID}/preview", .administrators),
        (.get, "/admin/apps/{bundleID}/settings", .administrators),
        (.get, "/admin/apps/{bundleID}/settings/edit", .writers),
        (.post, "/admin/apps/{bundleID}/settings/edit", .writers),
        (.post, "/admin/apps/{bundleID}/settings/save", .writers),
        (.get, "/admin/apps/{bundleID}/settings/remove", .writers),
        (.get, "/admin/apps/{bundleID}/sandbox-access", .writers),
        (.post, "/admin/apps/{bundleID}/settings/remove", .writers),
        (.get, "/admin/new-app", .writers), (.post, "/admin/new-app", .writers),
        (.get, "/admin/catalog", .administrators),
        (.get, "/admin/catalog/{number}", .administrators),
        (.post, "/admin/catalog/{number}/roll-back", .writers),
        (.get, "/admin/bundles", .administrators),
        (.get, "/admin/bundles/{name}", .administrators),
        (.get, "/admin/bundles/{name}/{version}", .administrators),
        (.get, "/admin/bundles/{name}/{version}/preview", .administrators),
        (.get, "/admin/bundles/{name}/{version}/file", .administrators),
        (.get, "/admin/new-version", .writers),
        (.post, "/admin/new-version", .writers),
        (.get, "/admin/store", .administrators), (.get, "/admin/sandbox", .administrators),
        (.get, "/admin/store/test-notification", .writers),
        (.post, "/admin/store/test-notification", .writers),
        (.get, "/admin/reports", .administrators),
        (.get, "/admin/apps/{bundleID}/placements", .administrators),
        (.get, "/admin/audit", .administrators), (.get, "/admin/time-zone", .administrators),
        (.get, "/admin/simulator", .administrators), (.post, "/admin/simulator/buy", .writers),
        (.post, "/admin/simulator/act", .writers), (.post, "/admin/simulator/clock", .writers),
        (.post, "/admin/simulator/faults", .writers), (.post, "/admin/simulator/faults/end", .writers),
        (.get, "/admin/tokens", .administrators),
        (.post, "/admin/tokens/sessions/end", .writers),
    ]

    private static let acts: [Row] = [
        "block", "unblock", "add-tester", "remove-tester", "add-beta", "remove-beta", "end-sessions", "reset-sandbox",
        "recovery-code", "external-id", "remove-external-id",
    ].flatMap { act -> [Row] in
        let path = "/admin/accounts/{account}/\(act)"
        return [(.get, path, .supporters), (.post, path, .supporters)]
    }

    private static let publications = ["publish", "promote", "yank", "restore", "discard"].flatMap { act -> [Row] in
        let path = "/admin/bundles/{name}/{version}/\(act)"
        return [(.get, path, .writers), (.post, path, .writers)]
    }

    private static func isPage(_ path: String) -> Bool { path.hasPrefix("/admin") && !path.hasPrefix("/admin/v1") }

    @Test func `The table of page permissions has every page and no other`() async throws {
        try await World.run(environment: World.pagesOn, hasSimulatorPages: true) { world in
            let routes = world.assembly.routes.main.router.routes.filter { Self.isPage($0.path.description) }
            let pages = Set(routes.map { "\($0.method) \($0.path)" })
            let rows = Set(Self.table.map { "\($0.method) \($0.path)" })
            #expect(pages.subtracting(rows) == [], "pages without a row")
            #expect(rows.subtracting(pages) == [], "rows without a page")
            #expect(rows.count == Self.table.count, "a row occurs twice")
        }
        try await World.run { world in
            #expect(
                !world.assembly.routes.main.router.routes.contains { Self.isPage($0.path.description) },
                "off by default")
        }
    }

    @Test func `Every visitor gets on every page what they may`() async throws {
        try await PageCast.run { world, cast in
            for row in Self.table {
                // Those without a good token count as wrong ones.
                world.clock.advance(by: 60)
                let path = cast.path(row.path)
                for caller in Visitor.allCases {
                    let visitor = try await cast.visitor(caller)
                    let form =
                        (visitor.cookie.map { [("csrf", SessionCookie.formToken($0))] } ?? [])
                        + [("bundleID", World.app), ("app", World.app)]
                    let answer =
                        row.method == .get
                        ? try await visitor.get(path + cast.query(row.path)) : try await visitor.post(path, form)
                    let expected = Self.expected(row, caller)
                    #expect(expected.fits(answer, row), "\(row.method) \(row.path) \(caller): \(answer)")
                    #expect(!answer.html.contains(cast.subject.token))
                }
            }
        }
    }

    /// The pages that do not exist with a catalog in a file, and a link that nobody made.
    static let notFound: Set<String> = [
        "/admin/catalog/{number}", "/admin/catalog/{number}/roll-back", "/admin/open/{code}",
    ]

    enum Expectation {
        /// It is shown, or the form is read, whatever is missing from it.
        case allowed
        /// It is not refused because of who asks; what it is about may be another app's.
        case narrowed
        case toSignIn, signedOut, readOnly, supportOnly, outOfReach

        func fits(_ answer: Answer, _ row: Row) -> Bool {
            switch self {
            case .allowed where notFound.contains(row.path): answer.status == 404 || answer.status == 403
            case .allowed where row.audience == .anybody: isTaken(answer)
            case .allowed where row.method == .get: answer.status == 200
            case .allowed: isTaken(answer) && [200, 303, 400, 409, 412, 415, 422].contains(answer.status)
            case .narrowed: isTaken(answer)
            case .toSignIn: answer.status == 303 && answer.headers[.location]?.hasPrefix("/admin/sign-in") == true
            case .signedOut: answer.status == 403 && answer.html.contains("<h1>You are signed out</h1>")
            case .readOnly: answer.status == 403 && answer.html.contains("read-only")
            case .supportOnly:
                answer.status == 403 && answer.html.contains("This admin token is for support")
            case .outOfReach: answer.status == 403 && answer.html.contains("This admin token is for some apps only")
            }
        }

        private func isTaken(_ answer: Answer) -> Bool {
            answer.headers[.location]?.hasPrefix("/admin/sign-in?") != true
                && !answer.html.contains("You are signed out") && !answer.html.contains("read-only")
                && !answer.html.contains("This admin token is for support")
                && answer.status != 429 && answer.status != 401 && answer.status < 500
        }
    }

    static func expected(_ row: Row, _ caller: Visitor) -> Expectation {
        switch (row.audience, caller) {
        case (.administrators, .appWriter), (.supporters, .appWriter), (.writers, .appWriter):
            narrowed.union(ofItsApp).contains(row.path) || row.path.contains("{bundleID}") ? .narrowed : .outOfReach
        case (.administrators, .otherAppWriter), (.supporters, .otherAppWriter), (.writers, .otherAppWriter):
            narrowed.contains(row.path) ? .narrowed : .outOfReach
        case (.anybody, _), (_, .writer), (.administrators, .reader), (.administrators, .supporter),
            (.supporters, .supporter):
            .allowed
        case (.supporters, .reader), (.writers, .reader): .readOnly
        case (.writers, .supporter): .supportOnly
        default: row.method == .get ? .toSignIn : .signedOut
        }
    }

    /// The last parts of the paths of all pages that only administrators who may change something may open.
    private static let nameOfActs = names { $0 == .supporters || $0 == .writers }
    /// Those of acts that are not for support, under no name that one for support has too.
    private static let namesForWriters = names { $0 == .writers }.subtracting(names { $0 == .supporters })

    private static func names(_ isIncluded: (Audience) -> Bool) -> Set<String> {
        Set(table.filter { isIncluded($0.audience) }.compactMap { $0.path.split(separator: "/").last.map(String.init) })
    }

    /// The pages of a read-only administrator offer no act.
    @Test func `A read-only administrator is offered no act`() async throws {
        try await PageCast.run { world, cast in
            let bob = try await world.visitor(.read, name: "bob")
            let writer = try await world.visitor(.write, name: "wanda")
            for row in Self.table where row.method == .get && row.audience == .administrators {
                let html = try await bob.get(cast.path(row.path)).html
                let forms = html.matches(of: /<form method="post" action="([^"]*)">/).map { String($0.output.1) }
                #expect(forms == [], "\(row.path)")
                #expect(!html.contains("/credits\"") && !html.contains("/transfer") && !html.contains("/block"))
                #expect(!html.contains("/grant\"") && !html.contains("/revoke\""), "\(row.path)")
                let act = html.matches(of: #/href="[^"]*\/([a-z-]+)["?]/#).map { String($0.output.1) }.first {
                    Self.nameOfActs.contains($0)
                }
                #expect(act == nil, "\(row.path)")
            }
            let html = try await writer.get("/admin/accounts/\(cast.subject.account)").html
            #expect(html.contains("/credits\"") && html.contains("/transfer?") && html.contains("/block\""))
            #expect(html.contains("/grant\""))
            for path in ["/admin/bundles/{name}/{version}", "/admin/receipts", "/admin/sandbox"] {
                let page = try await writer.get(cast.path(path)).html
                let links = page.matches(of: #/href="[^"]*\/([a-z-]+)["?]/#).map { String($0.output.1) }
                #expect(links.contains { Self.nameOfActs.contains($0) }, "\(path) has no act: \(page)")
            }
        }
    }

    /// The pages of an administrator for support offer the acts on accounts and no other.
    @Test func `An administrator for support is offered the acts of support only`() async throws {
        try await PageCast.run { world, cast in
            let visitor = try await cast.visitor(.supporter)
            var offered: Set<String> = []
            for row in Self.table where row.method == .get && row.audience == .administrators {
                let html = try await visitor.get(cast.path(row.path)).html
                let forms = html.matches(of: /<form method="post" action="([^"]*)">/).map { String($0.output.1) }
                #expect(forms.allSatisfy { $0.hasPrefix("/admin/accounts/") }, "\(row.path): \(forms)")
                let names = html.matches(of: #/href="[^"]*\/([a-z-]+)["?]/#).map { String($0.output.1) }
                #expect(Self.namesForWriters.isDisjoint(with: names), "\(row.path)")
                offered.formUnion(names)
            }
            #expect(offered.isSuperset(of: ["credits", "transfer", "block", "grant", "retry"]), "\(offered)")
        }
    }

    // MARK: Forged requests

    /// A form sent by another site's page, as browsers report it, is refused, and nothing is recorded.
    static let origins: [(site: String?, origin: String?, isOwn: Bool)] = [
        ("same-origin", nil, true), ("none", nil, true), ("same-origin", "https://example.com", true),
        ("cross-site", nil, false), ("same-site", nil, false), ("cross-site", "http://localhost", false),
        ("", nil, false), (nil, nil, false), (nil, "null", false), (nil, "http://example.com", false),
        (nil, "http://localhost.example.com", false), (nil, "localhost", false), (nil, "http://localhost", false),
    ]

    @Test func `Only forms of this server's pages are carried out`() async throws {
        try await World.run(environment: World.pagesOn, hasSimulatorPages: true) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let path = "/admin/accounts/\(player.account)/add-tester"
            let form = try #require(PageForm(try await alice.get(path).html))
            let filled = form.hidden + [("reason", "ticket 7")]
            let before = try await world.ledger.newestAuditRows(of: nil, before: nil, limit: 1).first?.sequence
            for origin in Self.origins where !origin.isOwn {
                var fields = PageVisitor.fields(origin.site, cookie: alice.cookie)
                fields[.origin] = origin.origin
                let answer = try await alice.post(form.action, filled, fields)
                #expect(
                    answer.status == 403 && answer.html.contains("not sent from a page of this server"),
                    "\(origin): \(answer)")
                #expect(try await world.visitor.post("/admin/sign-out", [], fields).status == 403)
                #expect(try await world.visitor.post("/admin/sign-in", [("token", "x")], fields).status == 403)
            }
            for token in ["", "x", SessionCookie.formToken("another"), try #require(alice.cookie)] {
                let answer = try await alice.post(path, [("csrf", token), ("reason", "ticket 7")])
                #expect(answer.status == 403 && answer.html.contains("not sent from a page of this server"))
            }
            #expect(try await world.ledger.newestAuditRows(of: nil, before: nil, limit: 1).first?.sequence == before)
            #expect(try await alice.get("/admin").status == 200, "nobody was signed out")
            var fields = PageVisitor.fields(nil, cookie: alice.cookie)
            fields[.origin] = "http://localhost:\(world.port ?? 0)"
            #expect(try await alice.post(path, filled, fields).status == 303, "as browsers do without TLS")
            for origin in Self.origins where origin.isOwn {
                var fields = PageVisitor.fields(origin.site, cookie: alice.cookie)
                fields[.origin] = origin.origin
                #expect(try await alice.post(form.action, filled, fields).status == 303, "\(origin)")
            }
        }
    }

    /// The origins that browsers report for forms of other pages.
    private static let foreign: [(site: String?, origin: String?)] = [
        ("cross-site", nil), ("same-site", nil), (nil, nil), (nil, "null"), (nil, "http://example.com"),
    ]

    /// The acts that are in no audit trail, those that show the difference first, and those whose form names the
    /// revision of the catalog that was viewed.
    private static let unrecorded: Set<String> = [
        "/admin/products/{bundleID}/{id}/edit", "/admin/apps/{bundleID}/new-product", "/admin/new-app",
        "/admin/gifts", "/admin/apps/{bundleID}/settings/edit", "/admin/products/{bundleID}/{id}/save",
        "/admin/apps/{bundleID}/settings/save", "/admin/catalog/{number}/roll-back",
        "/admin/apps/{bundleID}/settings/remove", "/admin/simulator/buy", "/admin/simulator/act",
        "/admin/simulator/clock", "/admin/simulator/faults", "/admin/simulator/faults/end",
        "/admin/products/{bundleID}/{id}/remove",
    ]

    /// Every act of the router, with a form that it would carry out if it came from its own page.
    @Test func `No forged form is carried out`() async throws {
        try await PageCast.run { world, cast in
            let routes = world.assembly.routes.main.router.routes.filter { $0.method == .post }.map { "\($0.path)" }
            let open = Self.table.filter { $0.method == .post && $0.audience == .anybody }.map(\.path)
            let acts = Self.table.filter { $0.method == .post && $0.audience != .anybody }.map(\.path)
            #expect(Set(routes.filter(Self.isPage)) == Set(acts + open) && acts.count > 30)
            let alice = try await cast.visitor(.writer)
            let own = SessionCookie.formToken(try #require(alice.cookie))
            let first = try await newest(world)
            for act in acts {
                for (site, origin) in Self.foreign {
                    let answer = try await cast.send(act, as: alice, csrf: own, site, origin)
                    #expect(answer.status == 403 && answer.html.contains("not sent from a page"), "\(act) \(answer)")
                }
                for token in [nil, "", "x", SessionCookie.formToken("another"), alice.cookie] {
                    let answer = try await cast.send(act, as: alice, csrf: token)
                    #expect(answer.status == 403 && answer.html.contains("not sent from a page"), "\(act) \(answer)")
                }
                #expect(try await newest(world) == first, "\(act) was carried out")
            }
            var recorded: Set<String> = []
            for act in acts {
                let before = try await newest(world)
                let answer = try await cast.send(act, as: alice, csrf: own)
                #expect(answer.status != 403 && answer.status < 500, "\(act) \(answer)")
                if try await newest(world) != before { recorded.insert(act) }
            }
            #expect(Set(acts).subtracting(recorded) == Self.unrecorded, "acts that the genuine form did not do")
        }
    }

    private func newest(_ world: World) async throws -> Int? {
        try await world.ledger.newestAuditRows(of: nil, before: nil, limit: 1).first?.sequence
    }

    // MARK: Headers

    @Test func `Every page forbids by its headers what it does not need`() async throws {
        try await PageCast.run { world, cast in
            let alice = try await world.visitor(.write)
            for row in Self.table where row.method == .get {
                let answer = try await alice.get(cast.path(row.path) + cast.query(row.path))
                let policy = answer.headers[HTTPField.Name("Content-Security-Policy")!] ?? ""
                #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
                #expect(
                    policy.contains("form-action 'self'") && !policy.contains("unsafe") && !policy.contains("script"))
                #expect(answer.headers[HTTPField.Name("X-Content-Type-Options")!] == "nosniff")
                let isStyle = row.path == PageRouter.stylePath
                #expect(answer.headers[.cacheControl]?.contains("no-store") == !isStyle, "\(row.path)")
                #expect(!answer.html.contains("<script") && !answer.html.contains(" style="))
                #expect(answer.html.firstMatch(of: #/ on[a-z]+=/#) == nil)
            }
        }
    }

    /// If they have an address of their own, the main one has none of them, and theirs nothing else.
    @Test func `The pages can have an address of their own`() async throws {
        try await World.run(environment: ["QUARTERMASTER_ADMIN_LISTEN": "127.0.0.1:0"].merging(World.pagesOn) { $1 }) {
            world in
            let admin = try await world.newAdmin(.write)
            #expect(try await world.visitor.get("/admin").status == 404)
            let listener = try #require(world.assembly.adminListener)
            try await listener.test { client in
                let alice = try await PageVisitor(client: client).signedIn(admin.token)
                #expect(try await alice.get("/admin").status == 200)
                for path in ["/v1/keys", "/metrics", "/admin/v1/audit", "/health"] {
                    #expect(try await alice.get(path).status == 404, "\(path)")
                }
                let wrong = try await alice.post("/admin", [])
                #expect(wrong.status == 405 && wrong.headers[.allow] == "GET, HEAD")
            }
            let metrics = String(decoding: try await world.call(.get, "/metrics").bytes, as: UTF8.self)
            #expect(metrics.contains("route=\"/admin/sign-in\"") && metrics.contains("route=\"/admin\""))
        }
    }

    /// A body that is too large, or not a form's, changes nothing.
    @Test func `A form body that is too large or malformed is refused`() async throws {
        try await World.run(environment: World.pagesOn, hasSimulatorPages: true) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let path = "/admin/accounts/\(player.account)/block"
            let csrf = SessionCookie.formToken(try #require(alice.cookie))
            let large = String(repeating: "x", count: BodyLimits.form.maximumBytes)
            #expect(try await alice.post(path, [("csrf", csrf), ("reason", large)]).status == 413)
            let twice = [("csrf", csrf), ("reason", "a"), ("reason", "b")]
            #expect(try await alice.post(path, twice).status == 400)
            #expect(try await alice.post(path, [("csrf", csrf)] + (0..<1_000).map { ("f\($0)", "") }).status == 400)
            for reason in ["", "   ", String(repeating: "x", count: 501), "a\u{7}b"] {
                let answer = try await alice.post(path, [("csrf", csrf), ("reason", reason)])
                #expect(answer.status == 422 && answer.html.contains("A reason is required"), "\(answer)")
            }
            #expect(try await world.call(.get, "/v1/entitlements", as: player).status == 200)
        }
    }

    @Test func `Forms are read as browsers write them`() throws {
        let form = try FormBody("a=1+%2B%201&b=&c&d=%C3%A9%0D%0A&e=a%3Db&")
        #expect(form["a"] == "1 + 1" && form["b"] == "" && form["c"] == "" && form["d"] == "é" && form["e"] == "a=b")
        #expect(form["nothing"] == "")
        for text in ["a=1&a=2", "a=%", "a=%FF", "%zz=1"] {
            #expect(throws: Problem.self, "\(text)") { try FormBody(text) }
        }
    }
}
