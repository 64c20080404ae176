import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import NIOCore
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer

/// Every route for administrators, and all in it that can name something of another app: a token for some apps is
/// answered as if that were nothing at all, and changes nothing.
@Suite struct NarrowedReachTests {
    /// A request that names something of the other app, in braces.
    struct Probe: Sendable, CustomStringConvertible {
        var query = ""
        var body: JSONValue?
        /// Parts of the path that are not the other app's.
        var path: [String: String] = [:]
        /// The expected status; `nil` for any that is the same.
        var status: Int?

        var description: String { "\(query) \(path) \(body.map { "\($0)" } ?? "")" }
    }

    private static let ours = ["{bundleID}": World.app]
    private static let entry: JSONValue = ["type": "consumable", "credits": ["hints": 5]]

    private static func reason(_ more: [String: JSONValue] = [:], query: String = "", status: Int? = 403) -> Probe {
        Probe(query: query, body: .object(["reason": "ticket 7"].merging(more) { $1 }), status: status)
    }

    private static func dryToo(_ probe: Probe) -> [Probe] {
        var dry = probe
        dry.query = "?dryRun=true"
        return [probe, dry]
    }

    /// For the original transaction of the other app, under its own name and under that of the token's app.
    private static func ofPurchase(_ more: [String: JSONValue]) -> [Probe] {
        dryToo(reason(more.merging(["bundleID": "{app}"]) { $1 }))
            + dryToo(reason(more.merging(["bundleID": .string(World.app)]) { $1 }, status: 404))
    }

    /// About everything, or about the app in the path alone.
    private static let refused = [Probe(body: ["reason": "ticket 7"], status: 403)]

    private static let reports = [Probe(query: "\(span)&app={app}", status: 403), Probe(query: span, status: 403)]
    private static let span = "?by=day&from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z"

