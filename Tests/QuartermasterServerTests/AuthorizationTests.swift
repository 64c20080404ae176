import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerHTTP

/// Every route and everybody who may come: the routes are the router's own, so that none is forgotten.
@Suite struct AuthorizationTests {
    /// The callers that a route is for.
    enum Audience {
        case anybody
        case players
        /// For its owner only; for other players it does not exist.
        case owner
        /// Players who bought something.
        case buyers
        case administrators
        /// Administrators who may act on accounts and what they own.
        case supporters
        /// Administrators who may change everything.
        case writers
    }

    enum Caller: CaseIterable {
        case nobody, player, otherPlayer, blockedPlayer, signedOutPlayer, reader, supporter, writer, revokedAdmin
        /// May change something, of this app and of another one.
        case appWriter, otherAppWriter
    }

    /// The routes that narrow what they read or do to a token's apps, and name none in their path.
    static let narrowed: Set<String> = [
        "/admin/v1/apps", "/admin/v1/receipts", "/admin/v1/receipts/{receipt}/retry",
        "/admin/v1/reports/purchases", "/admin/v1/reports/subscriptions", "/admin/v1/reports/refunds",
        "/admin/v1/reports/placements",
        "/admin/v1/accounts/{account}", "/admin/v1/accounts/{account}/credits", "/admin/v1/gifts",
        "/admin/v1/accounts/{account}/grants", "/admin/v1/accounts/{account}/grants/{grant}",
        "/admin/v1/accounts/{account}/sandbox-reset", "/admin/v1/lines/{environment}/{originalID}/move",
        "/admin/v1/original-transactions/{environment}/{originalID}/transfer",
        "/admin/v1/original-transactions/{environment}/{originalID}/transfer/undo",
        "/admin/v1/original-transactions/{environment}/{originalID}/extend",
        "/admin/v1/original-transactions/{environment}/{originalID}/app-transaction",
    ]

