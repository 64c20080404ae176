import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import ServerTestSupport
import Testing

@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Errors that several routes share, tried on each of these routes: docs/openapi.yaml lists them for each one.
@Suite struct SharedErrorTests {
    private typealias Route = (method: HTTPRequest.Method, path: String)

    /// Those that are not for reading, without the pages.
    private static func routes(of world: World) -> [(route: Route, body: RouteBody)] {
        world.assembly.routes.main.table.routes
            .filter { $0.callers != .visitors && $0.method != .get && $0.method != .head }
            .map { (($0.method, $0.template), $0.facts.body) }
    }

    /// Good for every route whose body is JSON.
    private static let body: JSONValue = [
        "reason": "ticket 7", "to": .string(UUID().uuidString), "amount": 1, "currency": "hints", "version": "9.0.0",
        "files": [], "type": "consumable", "days": 1, "product": "x",
        "externalID": "4711", "text": "called", "accounts": ["x"],
    ]

    private static var headers: HTTPFields {
        var headers = HTTPFields.key("k")
        headers[.uploadOffset] = "0"
        return headers
    }

    /// - Parameter parts: what is in the places of the path; for all others something that exists.
    private static func path(_ route: Route, _ parts: [String: String] = [:]) -> String {
        let usual = [
            "{bundleID}": World.app, "{id}": "x", "{name}": "hard-words", "{currency}": "hints", "{version}": "9.0.0",
            "{sha256}": String(repeating: "0", count: 64), "{account}": UUID().uuidString,
            "{environment}": "Production", "{originalID}": "1", "{receipt}": "r_1", "{grant}": "g_1", "{note}": "n_1",
        ]
        return usual.merging(parts) { $1 }.reduce(route.path) { $0.replacing($1.key, with: $1.value) }
    }

    @Test func `An unknown account is not found on any route`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin()
            for (route, _) in Self.routes(of: world) where route.path.contains("{account}") {
                try await world.call(route.method, Self.path(route), Self.body, as: admin, headers: Self.headers)
                    .expect(ExpectedProblem(404, "not_found"), "\(route)")
            }
        }
    }

    @Test func `An unknown app is not found on any route`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            guard case .object(var body) = Self.body else { return }
            body["bundleID"] = "com.example.none"
            body["app"] = "com.example.none"
            for end in [
                "/credits", "/grants", "/sandbox-reset", "/spend", "/move", "/transfer", "/undo", "/extend",
                "/gifts",
            ] {
                for (route, _) in Self.routes(of: world) where route.path.hasSuffix(end) {
                    let path = Self.path(route, ["{account}": player.account, "{bundleID}": "com.example.none"])
                    try await world.call(
                        route.method, path, .object(body), as: path.hasPrefix("/admin") ? admin : player,
                        headers: Self.headers
                    ).expect(ExpectedProblem(404, "unknown_app"), "\(route)")
                }
            }
            let other = World.productPath("x", app: "com.example.none")
            try await world.call(.put, other, ["type": "consumable"], as: admin)
                .expect(ExpectedProblem(404, "unknown_app"))
        }
    }

    /// No name has a control character, so one that has is not found.
    @Test func `A name with a control character is not found on any route`() async throws {
        let reads: [Route] = [(.get, "/admin/v1/apps/{bundleID}/products/{id}"), (.get, "/admin/v1/apps/{bundleID}")]
        try await World.run { world in
            let admin = try await world.newAdmin()
            for route in Self.routes(of: world).map(\.route) + reads where route.path.hasPrefix("/admin") {
                for place in ["{bundleID}", "{id}", "{name}", "{version}", "{sha256}", "{originalID}"]
                where route.path.contains(place) {
                    try await world.call(
                        route.method, Self.path(route, [place: "a%00b"]), Self.body, as: admin, headers: Self.headers
                    ).expect(ExpectedProblem(404, "not_found"), "\(route) \(place)")
                }
            }
        }
    }

    @Test func `A body with too many members is refused on every route`() async throws {
        let large = ByteBuffer(repeating: 0x20, count: Limits.smallBodyBytes + 1)
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            for case (let route, .json(let body)) in Self.routes(of: world)
            where body.limits.maximumBytes == Limits.smallBodyBytes {
                let path = Self.path(route, ["{account}": player.account])
                try await world.send(
                    route.method, path, large, as: path.hasPrefix("/admin") ? admin : player, headers: Self.headers
                ).expect(.requestTooLarge, "\(route)")
            }
            let settings = ByteBuffer(repeating: 0x20, count: AppEntry.maximumBytes + 1)
            try await world.send(.put, "/admin/v1/apps/\(World.app)", settings, as: admin).expect(.requestTooLarge)
            let list = ByteBuffer(repeating: 0x20, count: BodyLimits.accounts.maximumBytes + 1)
            try await world.send(.post, "/admin/v1/gifts", list, as: admin, headers: Self.headers)
                .expect(.requestTooLarge)
            let notification = ByteBuffer(repeating: 0x20, count: BodyLimits.notification.maximumBytes + 1)
            try await world.send(.post, "/v1/notifications/app-store", notification).expect(.requestTooLarge)
        }
    }

    @Test func `Reading the catalog obeys preconditions`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin()
            let entry = World.productPath(World.app + ".hardwords")
            let tag = try #require(try await world.call(.get, entry, as: admin).headers[.eTag])
            let apps = "/admin/v1/apps"
            for path in [apps, "\(apps)/\(World.app)", "\(apps)/\(World.app)/products", entry] {
                let unchanged = try await world.call(.get, path, as: admin, headers: [.ifNoneMatch: tag])
                #expect(unchanged.status == 304 && unchanged.bytes.isEmpty && unchanged.headers[.eTag] == tag)
                let other = try await world.call(.get, path, as: admin, headers: [.ifMatch: "\"x\""])
                other.expect(ExpectedProblem(412, "precondition_failed"), "\(path)")
                #expect(other.headers[.eTag] == tag)
            }
            let products = "/v1/apps/\(World.app)/products"
            let failed = try await world.call(.get, products, headers: [.ifMatch: "\"x\""])
            #expect(failed.status == 412 && failed.bytes.isEmpty && failed.headers[.eTag] != nil)
        }
    }

    @Test func `A broken catalog is not edited`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin()
            try world.write(try world.catalogText.replacing("\"consumable\"", with: "\"lootbox\""))
            for path in [World.productPath(World.app + ".hardwords"), "/admin/v1/apps/\(World.app)"] {
                try await world.call(.delete, path, as: admin).expect(ExpectedProblem(409, "invalid_catalog"))
            }
            try await world.call(.put, "/admin/v1/apps/\(World.app)", [:], as: admin)
                .expect(ExpectedProblem(409, "invalid_catalog"))
        }
    }

    @Test func `Another spend needs another key`() async throws {
        try await World.run { world in
            let player = try await world.buyer(of: "tenhints", "consumable")
            let path = "/v1/balances/hints/spend"
            #expect(try await world.call(.post, path, ["amount": 1], as: player, headers: .key("k")).status == 200)
            try await world.call(.post, path, ["amount": 2], as: player, headers: .key("k"))
                .expect(ExpectedProblem(422, "idempotency_key_reused"))
        }
    }

    @Test func `A link does not download another file`() async throws {
        try await World.run { world in
            let player = try await world.buyer(of: "hardwords")
            let manifest = try await world.manifest(of: "hard-words", as: player).json
            let url = try #require(manifest["files"][0]["url"].text)
            try await world.call(.get, url, headers: [.ifMatch: "\"x\""])
                .expect(ExpectedProblem(412, "precondition_failed"))
            let long = "/v1/bundles?appVersion=" + String(repeating: "1", count: 65)
            try await world.call(.get, long, as: player).expect(.invalid)
        }
    }
}