    /// A new route needs a row.
    static let table: [String: [Probe]] = [
        "GET /admin/v1/accounts": [
            Probe(query: "?transaction={transaction}", status: 200),
            Probe(query: "?originalTransaction={transaction}", status: 200),
            Probe(query: "?receipt={receipt}", status: 200), Probe(query: "?order={order}", status: 200),
            Probe(query: "?order={order}&bundleID={app}", status: 403), Probe(status: 403),
            Probe(query: "?after={stranger}", status: 403), Probe(query: "?account={stranger}", status: 403),
            Probe(query: "?externalID={app}", status: 403),
        ],
        "GET /admin/v1/accounts/{account}": [Probe(status: 200)],
        "POST /admin/v1/accounts/{account}/credits": dryToo(
            reason(["bundleID": "{app}", "currency": "hints", "amount": 3]))
            + dryToo(reason(["bundleID": .string(World.app), "currency": "{currency}", "amount": 3], status: 422)),
        "POST /admin/v1/accounts/{account}/grants": dryToo(reason(["app": "{app}", "product": "{product}"]))
            + dryToo(reason(["app": .string(World.app), "product": "{product}"], status: 422)),
        "POST /admin/v1/gifts": dryToo(
            reason(["accounts": ["{account}"], "app": "{app}", "product": "{product}"]))
            + dryToo(
                reason(
                    ["accounts": ["{account}"], "app": .string(World.app), "product": "{product}"], status: 422)),
        "DELETE /admin/v1/accounts/{account}/grants/{grant}": dryToo(reason()),
        "POST /admin/v1/accounts/{account}/sandbox-reset": dryToo(reason(["bundleID": "{app}"])) + dryToo(reason()),
        "POST /admin/v1/accounts/{account}/block": refused, "POST /admin/v1/accounts/{account}/unblock": refused,
        "POST /admin/v1/accounts/{account}/sessions/revoke": refused,
        "POST /admin/v1/accounts/{account}/recovery-code": refused,
        "PUT /admin/v1/accounts/{account}/tester": refused, "DELETE /admin/v1/accounts/{account}/tester": refused,
        "PUT /admin/v1/accounts/{account}/external-id": refused,
        "DELETE /admin/v1/accounts/{account}/external-id": refused,
        "POST /admin/v1/accounts/{account}/notes": refused,
        "DELETE /admin/v1/accounts/{account}/notes/{note}": refused,
        "PUT /admin/v1/accounts/{account}/beta": refused, "DELETE /admin/v1/accounts/{account}/beta": refused,
        "POST /admin/v1/original-transactions/{environment}/{originalID}/transfer": ofPurchase(["to": "{account}"]),
        "POST /admin/v1/lines/{environment}/{originalID}/move": ofPurchase(["to": "{account}"]),
        "POST /admin/v1/original-transactions/{environment}/{originalID}/transfer/undo": ofPurchase([:]),
        "POST /admin/v1/original-transactions/{environment}/{originalID}/extend": ofPurchase(["days": 3]),
        "POST /admin/v1/original-transactions/{environment}/{originalID}/app-transaction": ofPurchase([:]),
        "POST /admin/v1/receipts/{receipt}/retry": dryToo(reason()),
        "GET /admin/v1/receipts": [
            Probe(query: "?status=rejected", status: 200), Probe(query: "?status=rejected&limit=1", status: 200),
            Probe(query: "?status=rejected&after={rejected}", status: 400),
            Probe(query: "?status=rejected&bundleID={app}"),
        ],
        "GET /admin/v1/reports/purchases": reports, "GET /admin/v1/reports/subscriptions": reports,
        "GET /admin/v1/reports/refunds": reports,
        "GET /admin/v1/reports/placements": [
            Probe(query: "?from=2026-11-01&to=2026-12-01&app={app}", status: 403),
            Probe(query: "?from=2026-11-01&to=2026-12-01", status: 400),
        ],
        "GET /admin/v1/audit": [
            Probe(query: "?account={account}&limit=1000", status: 200), Probe(status: 403),
            Probe(query: "?account={stranger}&limit=1", status: 200),
        ],
        "GET /admin/v1/notifications": [Probe(query: "?app={app}", status: 403), Probe(status: 403)],
        "GET /admin/v1/apps": [Probe(status: 200)],
        "GET /admin/v1/apps/{bundleID}": refused,
        "PUT /admin/v1/apps/{bundleID}": [
            Probe(body: [:], status: 403), Probe(query: "?dryRun=true", body: [:], status: 403),
            Probe(body: ["bundleID": "{app}"], path: ours, status: 422),
            Probe(query: "?dryRun=true", body: ["placements": ["shop": ["{product}"]]], path: ours, status: 200),
            Probe(body: ["placements": ["shop": ["{product}"]], "bundleID": "{app}"], status: 403),
        ],
        "DELETE /admin/v1/apps/{bundleID}": dryToo(Probe(status: 403)),
        "GET /admin/v1/apps/{bundleID}/products": refused, "GET /admin/v1/apps/{bundleID}/preview": refused,
        "GET /admin/v1/apps/{bundleID}/unavailable-products": refused,
        "POST /admin/v1/apps/{bundleID}/test-notification": dryToo(Probe(status: 403)),
        "GET /admin/v1/apps/{bundleID}/products/{id}": [Probe(status: 403), Probe(path: ours, status: 404)],
        "PUT /admin/v1/apps/{bundleID}/products/{id}": dryToo(Probe(body: entry, status: 403)) + [
            Probe(query: "?dryRun=true", body: entry, path: ours, status: 200),
            Probe(
                body: ["id": "{product}", "type": "consumable"], path: ours.merging(["{id}": "p"]) { $1 }, status: 422),
        ],
        "DELETE /admin/v1/apps/{bundleID}/products/{id}": dryToo(Probe(status: 403)) + [Probe(path: ours, status: 404)],
        "GET /admin/v1/apps/{bundleID}/products/{id}/extend": [Probe(status: 403), Probe(path: ours, status: 404)],
        "POST /admin/v1/apps/{bundleID}/products/{id}/extend": dryToo(reason(["days": 3])) + [
            Probe(body: ["days": 3, "reason": "ticket 7"], path: ours, status: 404)
        ],
        "GET /admin/v1/overview": refused, "GET /admin/v1/testers": refused, "GET /admin/v1/bundles": refused,
        "GET /admin/v1/deliveries": [Probe(query: "?app={app}", status: 403), Probe(status: 403)],
        "GET /admin/v1/bundles/{name}/versions": refused, "POST /admin/v1/bundles/{name}/versions": refused,
        "DELETE /admin/v1/bundles/{name}/versions/{version}": refused,
        "POST /admin/v1/bundles/{name}/versions/{version}/publish": refused,
        "POST /admin/v1/bundles/{name}/versions/{version}/yank": refused,
        "POST /admin/v1/bundles/{name}/versions/{version}/promote": refused,
        "POST /admin/v1/bundles/{name}/versions/{version}/restore": refused,
        "HEAD /admin/v1/content/{sha256}": refused, "PATCH /admin/v1/content/{sha256}": refused,
        "PUT /admin/v1/content/{sha256}": refused,
    ]

