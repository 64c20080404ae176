import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine

/// The recorded facts of a purchase, as the player's app and support see them.
@Suite struct ToldFactsTests {
    private static let trial: [String: JSONValue] = ["offerType": 1, "offerDiscountType": "FREE_TRIAL"]

    @Test func `A subscription's facts are shown from its trial to its end`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy(
                "club.monthly", "auto-renewable",
                Self.trial.merging(["appAccountToken": .string(player.account)]) { $1 })
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            let first = try await world.entitlement(to: "club.monthly", of: player)
            #expect(first["purchasedAt"].text == World.start.rfc3339 && first["basis"] == "purchase")
            #expect(first["ownershipType"] == "PURCHASED")
            let subscription = first["subscription"]
            #expect(subscription["phase"] == "trial" && subscription["offer"] == ["type": 1])
            #expect(subscription["introductoryOfferUsed"] == true)
            #expect(subscription["manage"].text?.hasPrefix("https://apps.apple.com/") == true)
        }
    }

    /// Each member that the account report has, from each form of receipt.
    @Test(
        arguments: [
            (
                false,
                [
                    "storefront": "USA", "storefrontID": "143441", "isTrial": true, "transactionReason": "PURCHASE",
                    "offer": ["type": 1, "discountType": "FREE_TRIAL"],
                ], ["webOrderLineItemID", "appTransactionID"]
            ),
            (true, ["isTrial": true, "originalAppVersion": "1.0", "appVersion": "1.0"], ["webOrderLineItemID"]),
        ] as [(Bool, JSONValue, [String])])
    func `Support sees what the receipt states`(isAppReceipt: Bool, members: JSONValue, stated: [String]) async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(.read), try await world.newPlayer())
            let bought = try await world.buy("club.monthly", "auto-renewable", Self.trial)
            #expect(
                try await world.post(isAppReceipt ? bought.appReceipt : bought.signedTransaction, as: player).status
                    == 200)
            let report = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: admin).json
            let transaction = report["transactions"][0]
            guard case .object(let expected) = members else { return }
            for (name, value) in expected { #expect(transaction[name] == value, "\(name)") }
            for name in stated { #expect(transaction[name].text?.isEmpty == false, "\(name)") }
        }
    }

    @Test func `Time that the server adds up is shown in runs`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            for _ in 0..<2 {
                let bought = try await world.buy("nighttheme.month", "non-renewing")
                #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            }
            let reported = try await world.entitlement(to: "nighttheme.month", of: player)
            #expect(reported["runs"].array.count == 1)
            #expect(reported["runs"][0]["from"].text == World.start.rfc3339)
            #expect(reported["runs"][0]["until"] == reported["until"] && reported["subscription"] == .null)
        }
    }
}
