import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import ServerTestSupport
import Testing

@testable import CommandLine

/// Requests whose path, query, headers or values are wrong get a coded problem.
@Suite struct BadRequestTests {
    static let names = [
        "..", ".", "%2e%2e", "..%2f..%2fproducts.json", "%2e%2e%2f%2e%2e", "%00", "hard-words%00", "%ff", "%c3%28", "%",
        "%zz", "%F0%9F%8E%A9", "hard-words%20", "HARD-WORDS", "hard-words;x", "*", "~", "'", "%27%20OR%201=1--", "\\",
        String(repeating: "a", count: 3_000), String(repeating: "%2e", count: 1_000),
    ]

    @Test(arguments: [
        ("/v1/bundles/", "", "unknown_bundle"), ("/v1/apps/", "/products", "unknown_app"),
        ("/v1/receipts/", "", "not_found"),
    ])
    func `An unknown name in a path is not found`(path: String, rest: String, code: String) async throws {
        try await World.run { world in
            try await world.unharmed { player in
                for name in Self.names {
                    let answer = try await world.raw("GET", path + name + rest, as: player)
                    #expect(answer.statuses == [404], "\(name): \(answer)")
                    let isCoded = answer.contains("\"code\":\"\(code)\"") || answer.contains("\"code\":\"not_found\"")
                    #expect(isCoded, "\(name): \(answer)")
                }
            }
        }
    }

    /// A proxy that guards a path takes one with an empty segment for another.
    @Test func `A path with an empty segment is not found`() async throws {
        try await World.run(environment: ["QUARTERMASTER_ADMIN_PAGES": "true"]) { world in
            let admin = try await world.newAdmin()
            for path in ["/health", "/v1/apps/\(World.app)/products", "/admin/v1/apps", "/admin/", "/metrics"] {
                #expect(try await world.raw("GET", path, as: admin).statuses != [404], "\(path)")
                for place in path.indices where path[place] == "/" {
                    let wrong = path[..<place] + "/" + path[place...]
                    let answer = try await world.raw("GET", String(wrong), as: admin)
                    #expect(answer.statuses == [404], "\(wrong)")
                    #expect(answer.contains("\"code\":\"not_found\""), "\(wrong)")
                }
            }
        }
    }

    @Test func `No path leads out of the content folder`() async throws {
        try await World.run { world in
            try await world.unharmed { player in
                for name in Self.names + ["../../products.json", "hard-words/1.0.0/words.txt"] {
                    for query in ["", "?grant=", "?grant=\(name)", "?grant=%ff", "?grant=%"] {
                        let answer = try await world.raw("GET", "/v1/content/\(name)\(query)", as: player)
                        #expect(answer.statuses == [403] || answer.statuses == [404], "\(name)\(query): \(answer)")
                    }
                }
            }
        }
    }

    static let queries = [
        "?bundleID", "?=", "?&&&", "?bundleID=%", "?bundleID=%zz", "?bundleID=%ff", "?bundleID=%00",
        "?bundleID=com.example.chess", "?environment=%", "?environment=nowhere", "?environment=production",
        "?environment=", "?environment=%F0%9F%8E%A9",
        "?\(String(repeating: "a=b&", count: 900))environment=no",
    ]

    @Test func `A broken query is refused or ignored`() async throws {
        try await World.run { world in
            try await world.unharmed { player in
                for query in Self.queries {
                    for path in ["/v1/apps/\(World.app)/products", "/v1/bundles/hard-words"] {
                        let answer = try await world.raw("GET", path + query, as: player)
                        #expect(answer.statuses == [200], "\(path)\(query): \(answer)")
                    }
                    let answer = try await world.raw("GET", "/v1/entitlements" + query, as: player)
                    let expected = query.contains("environment=") ? 400 : query.contains("bundleID") ? 404 : 200
                    #expect(answer.statuses == [expected], "\(query): \(answer)")
                }
            }
        }
    }

    static let versions = [
        "1", "1.0", "1.0.0.0", "v1.0.0", "..", "%2e%2e", "1.0.%00", "99999999999999999999.0.0", "-1.0.0", "",
    ]