    /// Pages of the other app, and of its purchases.
    private static let pages = [
        "/admin/apps/{app}", "/admin/apps/{app}/edit", "/admin/apps/{app}/remove", "/admin/apps/{app}/preview",
        "/admin/apps/{app}/new-product?type=consumable", "/admin/products/{app}/{product}",
        "/admin/products/{app}/{product}/edit", "/admin/products/{app}/{product}/extend?days=3",
        "/admin/products?app={app}",
        "/admin/purchases/Production/{transaction}/transfer?bundleID={app}",
        "/admin/purchases/Production/{transaction}/transfer/undo?bundleID={app}",
        "/admin/purchases/Production/{transaction}/extend?bundleID={app}&days=3",
        "/admin/purchases/Production/{transaction}/app-transaction?bundleID={app}",
        "/admin/purchases/Production/{transaction}/transfer?bundleID=com.example.hangman&to={account}",
        "/admin/receipts/{receipt}/retry", "/admin/receipts?status=rejected&after={rejected}",
        "/admin/receipts?status=rejected&bundleID={app}", "/admin/accounts?transaction={transaction}",
        "/admin/accounts/{account}/grants/{grant}/revoke", "/admin/accounts/{account}/reset-sandbox?app={app}",
        "/admin/accounts/{account}/grant?product={product}", "/admin/accounts/{account}",
        "/admin/apps/com.example.hangman/new-product?type=non-consumable", "/admin/apps/com.example.hangman/edit",
        "/admin/time-zone", "/admin/reports", "/admin/reports?app={app}", "/admin/accounts/{account}/credits",
        "/admin/accounts/{account}/grant", "/admin/accounts?receipt={receipt}", "/admin/accounts?order={order}",
        "/admin/bundles/{name}", "/admin/store", "/admin/catalog",
        "/admin/deliveries", "/admin/audit?account={account}", "/admin/tokens", "/admin/new-app",
    ]

    @Test func `The pages answer a token for some apps about others as about nothing`() async throws {
        try await World.run(products: Stage.products, environment: World.pagesOn, hasServerKey: true) { world in
            let stage = try await Stage(world)
            let visitor = try await world.visitor(.write, name: "carol", for: [BundleID(stored: World.app)])
            for path in Self.pages {
                let asked = Stage.fill(path, stage.theirs)
                let theirs = try await visitor.get(asked)
                let nothing = try await visitor.get(Stage.fill(path, stage.nothing))
                #expect(theirs.status == nothing.status && theirs.status != 500, "\(path): \(theirs.status)")
                for (name, secret) in stage.secrets where !asked.contains(secret) {
                    #expect(!theirs.html.contains(secret), "\(name) in \(path)")
                }
            }
        }
    }

