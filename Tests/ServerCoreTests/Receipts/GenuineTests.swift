import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// A transaction that Apple's sandbox signed, with Apple's real root. Runs if `QUARTERMASTER_VECTORS` names the folder
/// that has it.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["QUARTERMASTER_VECTORS"] != nil)) struct GenuineTests {
    static let products = """
        {"apps": [{"bundleID": "com.goodheartapp", "sandbox": "everyone", "products": [
          {"id": "gh_super_good_ticket_1", "type": "consumable", "credits": {"tickets": 1}}]}]}
        """

    static var transaction: String {
        get throws {
            let folder = ProcessInfo.processInfo.environment["QUARTERMASTER_VECTORS"] ?? ""
            let file = folder + "/genuine/sandbox-consumable-JPY-transaction.jws"
            return try String(contentsOfFile: file, encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    @Test func `A genuine transaction is delivered once`() async throws {
        let receipt = try Self.transaction
        try await World.run(products: Self.products, at: Date()) { world in
            let player = try await world.newPlayer()
            for (outcome, isDuplicate) in [("delivered", false), ("alreadyDelivered", true)] {
                let answer = try await world.post(receipt, as: player)
                #expect(answer.status == 200 && answer.json["duplicate"].flag == isDuplicate, "\(answer)")
                let transaction = answer.json["transactions"][0]
                #expect(transaction["outcome"].text == outcome && transaction["environment"] == "Sandbox")
                #expect(transaction["product"] == "gh_super_good_ticket_1" && transaction["finish"] == true)
                #expect(answer.json["balances"] == ["tickets": 1])
            }
            let sandbox = try await world.entitlements(of: player, query: "?environment=Sandbox")
            #expect(sandbox["balances"] == ["tickets": 1])
            #expect(try await world.entitlements(of: player)["balances"] == [:])
        }
    }

    @Test func `A genuine transaction with any changed character is refused`() async throws {
        let characters = Array(try Self.transaction)
        // Each is stored, since the reason why it was refused has to be.
        let limits = [
            "QUARTERMASTER_LIMITS_REJECTED_KILOBYTES_PER_ACCOUNT": "off",
            "QUARTERMASTER_LIMITS_REJECTED_KILOBYTES_PER_ADDRESS": "off",
        ]
        try await World.run(products: Self.products, environment: limits, at: Date()) { world in
            let player = try await world.newPlayer()
            let account = try #require(AccountID(text: player.account))
            for place in characters.indices {
                var changed = characters
                changed[place] = changed[place] == "A" ? "B" : "A"
                let answer = try await world.assembly.worker.intake.accept(
                    String(changed), bundleID: nil, from: account)
                #expect(answer.status == .rejected, "\(place)")
            }
            try await world.post(String(characters.dropLast()), as: player).expect(.rejected("malformed"))
            #expect(try await world.entitlements(of: player, query: "?environment=Sandbox")["entitlements"] == [])
        }
    }
}
