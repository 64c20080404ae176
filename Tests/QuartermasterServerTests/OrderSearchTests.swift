import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import Testing

@testable import QuartermasterServer

/// Support has the number of the e-mail that the App Store sent to a customer.
@Suite struct OrderSearchTests {
    @Test func anOrderIsAskedAboutOnceAndRecorded() async throws {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL()
            let (admin, player) = (try await world.newAdmin(.read), try await world.newPlayer())
            let order = try await world.order(by: player)
            let found: JSONValue = [
                "accounts": [
                    [
                        "account": .string(player.account), "app": .string(World.app), "environment": "Production",
                        "originalID": .string(order.transaction),
                    ]
                ], "asked": true,
            ]
            #expect(try await world.find("order=\(order.id)&bundleID=\(World.app)", as: admin).json == found)
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            let report = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: admin)
            #expect(report.json["transactions"][0]["orderID"].text == order.id)
            _ = try await world.act("faults", ["http": 503])
            let again = try await world.find("order=\(order.id)", as: admin).json
            #expect(again["accounts"] == found["accounts"] && again["asked"] == false && again["reason"] == .null)
        }
    }

    /// The members of an answer that names nobody.
    @Test func whyNobodyIsFound() async throws {
        for hasServerKey in [true, false] {
            try await World.run(hasServerKey: hasServerKey) { world in
                try await world.setNotificationURL()
                let (admin, player) = (try await world.newAdmin(.read), try await world.newPlayer())
                let order = try await world.order(by: player)
                let unknown = try await world.find("order=MS1", as: admin).json
                _ = try await world.act("faults", ["http": 503])
                let silent = try await world.find("order=\(order.id)", as: admin).json
                try await world.endFaults()
                let noKey: JSONValue = ["accounts": [], "asked": false, "reason": "noKey"]
                #expect(unknown == (hasServerKey ? ["accounts": [], "asked": true] : noKey))
                #expect(silent == (hasServerKey ? ["accounts": [], "asked": true, "reason": "unavailable"] : noKey))
                #expect(try await world.entitlements(of: player)["entitlements"] == [])
            }
        }
    }

    @Test(arguments: [
        ("order=", 400), ("order=MS%2F1", 400), ("order=\(String(repeating: "1", count: 65))", 400),
        ("order=MS1&receipt=r_1", 400), ("bundleID=com.example.hangman", 400),
        ("transaction=1&bundleID=com.example.hangman", 400), ("order=MS1&bundleID=com.example.go", 404),
        ("order=MS1&app=com.example.hangman", 422),
    ])
    func whatIsNoSearchIsRefused(query: String, status: Int) async throws {
        try await World.run { world in
            let admin = try await world.newAdmin(.read)
            let answer = try await world.find(query, as: admin)
            #expect(answer.status == status, "\(answer)")
        }
    }
}

extension World {
    /// A purchase that names the player, and that the player's app has not sent.
    fileprivate func order(by player: Player) async throws -> (id: String, transaction: String) {
        let bought = try await act(
            "purchases",
            [
                "bundleID": .string(Self.app), "productID": .string("\(Self.app).hardwords"),
                "type": "non-consumable", "appAccountToken": .string(player.account),
            ])
        return (try #require(bought["orderID"].text), try #require(bought["transactionID"].text))
    }

    fileprivate func find(_ query: String, as admin: Player) async throws -> Answer {
        try await call(.get, "/admin/v1/accounts?\(query)", as: admin)
    }
}
