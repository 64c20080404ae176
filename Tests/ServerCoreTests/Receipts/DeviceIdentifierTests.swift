import Crypto
import Foundation
import HTTPTypes
import InAppPurchase
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore

/// A client may say which device an app receipt must be made for.
@Suite struct DeviceIdentifierTests {
    private static func world(_ test: @escaping @Sendable (World, Player, Bought) async throws -> Void) async throws {
        try await World.run(environment: ["QUARTERMASTER_APP_RECEIPTS": "local"]) { world in
            try await test(world, world.newPlayer(), world.buy("hardwords", "non-consumable", ["customer": "anna"]))
        }
    }

    /// The simulated store's customers have one device each, derived from their name.
    private static var own: Data { Data(SHA256.hash(data: Data("\(World.app)\nProduction\nanna".utf8))).prefix(16) }

    @Test func `An app receipt is delivered to the device that it was made for`() async throws {
        try await Self.world { world, player, bought in
            let body: JSONValue = [
                "receipt": .string(bought.appReceipt), "deviceIdentifier": .string(Self.own.base64EncodedString()),
            ]
            let answer = try await world.call(.post, "/v1/receipts", body, as: player)
            #expect(answer.json["transactions"][0]["outcome"] == "delivered", "\(answer)")
        }
    }

    @Test(arguments: [Data(repeating: 7, count: 16), Data(repeating: 7, count: 6)])
    func `An app receipt is refused for another device`(_ device: Data) async throws {
        try await Self.world { world, player, bought in
            let body: JSONValue = [
                "receipt": .string(bought.appReceipt), "deviceIdentifier": .string(device.base64EncodedString()),
            ]
            try await world.call(.post, "/v1/receipts", body, as: player).expect(
                .rejected("otherDevice"))
            let restored = try await world.call(
                .post, "/v1/restore",
                ["receipts": [.string(bought.appReceipt)], "deviceIdentifier": .string(UUID().uuidString)], as: player)
            #expect(restored.json["receipts"][0]["reason"] == "otherDevice", "\(restored)")
            #expect(try await world.entitlements(of: player)["entitlements"] == [])
        }
    }

    /// It says nothing about a signed transaction, which belongs to no device.
    @Test func `A device identifier does not affect a signed transaction`() async throws {
        try await Self.world { world, player, bought in
            let body: JSONValue = [
                "receipt": .string(bought.signedTransaction), "deviceIdentifier": .string(UUID().uuidString),
            ]
            let answer = try await world.call(.post, "/v1/receipts", body, as: player)
            #expect(answer.status == 200, "\(answer)")
        }
    }

    @Test(arguments: ["", "7", "AAAA", "not base64!", "0b0e7c1e-0000-4000-8000", 7, [], ["a": 1]] as [JSONValue])
    func `A malformed device identifier is refused`(_ device: JSONValue) async throws {
        try await Self.world { world, player, bought in
            let body: JSONValue = ["receipt": .string(bought.appReceipt), "deviceIdentifier": device]
            try await world.call(.post, "/v1/receipts", body, as: player).expect(.invalid)
            let restore: JSONValue = ["receipts": [.string(bought.appReceipt)], "deviceIdentifier": device]
            try await world.call(.post, "/v1/restore", restore, as: player).expect(.invalid)
        }
    }

    @Test func `A device identifier is read as UUID and as base64`() throws {
        let id = UUID()
        let bytes = withUnsafeBytes(of: id.uuid) { Data($0) }
        for text in [id.uuidString, id.uuidString.lowercased(), bytes.base64EncodedString()] {
            let decoded = try JSONDecoder().decode([DeviceIdentifier].self, from: JSONEncoder().encode([text]))
            #expect(decoded.map(\.bytes) == [bytes])
        }
    }
}
