import Foundation
import InAppPurchase
import ServerTestSupport
import Testing

@testable import CommandLine

/// App receipts judged by this server, which needs nobody for it.
@Suite struct LocalAppReceiptTests {
    private static let local = ["QUARTERMASTER_APP_RECEIPTS": "local"]

    @Test(arguments: [["status": 21005], ["http": 503], ["drop": true]] as [JSONValue])
    func `An app receipt is delivered without the store during an outage`(fault: JSONValue) async throws {
        try await World.run(environment: Self.local) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("club.monthly", "auto-renewable")
            _ = try await world.act("faults", fault)
            let answer = try await world.post(bought.appReceipt, as: player)
            #expect(answer.status == 200 && answer.json["transactions"][0]["outcome"] == "delivered", "\(answer)")
            #expect(answer.json["transactions"][0]["id"].text == bought.transactionID)
            #expect(try await world.entitlement(to: "club.monthly", of: player)["access"] == "granted")
            let again = try await world.post(bought.appReceipt, as: player).json
            #expect(again["duplicate"] == true && again["transactions"][0]["outcome"] == "alreadyDelivered")
        }
    }

    /// The same purchase in a signed transaction and in the receipt is one purchase.
    @Test func `An app receipt and its signed transaction are one purchase`() async throws {
        try await World.run(environment: Self.local) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable")
            for receipt in [bought.appReceipt, bought.signedTransaction, bought.appReceipt] {
                #expect(try await world.post(receipt, as: player).json["balances"]["hints"] == 10)
            }
            let other = try await world.newPlayer()
            let answer = try await world.post(bought.appReceipt, as: other)
            #expect(answer.status == 409 && answer.json["finish"] == false, "\(answer)")
        }
    }

    @Test func `An app receipt that was changed, or of another app, is refused`() async throws {
        try await World.run(environment: Self.local) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            var bytes = try #require(Data(base64Encoded: bought.appReceipt))
            let product = try #require(bytes.firstRange(of: Data("hardwords".utf8)))
            bytes.replaceSubrange(product, with: Data("iosword__".utf8))
            try await world.post(bytes.base64EncodedString(), as: player).expect(.rejected("signature"))
            try await world.post(bought.appReceipt, as: player, bundleID: "com.example.go")
                .expect(.rejected("bundleID"))
            let foreign = try await world.buy("hardwords", "non-consumable", ["bundleID": "com.example.go"])
            try await world.post(foreign.appReceipt, as: player).expect(.rejected("bundleID"))
            #expect(try await world.entitlements(of: player)["entitlements"] == [])
        }
    }

    /// App receipts and the answers of verifyReceipt name no type. Only an auto-renewable subscription has an expiry
    /// date.
    @Test(arguments: ["local", "verifyReceipt"])
    func `A subscription in an app receipt is not delivered as a consumable`(judge: String) async throws {
        try await World.run(environment: ["QUARTERMASTER_APP_RECEIPTS": judge]) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "auto-renewable")
            let answer = try await world.post(bought.appReceipt, as: player)
            #expect(answer.status == 200 && answer.json["transactions"][0]["reason"] == "typeMismatch", "\(answer)")
            #expect(answer.json["transactions"][0]["finish"] == false && answer.json["balances"] == [:])
            let old = try await world.post(bought.transactionReceipt, as: player)
            #expect(old.json["transactions"][0]["reason"] == "typeMismatch", "\(old)")
            let entitlement = try await world.entitlement(to: "tenhints", of: player)
            #expect(entitlement["reason"] == "typeMismatch" && entitlement["type"] == "auto-renewable")
        }
    }
}
