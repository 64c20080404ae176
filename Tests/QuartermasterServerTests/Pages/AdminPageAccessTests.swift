import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import QuartermasterServer

/// Every page and every form, and everybody who may come.
@Suite struct AdminPageAccessTests {
    enum Audience {
        case anybody
        /// Administrators who are signed in.
        case administrators
        /// Those who may change something.
        case writers
    }

    enum Visitor: CaseIterable {
        case nobody, player, reader, writer, revoked
        /// May change something, of this app and of another one.
        case appWriter, otherAppWriter
    }

    /// The pages that narrow what they show or do to a token's apps, and name none in their path. Those about a receipt
    /// or a grant that is not there are refused, since nobody knows its app.
    static let narrowed: Set<String> = [
        "/admin", "/admin/accounts", "/admin/accounts/{account}", "/admin/accounts/{account}/credits",
        "/admin/accounts/{account}/grant", "/admin/receipts", "/admin/products", "/admin/reports",
        "/admin/purchases/{environment}/{originalID}/transfer",
        "/admin/purchases/{environment}/{originalID}/transfer/undo",
        "/admin/purchases/{environment}/{originalID}/extend",
    ]

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
        (.get, "/admin/accounts/{account}/credits", .writers),
        (.post, "/admin/accounts/{account}/credits", .writers),
        (.get, "/admin/accounts/{account}/grant", .writers), (.post, "/admin/accounts/{account}/grant", .writers),
        (.get, "/admin/accounts/{account}/grants/{grant}/revoke", .writers),
        (.post, "/admin/accounts/{account}/grants/{grant}/revoke", .writers),
        (.get, "/admin/purchases/{environment}/{originalID}/transfer", .writers),
        (.post, "/admin/purchases/{environment}/{originalID}/transfer", .writers),
        (.get, "/admin/purchases/{environment}/{originalID}/transfer/undo", .writers),
        (.post, "/admin/purchases/{environment}/{originalID}/transfer/undo", .writers),
        (.get, "/admin/purchases/{environment}/{originalID}/extend", .writers),
        (.post, "/admin/purchases/{environment}/{originalID}/extend", .writers),
        (.get, "/admin/receipts/{receipt}/retry", .writers),
        (.post, "/admin/receipts/{receipt}/retry", .writers),
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
        (.get, "/admin/apps/{bundleID}/new-product", .writers),
        (.post, "/admin/apps/{bundleID}/new-product", .writers),
        (.get, "/admin/apps/{bundleID}/preview", .administrators),
        (.get, "/admin/apps/{bundleID}/settings", .administrators),
        (.get, "/admin/apps/{bundleID}/settings/edit", .writers),
        (.post, "/admin/apps/{bundleID}/settings/edit", .writers),
        (.post, "/admin/apps/{bundleID}/settings/save", .writers),
        (.get, "/admin/apps/{bundleID}/settings/remove", .writers),
        (.post, "/admin/apps/{bundleID}/settings/remove", .writers),
        (.get, "/admin/new-app", .writers), (.post, "/admin/new-app", .writers),
        (.get, "/admin/catalog", .administrators),
        (.get, "/admin/catalog/{number}", .administrators),
        (.post, "/admin/catalog/{number}/roll-back", .writers),
        (.get, "/admin/bundles", .administrators),
        (.get, "/admin/bundles/{name}", .administrators),
        (.get, "/admin/bundles/{name}/{version}", .administrators),
        (.get, "/admin/new-version", .writers),
        (.post, "/admin/new-version", .writers),
        (.get, "/admin/store", .administrators), (.get, "/admin/sandbox", .administrators),
        (.get, "/admin/store/test-notification", .writers),
        (.post, "/admin/store/test-notification", .writers),
        (.get, "/admin/reports", .administrators),
        (.get, "/admin/audit", .administrators),
        (.get, "/admin/simulator", .administrators), (.post, "/admin/simulator/buy", .writers),
        (.post, "/admin/simulator/act", .writers), (.post, "/admin/simulator/clock", .writers),
        (.post, "/admin/simulator/faults", .writers), (.post, "/admin/simulator/faults/end", .writers),
        (.get, "/admin/tokens", .administrators),
        (.post, "/admin/tokens/sessions/end", .writers),
    ]

    private static let acts: [Row] = [
        "block", "unblock", "add-tester", "remove-tester", "add-beta", "remove-beta", "end-sessions", "reset-sandbox",
        "recovery-code",
    ].flatMap { act -> [Row] in
        let path = "/admin/accounts/{account}/\(act)"
        return [(.get, path, .writers), (.post, path, .writers)]
    }

    private static let publications = ["publish", "promote", "yank", "restore", "discard"].flatMap { act -> [Row] in
        let path = "/admin/bundles/{name}/{version}/\(act)"
        return [(.get, path, .writers), (.post, path, .writers)]
    }

    private static func isPage(_ path: String) -> Bool {
        path.hasPrefix("/admin") && !path.hasPrefix("/admin/v1")
    }

    @Test func everyPageHasARowAndEveryRowAPage() async throws {
        try await World.run(environment: World.pagesOn, hasSimulatorPages: true) { world in
            let routes = world.assembly.routes.router.routes.filter { Self.isPage($0.path.description) }
            let pages = Set(routes.map { "\($0.method) \($0.path)" })
            let rows = Set(Self.table.map { "\($0.method) \($0.path)" })
            #expect(pages.subtracting(rows) == [], "pages without a row")
            #expect(rows.subtracting(pages) == [], "rows without a page")
            #expect(rows.count == Self.table.count, "a row occurs twice")
        }
        try await World.run { world in
            #expect(
                !world.assembly.routes.router.routes.contains { Self.isPage($0.path.description) }, "off by default")
        }
    }

    @Test func everybodyGetsWhatIsTheirs() async throws {
        try await World.run(environment: World.pagesOn, hasSimulatorPages: true) { world in
            let cast = try await PageCast(world)
            for row in Self.table {
                // Those without a good token count as wrong ones.
                world.clock.advance(by: 60)
                let path = cast.path(row.path)
                for caller in Visitor.allCases {
                    let visitor = try await cast.visitor(caller)
                    let form = visitor.cookie.map { [("csrf", SessionCookie.formToken($0))] } ?? []
                    let answer =
                        row.method == .get ? try await visitor.get(path) : try await visitor.post(path, form)
                    let expected = Self.expected(row, caller)
                    #expect(expected.fits(answer), "\(row.method) \(row.path) \(caller): \(answer)")
                    #expect(!answer.html.contains(cast.subject.token))
                }
            }
        }
    }

    enum Expectation {
        case allowed, toSignIn, signedOut, readOnly, outOfReach

        func fits(_ answer: Answer) -> Bool {
            switch self {
            case .allowed:
                answer.headers[.location]?.hasPrefix("/admin/sign-in?") != true
                    && !answer.html.contains("You are signed out") && !answer.html.contains("read-only")
                    && answer.status != 429 && answer.status != 401
            case .toSignIn: answer.status == 303 && answer.headers[.location]?.hasPrefix("/admin/sign-in") == true
            case .signedOut: answer.status == 403 && answer.html.contains("<h1>You are signed out</h1>")
            case .readOnly: answer.status == 403 && answer.html.contains("read-only")
            case .outOfReach: answer.status == 403 && answer.html.contains("This admin token is for some apps only")
            }
        }
    }

    static func expected(_ row: Row, _ caller: Visitor) -> Expectation {
        switch (row.audience, caller) {
        case (.administrators, .appWriter), (.writers, .appWriter):
            narrowed.contains(row.path) || row.path.contains("{bundleID}") ? .allowed : .outOfReach
        case (.administrators, .otherAppWriter), (.writers, .otherAppWriter):
            narrowed.contains(row.path) ? .allowed : .outOfReach
        case (.anybody, _), (_, .writer), (.administrators, .reader): .allowed
        case (.writers, .reader): .readOnly
        default: row.method == .get ? .toSignIn : .signedOut
        }
    }

    /// The pages of a read-only administrator offer no act.
    @Test func whoMayLookIsOfferedNoAct() async throws {
        try await World.run(environment: World.pagesOn, hasSimulatorPages: true) { world in
            let (cast, bob) = (try await PageCast(world), try await world.visitor(.read, name: "bob"))
            let writer = try await world.visitor(.write, name: "wanda")
            for row in Self.table where row.method == .get && row.audience == .administrators {
                let html = try await bob.get(cast.path(row.path)).html
                let forms = html.matches(of: /<form method="post" action="([^"]*)">/).map { String($0.output.1) }
                #expect(forms == [], "\(row.path)")
                #expect(!html.contains("/credits\"") && !html.contains("/transfer") && !html.contains("/block"))
                #expect(!html.contains("/grant\"") && !html.contains("/revoke\""), "\(row.path)")
                #expect(html.firstMatch(of: #/href="[^"]*\/(edit|off-sale|remove|new-product)/#) == nil, "\(row.path)")
            }
            let html = try await writer.get("/admin/accounts/\(cast.subject.account)").html
            #expect(html.contains("/credits\"") && html.contains("/transfer?") && html.contains("/block\""))
            #expect(html.contains("/grant\""))
        }
    }

    // MARK: Forged requests

    /// A form that another site's page sends, as browsers tell it, is refused, and nothing is recorded.
    static let origins: [(site: String?, origin: String?, isOwn: Bool)] = [
        ("same-origin", nil, true), ("none", nil, true), ("same-origin", "https://example.com", true),
        ("cross-site", nil, false), ("same-site", nil, false), ("cross-site", "http://localhost", false),
        ("", nil, false), (nil, nil, false), (nil, "null", false), (nil, "http://example.com", false),
        (nil, "http://localhost.example.com", false), (nil, "localhost", false), (nil, "http://localhost", false),
    ]

    @Test func onlyFormsOfThisServerAreCarriedOut() async throws {
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

    // MARK: Headers

    @Test func everyPageForbidsWhatItDoesNotNeed() async throws {
        try await World.run(environment: World.pagesOn, hasSimulatorPages: true) { world in
            let (cast, alice) = (try await PageCast(world), try await world.visitor(.write))
            for row in Self.table where row.method == .get {
                let answer = try await alice.get(cast.path(row.path))
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

    /// With an address of their own, the main one has none of them, and theirs nothing else.
    @Test func thePagesCanHaveAnAddressOfTheirOwn() async throws {
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
    @Test func badBodiesAreRefused() async throws {
        try await World.run(environment: World.pagesOn, hasSimulatorPages: true) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let path = "/admin/accounts/\(player.account)/block"
            let csrf = SessionCookie.formToken(try #require(alice.cookie))
            let large = String(repeating: "x", count: BodyLimits.form.maximumBytes)
            #expect(try await alice.post(path, [("csrf", csrf), ("reason", large)]).status == 413)
            let twice = [("csrf", csrf), ("reason", "a"), ("reason", "b")]
            #expect(try await alice.post(path, twice).status == 400)
            #expect(try await alice.post(path, [("csrf", csrf)] + (0..<64).map { ("f\($0)", "") }).status == 400)
            for reason in ["", "   ", String(repeating: "x", count: 501), "a\u{7}b"] {
                let answer = try await alice.post(path, [("csrf", csrf), ("reason", reason)])
                #expect(answer.status == 422 && answer.html.contains("A reason is required"), "\(answer)")
            }
            #expect(try await world.call(.get, "/v1/entitlements", as: player).status == 200)
        }
    }

    @Test func formsAreReadAsBrowsersWriteThem() throws {
        let form = try FormBody("a=1+%2B%201&b=&c&d=%C3%A9%0D%0A&e=a%3Db&")
        #expect(form["a"] == "1 + 1" && form["b"] == "" && form["c"] == "" && form["d"] == "é" && form["e"] == "a=b")
        #expect(form["nothing"] == "")
        for text in ["a=1&a=2", "a=%", "a=%FF", "%zz=1"] {
            #expect(throws: Problem.self, "\(text)") { try FormBody(text) }
        }
    }
}

/// Those who come to the pages, and an account to look at.
private struct PageCast {
    let subject: Player
    private let world: World
    private let visitors: [AdminPageAccessTests.Visitor: PageVisitor]

    init(_ world: World) async throws {
        self.world = world
        subject = try await world.newPlayer()
        let bought = try await world.buy("hardwords", "non-consumable")
        #expect(try await world.post(bought.signedTransaction, as: subject).status == 200)
        var player = world.visitor
        player.cookie = subject.token
        let revoked = try await world.visitor(.write, name: "revoked")
        #expect(
            try await world.ledger.revokeAdminToken(
                named: "revoked", by: .command(user: "root"), at: world.clock.now))
        visitors = [.nobody: world.visitor, .player: player, .revoked: revoked]
        _ = try await world.newAdmin(.read, name: "reader")
        _ = try await world.newAdmin(.write, name: "writer")
        _ = try await world.newAdmin(.write, name: "appWriter", for: [BundleID(stored: World.app)])
        _ = try await world.newAdmin(.write, name: "otherAppWriter", for: ["com.example.chess"])
    }

    /// Administrators come with a new session each time, since one of the forms ends it.
    func visitor(_ caller: AdminPageAccessTests.Visitor) async throws -> PageVisitor {
        if let visitor = visitors[caller] { return visitor }
        let token = try #require(try await world.ledger.adminToken(named: "\(caller)"))
        let sessions = AdminSessions(ledger: world.ledger, random: systemRandomBytes)
        var visitor = world.visitor
        visitor.cookie = try await sessions.open(token, from: nil, at: world.clock.now)
        return visitor
    }

    func path(_ route: String) -> String {
        let parts = [
            "{account}": subject.account, "{environment}": "Production", "{originalID}": "1", "{code}": "x",
            "{bundleID}": World.app, "{id}": "\(World.app).hardwords", "{number}": "1", "{name}": "hard-words",
            "{version}": "9.9.9",
            "{receipt}": "r_1", "{grant}": "g_1",
        ]
        return parts.reduce(route) { $0.replacing($1.key, with: $1.value) }
    }
}
