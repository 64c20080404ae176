import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer

/// The query parameters of administrators' routes.
@Suite struct AdminQueryTests {
    /// A misspelt filter would give everything in the answer, and a misspelt `limit` another page. The list is the
    /// router's, so that no route is left out.
    @Test func `Every administrator's route refuses an unknown query parameter`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin()
            let routes = world.assembly.routes.main.router.routes.filter { $0.path.description.hasPrefix("/admin/v1") }
            try #require(routes.count > 25, "\(routes)")
            let before = try await world.ledger.auditRows(after: 0, limit: 1_000)
            for route in routes {
                let path = Self.sample(route.path.description)
                for query in ["frobnicate=1", "limitt=3&after=0", "%66robnicate", "a%20b=1", "Limit=1"] {
                    let answer = try await world.send(
                        route.method, "\(path)?\(query)", ByteBuffer(string: "{}"), as: admin)
                    let name = "\(route.method) \(path)?\(query)"
                    #expect(answer.status == 422, "\(name): \(answer)")
                    guard route.method != .head else { continue }
                    #expect(answer.json["code"] == "invalid_request", "\(name): \(answer)")
                    let named = ["robnicate", "limitt", "a%20b", "Limit"].filter {
                        answer.json["detail"].text?.contains($0) == true
                    }
                    #expect(named.count == 1, "\(name): \(answer)")
                }
            }
            #expect(try await world.ledger.auditRows(after: 0, limit: 1_000) == before)
        }
    }

    /// Known parameters are still accepted; players' routes ignore unknown ones.
    @Test func `Known query parameters are accepted, and players' routes ignore unknown ones`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            for path in [
                "audit?after=0&limit=1", "accounts?transaction=1", "accounts?receipt=r_1",
                "accounts?originalTransaction=1",
                "deliveries?unconfirmed=true&olderThan=1", "accounts/\(player.account)", "audit?", "audit?&",
            ] {
                let answer = try await world.call(.get, "/admin/v1/\(path)", as: admin)
                #expect(answer.status == 200, "\(path): \(answer)")
            }
            #expect(try await world.call(.get, "/v1/entitlements?frobnicate=1", as: player).status == 200)
            // A caller that is not admitted learns nothing about what there is.
            #expect(try await world.call(.get, "/admin/v1/audit?frobnicate=1").status == 401)
        }
    }

    /// `/a/{b}` with something in its place.
    private static func sample(_ path: String) -> String { path.replacing(/\{[^}]*\}/, with: "1") }
}