    /// A error in the catalog may be another app's.
    @Test func `A token for some apps is not told the mistake of another app`() async throws {
        try await World.run(products: Stage.products) { world in
            let ours = try await world.newAdmin(name: "ours", for: [BundleID(stored: World.app)])
            let wrong = Stage.products.replacing(#""auto-renewable"}"#, with: #""auto-renewable", "level": 0}"#)
            try wrong.write(to: world.folder.appending(path: "products.json"), atomically: true, encoding: .utf8)
            for (admin, isReported) in [(try await world.newAdmin(), true), (ours, false)] {
                let answer = try await world.put("five", #"{"type": "consumable"}"#, as: admin)
                #expect(answer.status == 409 && answer.json["code"] == "invalid_catalog", "\(answer)")
                #expect(answer.json["detail"].text?.contains("level") == isReported, "\(answer)")
            }
        }
    }

    @Test func `The table of what a token for some apps reaches has every route`() async throws {
        try await World.run { world in
            let routes = world.assembly.routes.main.router.routes.map { "\($0.method) \($0.path)" }
                .filter { $0.contains(" /admin/v1/") }
            #expect(Set(routes).symmetricDifference(Self.table.keys) == [])
        }
    }

    @Test func `A token for some apps is answered about others as about nothing, and changes nothing`() async throws {
        try await World.run(products: Stage.products, hasServerKey: true) { world in
            let stage = try await Stage(world)
            let before = try await stage.recorded()
            for (route, probes) in Self.table.sorted(by: { $0.key < $1.key }) {
                for probe in probes {
                    let (theirs, nothing) = (
                        try await stage.answer(to: route, probe, as: stage.theirs),
                        try await stage.answer(to: route, probe, as: stage.nothing)
                    )
                    #expect(theirs == nothing, "\(route) \(probe)")
                    if let status = probe.status {
                        #expect(theirs.hasPrefix("\(status) "), "\(route) \(probe): \(theirs)")
                    }
                    for (name, secret) in stage.secrets {
                        #expect(!theirs.contains(secret), "\(name) in \(route) \(probe): \(theirs)")
                    }
                }
            }
            #expect(try await stage.recorded() == before)
        }
    }
}

/// An app that the token is for, another one with a player's purchases, and names of nothing.
private struct Stage {
    static let products = """
        {"apps": [
          {"bundleID": "com.example.hangman", "products": [
            {"id": "com.example.hangman.tenhints", "type": "consumable", "credits": {"hints": 10}}]},
          {"bundleID": "com.example.chess", "products": [
            {"id": "com.example.hangman.tenhints", "type": "consumable", "credits": {"moves": 7}},
            {"id": "com.example.chess.board", "type": "non-consumable", "bundles": ["night-theme"]},
            {"id": "com.example.chess.club", "type": "auto-renewable"}]}]}
        """
    private static let chess = "com.example.chess"

    let world: World
    let admin: Player
    /// The names in braces, of the other app and of none.
    var theirs: [String: String]
    var nothing: [String: String]
    /// Nothing of the other app that the request did not name may be in an answer.
    var secrets: [String: String]

    init(_ world: World) async throws {
        self.world = world
        let (player, stranger) = (try await world.newPlayer(), try await world.newPlayer())
        let inChess: [String: JSONValue] = ["bundleID": .string(Self.chess)]
        let hints = try await world.buy("tenhints", "consumable")
        _ = try await world.post(hints.signedTransaction, as: player)
        let board = try await world.buy("tenhints", "consumable", inChess)
        let club = try await world.buy(
            "club", "auto-renewable", inChess.merging(["productID": .string("\(Self.chess).club")]) { $1 })
        let receipt = try await world.post(board.signedTransaction, as: player).json["receipt"].text
        for owner in [player, stranger] { _ = try await world.post(club.signedTransaction, as: owner) }
        var rejected: [String] = []
        for number in 0..<2 {
            let other = try SigningAuthority().jws(["bundleId": .string(Self.chess), "transactionId": .integer(number)])
            let answer = try await world.post(other, as: stranger, bundleID: Self.chess)
            rejected.append(try #require(answer.json["receipt"].text))
        }
        let alice = try await world.newAdmin()
        for amount in [1, 2] {
            let credits: [String: JSONValue] = ["bundleID": .string(Self.chess), "currency": "moves"]
            let given = try await world.act(
                "credits", on: stranger, credits.merging(["amount": .integer(amount)]) { $1 }, as: alice,
                key: "\(amount)")
            #expect(given.status == 200, "\(given)")
        }
        let given = try await world.act(
            "grants", on: player, ["app": .string(Self.chess), "product": .string("\(Self.chess).board")], as: alice,
            key: "grant")
        admin = try await world.newAdmin(name: "ours", for: [BundleID(stored: World.app)])
        theirs = [
            "{app}": Self.chess, "{bundleID}": Self.chess, "{transaction}": club.transactionID,
            "{originalID}": club.originalID, "{receipt}": try #require(receipt), "{rejected}": rejected[0],
            "{grant}": try #require(given.json["grant"].text), "{product}": "\(Self.chess).board",
            "{id}": "\(Self.chess).board", "{currency}": "moves", "{name}": "night-theme", "{order}": "MKSECRET1",
            "{stranger}": stranger.account,
        ]
        nothing = [
            "{app}": "com.example.nothing", "{bundleID}": "com.example.nothing", "{transaction}": "99999",
            "{originalID}": "99999", "{receipt}": "r_nothing", "{rejected}": "r_nothing", "{grant}": "g_nothing",
            "{product}": "com.example.nothing.none", "{id}": "com.example.nothing.none", "{currency}": "nothings",
            "{name}": "no-theme", "{order}": "MKNOTHING1", "{stranger}": UUID().uuidString.lowercased(),
        ]
        for name in ["{account}"] { (theirs[name], nothing[name]) = (player.account, player.account) }
        secrets = theirs.filter { !["{account}", "{currency}"].contains($0.key) }
        for (name, id) in [("board", board.transactionID), ("rejected", rejected[1])] { secrets[name] = id }
        for name in [
            "{environment}": "Production", "{version}": "1.0.0", "{note}": "n_1",
            "{sha256}": String(repeating: "a", count: 64),
        ] { (theirs[name.key], nothing[name.key]) = (name.value, name.value) }
    }

    /// The status and the body of the answer, with what the request named in braces again.
    func answer(
        to route: String, _ probe: NarrowedReachTests.Probe, as named: [String: String]
    ) async throws -> String {
        let parts = route.split(separator: " ")
        let method = try #require(HTTPRequest.Method(String(parts[0])))
        let path = Self.fill(Self.fill(String(parts[1]), probe.path) + probe.query, named)
        let body = try probe.body.map { ByteBuffer(string: Self.fill(try Self.text(of: $0), named)) }
        let answer = try await world.send(method, path, body, as: admin, headers: .key(UUID().uuidString))
        // Of an answer about the app, the names that the request gave.
        let asked = path + (body.map { String(buffer: $0) } ?? "")
        let text = named.filter { asked.contains($0.value) }
            .sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }
            .reduce(String(decoding: answer.bytes, as: UTF8.self)) { $0.replacing($1.value, with: $1.key) }
        return "\(answer.status) \(text)"
    }

    func recorded() async throws -> [String] {
        let row = try await world.ledger.newestAuditRows(of: nil, before: nil, limit: 1).first
        return [try world.catalogText, "\(row?.sequence ?? 0)"]
    }

    private static func text(of value: JSONValue) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    static func fill(_ text: String, _ named: [String: String]) -> String {
        named.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }
}
