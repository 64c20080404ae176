import Foundation
import InAppPurchase
import NIOHTTP1
import ServerTestSupport
import Testing

@testable import CommandLine

/// The real program with its simulated store: one time for both, and notifications that arrive.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct SimulatorTimeTests {
    static let month: JSONValue = ["advanceSeconds": 2_764_800]

    @Test func `A month that passes in the store passes in the server`() async throws {
        try await ServerProcess.run { server, _ in
            let player = try await server.newPlayer()
            let access = { @Sendable in
                try await server.call(.GET, "/v1/entitlements", token: player.token).json["entitlements"][0]["access"]
            }
            let order = try await Self.order(for: player, on: server)
            // Nothing is sent: the store's notification names the account.
            try await poll("the subscription is there") { try await access() == "granted" }
            _ = try await server.call(.POST, "/simulator/v1/clock", Self.month, simulator: true)
            #expect(try await access() == "denied")

            // What is signed now is in the future for everybody else.
            let again = try await server.call(.POST, "/simulator/v1/purchases", order, simulator: true).json
            let answer = try await server.post(again["signedTransaction"].text ?? "", token: player.token)
            #expect(answer.status == 200, "\(answer)")
            #expect(try await access() == "granted")
            // The Server API takes the tokens of a server that follows the store's time.
            let asked = try await server.post(again["transactionID"].text ?? "", token: player.token)
            #expect(asked.status == 200, "\(asked)")

            try await server.kill()
            try await server.start()
            #expect(try await access() == "granted")
        }
    }

    private static func order(for player: Player, on server: ServerProcess) async throws -> JSONValue {
        let account = try await server.call(.GET, "/v1/entitlements", token: player.token).json["account"]
        let order: JSONValue = [
            "bundleID": .string(World.app), "productID": .string("\(World.app).club.monthly"),
            "type": "auto-renewable", "appAccountToken": account, "renews": .bool(false),
        ]
        _ = try await server.call(.POST, "/simulator/v1/purchases", order, simulator: true)
        return order
    }
}
