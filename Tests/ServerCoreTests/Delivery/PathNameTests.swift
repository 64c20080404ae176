import Foundation
import HTTPTypes
import InAppPurchase
import ServerTestSupport
import Testing

@testable import CommandLine

/// A name in a path that can be no name is answered as no such URL, and an unknown one with its own code.
@Suite struct PathNameTests {
    private static let routes: [(HTTPRequest.Method, String, JSONValue?)] = [
        (.post, "/v1/apps/{app}/unavailable-products", ["productIDs": ["a"]]),
        (.post, "/v1/apps/{app}/offer-signatures", ["product": "a", "kind": "introductoryEligibility"]),
        (.get, "/admin/v1/apps/{app}/unavailable-products", nil),
        (.get, "/admin/v1/apps/{app}/preview", nil), (.get, "/admin/v1/apps/{app}", nil),
        (.delete, "/admin/v1/apps/{app}", nil),
        (.post, "/admin/v1/apps/{app}/test-notification", ["reason": "ticket 7"]),
        (.get, "/admin/v1/apps/{app}/products/a/extend", nil),
        (.post, "/admin/v1/apps/{app}/products/a/extend", ["days": 3, "reason": "ticket 7"]),
    ]

    @Test func `An impossible app in a path is not found`() async throws {
        try await World.run { world in
            let (player, admin) = (try await world.newPlayer(), try await world.newAdmin())
            for (method, path, body) in Self.routes {
                let visitor = path.hasPrefix("/admin") ? admin : player
                for (app, code) in [("a%00b", "not_found"), ("%ff", "not_found"), ("com.example.go", "unknown_app")] {
                    let answer = try await world.call(method, path.replacing("{app}", with: app), body, as: visitor)
                    #expect(answer.status == 404 && answer.json["code"].text == code, "\(path) \(app): \(answer)")
                }
            }
            let answer = try await world.call(.get, "/v1/balances/hints%00/postings", as: player)
            #expect(answer.status == 404 && answer.json["code"] == "not_found")
        }
    }
}