/// Refusals because of a version's state.
@Suite struct VersionStateTests {
    private static func post(_ act: String, _ version: String, _ world: World, _ admin: Player) async throws -> Answer {
        try await world.call(.post, "\(World.versionsPath)/\(version)/\(act)", as: admin)
    }

    @Test func `A draft is neither yanked nor restored nor promoted`() async throws {
        try await World.runPublishing { world, admin, _ in
            let draft = World.versionManifest("1.1.0")
            #expect(try await world.call(.post, World.versionsPath, draft, as: admin).status == 201)
            for act in ["yank", "restore", "promote"] {
                try await Self.post(act, "1.1.0", world, admin)
                    .expect(ExpectedProblem(409, "version_state", reason: "draft"), "\(act)")
            }
            #expect(try await Self.post("yank", "1.0.0", world, admin).status == 200)
            try await world.call(.delete, World.versionsPath + "/1.0.0", as: admin)
                .expect(ExpectedProblem(409, "version_state", reason: "yanked"))
        }
    }

    @Test func `A draft that was overtaken is not published`() async throws {
        let file = ["words.txt": "jazz"]
        try await World.runPublishing { world, admin, _ in
            let path = "/admin/v1/content/" + World.sha256("jazz")
            for version in ["1.1.0", "1.2.0"] {
                let draft = World.versionManifest(version, file)
                #expect(try await world.call(.post, World.versionsPath, draft, as: admin).status == 201)
            }
            #expect(try await world.send(.put, path, ByteBuffer(string: "jazz"), as: admin).status == 204)
            #expect(try await Self.post("publish", "1.2.0", world, admin).status == 200)
            try await Self.post("publish", "1.1.0", world, admin).expect(ExpectedProblem(409, "version_not_newer"))
        }
    }

    @Test func `An invalid bundle name is refused`() async throws {
        try await World.runPublishing { world, admin, _ in
            let path = "/admin/v1/bundles/.hidden/versions/1.0.0"
            for act in ["publish", "yank", "restore", "promote"] {
                try await world.call(.post, "\(path)/\(act)", as: admin)
                    .expect(ExpectedProblem(422, "invalid_bundle"), "\(act)")
            }
            try await world.call(.delete, path, as: admin).expect(ExpectedProblem(422, "invalid_bundle"))
        }
    }
}