    @Test func `A malformed version is unknown`() async throws {
        try await World.run { world in
            try await world.unharmed { player in
                for version in Self.versions {
                    let answer = try await world.raw("GET", "/v1/bundles/hard-words?version=\(version)", as: player)
                    #expect(answer.statuses == [404] && answer.contains("unknown_bundle"), "\(version): \(answer)")
                }
            }
        }
    }

    @Test func `An altered link opens nothing`() async throws {
        try await World.run { world in
            try await world.unharmed { player in
                let manifest = try await world.call(.get, "/v1/bundles/hard-words", as: player).json
                let url = try #require(manifest["files"][0]["url"].text)
                #expect(try await world.call(.get, url).status == 200)
                let refused = ExpectedProblem(403, "invalid_grant")
                for place in url.indices where place > url.startIndex && url[place...].count <= 100 {
                    let other = url[place] == "0" ? "1" : "0"
                    let altered = url.replacingCharacters(in: place...place, with: other)
                    guard altered.contains("?grant=") else { continue }
                    try await world.call(.get, altered).expect(refused, "\(altered)")
                }
                let other = try #require(manifest["files"][1]["sha256"].text)
                let mine = try #require(manifest["files"][0]["sha256"].text)
                try await world.call(.get, url.replacing(mine, with: other)).expect(refused)
                try await world.call(.get, url.replacing(mine, with: String(repeating: "0", count: 64))).expect(refused)
                world.clock.advance(by: 24 * 3600)
                try await world.call(.get, url).expect(refused, "a stale grant")
                world.clock.advance(by: -24 * 3600)
            }
        }
    }

    @Test func `An unknown method is answered with a coded problem`() async throws {
        let paths = [
            "/health", "/v1/receipts", "/v1/accounts", "/v1/entitlements", "/v1/sessions/current", "/nowhere", "*", "/",
        ]
        try await World.run { world in
            try await world.unharmed { player in
                for method in ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"] {
                    for path in paths where (method, path) != ("DELETE", "/v1/sessions/current") {
                        let answer = try await world.raw(method, path, as: player)
                        #expect(answer.statuses == [404] || answer.statuses == [405], "\(method) \(path): \(answer)")
                        #expect(answer.contains("application/problem+json"), "\(method) \(path): \(answer)")
                    }
                }
            }
        }
    }

    static let tokens = [
        "", "x", "Bearer", "Bearer ", "Bearer x", "Basic eDp5", "Bearer \(String(repeating: "x", count: 7_000))",
    ]

    static let playersRoutes = [
        ("GET", "/v1/entitlements"), ("POST", "/v1/receipts"), ("POST", "/v1/restore"),
        ("POST", "/v1/balances/hints/spend"), ("DELETE", "/v1/sessions/current"), ("GET", "/v1/receipts/r_x"),
        ("GET", "/v1/bundles/hard-words"),
    ]

    @Test func `A wrong access token is unauthenticated`() async throws {
        try await World.run { world in
            try await world.unharmed { _ in
                for (authorization, (method, path)) in Self.tokens.flatMap({ token in
                    Self.playersRoutes.map { (token, $0) }
                }) {
                    let answer = try await RawConnection.exchange(
                        "\(method) \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: \(authorization)\r\n\r\n",
                        port: world.port)
                    #expect(answer.statuses == [401] && answer.contains("WWW-Authenticate: Bearer"), "\(answer)")
                    #expect(answer.contains("\"code\":\"unauthenticated\""))
                }
            }
        }
    }
}

extension World {
    /// An exchange whose path goes out letter by letter as given.
    func raw(_ method: String, _ path: String, as player: Player? = nil) async throws -> String {
        let authorization = player.map { "Authorization: Bearer \($0.token)\r\n" } ?? ""
        return try await RawConnection.exchange(
            "\(method) \(path) HTTP/1.1\r\nHost: a\r\n\(authorization)\r\n", port: port)
    }
}