    /// A new route needs a row here: its method, its path in the router, and whom it is for.
    static let table: [(method: HTTPRequest.Method, path: String, audience: Audience)] = [
        (.get, "/health", .anybody),
        (.get, "/ready", .anybody),
        (.get, "/metrics", .anybody),
        (.get, "/openapi.yaml", .anybody),
        (.get, "/v1/keys", .anybody),
        (.get, "/v1/apps/{bundleID}/products", .anybody),
        (.post, "/v1/apps/{bundleID}/unavailable-products", .anybody),
        (.get, "/v1/content/{sha256}", .anybody),
        (.head, "/v1/content/{sha256}", .anybody),
        (.post, "/v1/accounts", .anybody),
        (.post, "/v1/sessions", .anybody),
        (.post, "/v1/notifications/app-store", .anybody),
        (.delete, "/v1/sessions/current", .players),
        (.put, "/v1/accounts/current/consumption-consent", .players),
        (.post, "/v1/apps/{bundleID}/offer-signatures", .players),
        (.get, "/v1/purchases", .players), (.get, "/v1/balances/{currency}/postings", .players),
        (.get, "/v1/entitlements", .players),
        (.post, "/v1/balances/{currency}/spend", .players),
        (.post, "/v1/receipts", .players),
        (.get, "/v1/receipts/{id}", .owner),
        (.post, "/v1/restore", .players),
        (.get, "/v1/bundles", .players),
        (.get, "/v1/bundles/{name}", .buyers),
        (.post, "/v1/deliveries/{id}/confirm", .players),
        (.get, "/admin/v1/audit", .administrators),
        (.get, "/admin/v1/apps", .administrators),
        (.get, "/admin/v1/apps/{bundleID}", .administrators),
        (.put, "/admin/v1/apps/{bundleID}", .writers),
        (.delete, "/admin/v1/apps/{bundleID}", .writers),
        (.post, "/admin/v1/apps/{bundleID}/test-notification", .writers),
        (.get, "/admin/v1/testers", .administrators),
        (.get, "/admin/v1/apps/{bundleID}/products", .administrators),
        (.get, "/admin/v1/apps/{bundleID}/products/{id}", .administrators),
        (.put, "/admin/v1/apps/{bundleID}/products/{id}", .writers),
        (.delete, "/admin/v1/apps/{bundleID}/products/{id}", .writers),
        (.get, "/admin/v1/apps/{bundleID}/products/{id}/extend", .administrators),
        (.post, "/admin/v1/apps/{bundleID}/products/{id}/extend", .writers),
        (.get, "/admin/v1/apps/{bundleID}/preview", .administrators),
        (.get, "/admin/v1/apps/{bundleID}/unavailable-products", .administrators),
        (.get, "/admin/v1/deliveries", .administrators),
        (.get, "/admin/v1/notifications", .administrators),
        (.get, "/admin/v1/overview", .administrators),
        (.get, "/admin/v1/receipts", .administrators),
        (.get, "/admin/v1/reports/purchases", .administrators),
        (.get, "/admin/v1/reports/subscriptions", .administrators),
        (.get, "/admin/v1/reports/refunds", .administrators),
        (.get, "/admin/v1/reports/placements", .administrators),
        (.get, "/admin/v1/accounts", .administrators),
        (.get, "/admin/v1/accounts/{account}", .administrators),
        (.post, "/admin/v1/accounts/{account}/credits", .supporters),
        (.post, "/admin/v1/accounts/{account}/grants", .supporters),
        (.delete, "/admin/v1/accounts/{account}/grants/{grant}", .supporters),
        (.post, "/admin/v1/gifts", .supporters),
        (.post, "/admin/v1/accounts/{account}/block", .supporters),
        (.post, "/admin/v1/accounts/{account}/unblock", .supporters),
        (.post, "/admin/v1/accounts/{account}/sessions/revoke", .supporters),
        (.put, "/admin/v1/accounts/{account}/tester", .supporters),
        (.delete, "/admin/v1/accounts/{account}/tester", .supporters),
        (.put, "/admin/v1/accounts/{account}/external-id", .supporters),
        (.delete, "/admin/v1/accounts/{account}/external-id", .supporters),
        (.post, "/admin/v1/accounts/{account}/notes", .supporters),
        (.delete, "/admin/v1/accounts/{account}/notes/{note}", .supporters),
        (.put, "/admin/v1/accounts/{account}/beta", .supporters),
        (.delete, "/admin/v1/accounts/{account}/beta", .supporters),
        (.post, "/admin/v1/accounts/{account}/sandbox-reset", .supporters),
        (.get, "/admin/v1/bundles", .administrators),
        (.get, "/admin/v1/bundles/{name}/versions", .administrators),
        (.post, "/admin/v1/bundles/{name}/versions", .writers),
        (.delete, "/admin/v1/bundles/{name}/versions/{version}", .writers),
        (.post, "/admin/v1/bundles/{name}/versions/{version}/publish", .writers),
        (.post, "/admin/v1/bundles/{name}/versions/{version}/yank", .writers),
        (.post, "/admin/v1/bundles/{name}/versions/{version}/promote", .writers),
        (.post, "/admin/v1/bundles/{name}/versions/{version}/restore", .writers),
        (.head, "/admin/v1/content/{sha256}", .administrators),
        (.patch, "/admin/v1/content/{sha256}", .writers),
        (.put, "/admin/v1/content/{sha256}", .writers),
        (.post, "/admin/v1/lines/{environment}/{originalID}/move", .supporters),
        (.post, "/admin/v1/original-transactions/{environment}/{originalID}/transfer", .supporters),
        (.post, "/admin/v1/original-transactions/{environment}/{originalID}/transfer/undo", .supporters),
        (.post, "/admin/v1/original-transactions/{environment}/{originalID}/extend", .supporters),
        (.post, "/admin/v1/original-transactions/{environment}/{originalID}/app-transaction", .supporters),
        (.post, "/admin/v1/accounts/{account}/recovery-code", .supporters),
        (.post, "/admin/v1/receipts/{receipt}/retry", .supporters),
    ]

    @Test func `The table of permissions has every route and no other`() async throws {
        try await World.run { world in
            let routes = Set(world.assembly.routes.main.router.routes.map { "\($0.method) \($0.path)" })
            let rows = Set(Self.table.map { "\($0.method) \($0.path)" })
            #expect(routes.subtracting(rows) == [], "routes without a row")
            #expect(rows.subtracting(routes) == [], "rows without a route")
            #expect(rows.count == Self.table.count, "a row occurs twice")
        }
    }

    @Test func `Every caller gets on every route what they may`() async throws {
        try await World.run { world in
            let cast = try await Cast(world)
            for row in Self.table {
                // Six of a row's callers have no good admin token, and ten in a minute are too many.
                world.clock.advance(by: 60)
                let methods: [HTTPRequest.Method] = row.method == .get ? [.get, .head] : [row.method]
                for caller in Caller.allCases {
                    for method in methods {
                        let path = try await cast.path(row.path)
                        let answer = try await world.call(method, path, as: try await cast.credentials(of: caller))
                        let expected = Self.expected(row.audience, caller, row.path)
                        #expect(expected.fits(answer, to: method), "\(method) \(row.path) \(caller): \(answer)")
                        guard answer.status == 401, method != .head else { continue }
                        let token = row.path.hasPrefix("/admin/") ? "<adminToken>" : "<accessToken>"
                        #expect(answer.json["detail"].text?.contains(token) == true, "\(row.path): \(answer)")
                    }
                }
            }
        }
    }

