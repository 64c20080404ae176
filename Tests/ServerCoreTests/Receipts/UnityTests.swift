import Foundation
import InAppPurchase
import ServerTestSupport
import Testing

@testable import CommandLine

/// Receipts in Unity's wrapper.
@Suite struct UnityTests {
    private static func wrapped(_ payload: String) throws -> String {
        let wrapper = ["Store": "AppleAppStore", "TransactionID": "1", "Payload": payload]
        return String(decoding: try JSONEncoder().encode(wrapper), as: UTF8.self)
    }

    /// With and without it, they are the same receipt.
    @Test(arguments: 0..<3) func `A receipt in Unity's wrapper is the same receipt`(_ kind: Int) async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable")
            let receipt = [bought.signedTransaction, bought.appReceipt, bought.transactionReceipt][kind]
            let sent = try Self.wrapped("\n" + receipt)
            let first = try await world.post(" \(sent)\n", as: player)
            #expect(first.status == 200 && first.json["balances"]["hints"] == 10, "\(first)")
            let again = try await world.post(receipt, as: player).json
            #expect(again["duplicate"] == true && again["receipt"] == first.json["receipt"])
        }
    }

    @Test func `A signed transaction inside the payload of Unity is read`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable")
            let payload = ["json": "{}", "jwsRepresentation": bought.signedTransaction]
            let text = String(decoding: try JSONEncoder().encode(payload), as: UTF8.self)
            let answer = try await world.post(Self.wrapped(text), as: player)
            #expect(answer.json["balances"]["hints"] == 10, "\(answer)")
            let twice = try Self.wrapped(Self.wrapped(bought.appReceipt))
            try await world.post(twice, as: player).expect(.rejected("malformed"))
            try await world.post("{\"Store\": \"AppleAppStore\"}", as: player).expect(.rejected("malformed"))
        }
    }
}