    /// The refusal of a caller on a route that is for others.
    enum Expectation {
        case allowed, unauthenticated, forbidden, blocked, notThere, notEntitled

        func fits(_ answer: Answer, to method: HTTPRequest.Method) -> Bool {
            let refusal: (status: Int, code: String)? =
                switch self {
                case .allowed: nil
                case .unauthenticated: (401, "unauthenticated")
                case .forbidden: (403, "forbidden")
                case .blocked: (403, "account_blocked")
                case .notThere: (404, "not_found")
                case .notEntitled: (403, "not_entitled")
                }
            guard let refusal else { return answer.status != 401 && answer.status != 403 && answer.status != 429 }
            return answer.status == refusal.status && (method == .head || answer.json["code"].text == refusal.code)
        }
    }

    static func expected(_ audience: Audience, _ caller: Caller, _ path: String) -> Expectation {
        switch (audience, caller) {
        case (.administrators, .appWriter), (.supporters, .appWriter), (.writers, .appWriter):
            narrowed.contains(path) || path.contains("{bundleID}") ? .allowed : .forbidden
        case (.administrators, .otherAppWriter), (.supporters, .otherAppWriter), (.writers, .otherAppWriter):
            narrowed.contains(path) ? .allowed : .forbidden
        case (.anybody, _), (.players, .player), (.players, .otherPlayer), (.owner, .player), (.buyers, .player),
            (.administrators, .reader), (.administrators, .supporter), (.administrators, .writer),
            (.supporters, .supporter), (.supporters, .writer), (.writers, .writer):
            .allowed
        case (.owner, .otherPlayer): .notThere
        case (.buyers, .otherPlayer): .notEntitled
        case (.players, .blockedPlayer), (.owner, .blockedPlayer), (.buyers, .blockedPlayer): .blocked
        case (.supporters, .reader), (.writers, .reader), (.writers, .supporter): .forbidden
        default: .unauthenticated
        }
    }
}

/// A caller, and what the call is about.
private struct Cast {
    private let world: World
    private let player: Player
    private let callers: [AuthorizationTests.Caller: Player]
    /// An account that administrators act on.
    private let subject: Player
    private let receipt: String

    init(_ world: World) async throws {
        self.world = world
        player = try await world.newPlayer()
        subject = try await world.newPlayer()
        let bought = try await world.buy("hardwords", "non-consumable")
        receipt = try #require(try await world.post(bought.signedTransaction, as: player).json["receipt"].text)
        let (blocked, signedOut) = (try await world.newPlayer(), try await world.newPlayer())
        let writer = try await world.newAdmin(.write, name: "writer")
        #expect(try await world.act("block", on: blocked, as: writer).status == 200)
        #expect(try await world.call(.delete, "/v1/sessions/current", as: signedOut).status == 204)
        let revoked = try await world.newAdmin(.write, name: "revoked")
        #expect(
            try await world.ledger.revokeAdminToken(named: "revoked", by: .command(user: "root"), at: world.clock.now))
        callers = [
            .otherPlayer: try await world.newPlayer(), .blockedPlayer: blocked, .signedOutPlayer: signedOut,
            .reader: try await world.newAdmin(.read, name: "reader"),
            .supporter: try await world.newAdmin(.support, name: "supporter"), .writer: writer, .revokedAdmin: revoked,
            .appWriter: try await world.newAdmin(name: "appWriter", for: [BundleID(stored: World.app)]),
            .otherAppWriter: try await world.newAdmin(name: "otherAppWriter", for: ["com.example.chess"]),
        ]
    }

    /// Players come with a new session each time, since one of the routes ends it.
    func credentials(of caller: AuthorizationTests.Caller) async throws -> Player? {
        switch caller {
        case .nobody: nil
        case .player: try await world.secondDevice(of: player)
        case .otherPlayer: try await world.secondDevice(of: try #require(callers[caller]))
        default: callers[caller]
        }
    }

    /// The route's path with existing things in its places.
    func path(_ route: String) async throws -> String {
        if route.hasPrefix("/v1/content/") {
            let manifest = try await world.call(
                .get, "/v1/bundles/hard-words", as: try await world.secondDevice(of: player))
            return try #require(manifest.json["files"][0]["url"].text)
        }
        let parts = [
            "{bundleID}": World.app, "{id}": receipt, "{name}": "hard-words", "{currency}": "hints",
            "{version}": "9.0.0", "{sha256}": String(repeating: "0", count: 64), "{account}": subject.account,
            "{environment}": "Production", "{originalID}": "1", "{receipt}": "r_1", "{grant}": "g_1", "{note}": "n_1",
        ]
        return parts.reduce(route) { $0.replacing($1.key, with: $1.value) }
    }
}
