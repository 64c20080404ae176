import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import TestSupport
import Testing

@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Support has the number in the e-mail that the App Store sent to a customer.
@Suite struct OrderSearchTests {
    @Test(arguments: [
        ("2000000123456789", true), ("", false), ("٣٤", false), ("+1", false), ("123456789012345678901", false),
    ])
    func `A transaction ID has 1 to 20 decimal digits`(text: String, isID: Bool) async throws {
        try await World.run { world in #expect(world.assembly.store.isTransactionID(text) == isID) }
    }

    @Test func `The store is asked about an order once, and the purchase recorded`() async throws {
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
                ], "asked": true, "unclaimed": [],
            ]
            #expect(try await world.find("order=\(order.id)&bundleID=\(World.app)", as: admin).json == found)
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            let report = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: admin)
            #expect(report.json["transactions"][0]["orderID"].text == order.id)
            _ = try await world.act("faults", ["http": 503])
            let again = try await world.find("order=\(order.id)", as: admin).json
            #expect(again["accounts"] == found["accounts"] && again["asked"] == false && again["reason"] == .null)
            // Typed as people do, it is the same order, and still not asked about.
            #expect(order.id != order.id.lowercased())
            #expect(try await world.find("order=\(order.id.lowercased())", as: admin).json == again)
        }
    }

    /// The members of an answer that names nobody.
    @Test func `A search for an order that finds nobody says why`() async throws {
        for hasServerKey in [true, false] {
            try await World.run(hasServerKey: hasServerKey) { world in
                try await world.setNotificationURL()
                let (admin, player) = (try await world.newAdmin(.read), try await world.newPlayer())
                let order = try await world.order(by: player)
                let unknown = try await world.find("order=MS1", as: admin).json
                _ = try await world.act("faults", ["http": 503])
                let silent = try await world.find("order=\(order.id)", as: admin).json
                try await world.endFaults()
                let noKey: JSONValue = ["accounts": [], "asked": false, "reason": "noKey", "unclaimed": []]
                #expect(unknown == (hasServerKey ? ["accounts": [], "asked": true, "unclaimed": []] : noKey))
                let unavailable: JSONValue = [
                    "accounts": [], "asked": true, "reason": "unavailable", "unclaimed": [],
                ]
                #expect(silent == (hasServerKey ? unavailable : noKey))
                #expect(try await world.entitlements(of: player)["entitlements"] == [])
            }
        }
    }

    /// A customer of a game that was taken out of the catalog still has an order.
    @Test func `An order of an app that left the catalog is found`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            var copy = Transaction(
                id: "7", originalID: "7", app: "com.example.gone", environment: .production, productID: "words",
                purchaseDate: world.clock.now, appAccountToken: AccountID(text: player.account)?.uuid,
                signedDate: world.clock.now, isSigned: true)
            copy.details = PurchaseDetails()
            copy.details?.orderID = "MK7"
            _ = try await world.ledger.observe(
                VerifiedReceipt(transactions: [copy]), cause: "n", in: world.assembly.store.decisions.context)
            let admin = try await world.newAdmin(.read)
            for query in ["order=MK7", "order=MK7&bundleID=com.example.gone", "order=mk7"] {
                let found = try await world.find(query, as: admin).json
                #expect(found["accounts"][0]["account"].text == player.account && found["asked"] == false, "\(found)")
            }
            let other = try await world.find("order=MK7&bundleID=\(World.app)", as: admin).json
            #expect(other["accounts"] == [] && other["asked"] == false, "\(other)")
            #expect(try await world.find("order=MK7&bundleID=com.example.go", as: admin).status == 404)
            #expect(try await world.find("order=MK8&bundleID=com.example.gone", as: admin).status == 404)
            let ours = try await world.newAdmin(.read, name: "ours", for: [BundleID(stored: World.app)])
            #expect(try await world.find("order=MK7", as: ours).json["accounts"] == [])
            #expect(try await world.find("order=MK7&bundleID=com.example.gone", as: ours).status == 403)
        }
    }

    /// The app never sent it, and it names nobody: support finds it by its order and gives it to the player.
    @Test func `A purchase that nobody presented is found by its order and given`() async throws {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL()
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            let order = try await world.order(by: nil)
            let found = try await world.find("order=\(order.id)", as: admin).json
            #expect(found["accounts"] == [] && found["asked"] == true, "\(found)")
            let purchase = found["unclaimed"][0]
            #expect(purchase["app"].text == World.app && purchase["environment"] == "Production")
            #expect(purchase["originalID"].text == order.transaction)
            #expect(purchase["since"] == purchase["transactions"][0]["purchaseDate"])
            #expect(purchase["transactions"][0]["product"].text == "\(World.app).hardwords")
            #expect(purchase["transactions"][0]["orderID"].text == order.id)
            for search in ["transaction", "originalTransaction"] {
                let same = try await world.find("\(search)=\(order.transaction)", as: admin).json
                #expect(same == ["accounts": [], "unclaimed": [purchase]])
            }
            let given = try await world.move(order.transaction, to: player, as: admin)
            #expect(given.status == 200 && given.json["owner"].text == player.account, "\(given)")
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            let after = try await world.find("order=\(order.id)", as: admin).json
            #expect(after["accounts"][0]["account"].text == player.account && after["unclaimed"] == [])
        }
    }

    @Test(arguments: [
        ("order=", 400), ("order=MS%2F1", 400), ("order=\(String(repeating: "1", count: 65))", 400),
        ("order=MS1&receipt=r_1", 400), ("transaction=1&originalTransaction=1", 400),
        ("bundleID=com.example.hangman", 400),
        ("transaction=1&bundleID=com.example.hangman", 400), ("order=MS1&bundleID=com.example.go", 404),
        ("order=MS1&app=com.example.hangman", 422),
    ])
    func `A malformed search for an account is refused`(query: String, status: Int) async throws {
        try await World.run { world in
            let admin = try await world.newAdmin(.read)
            let answer = try await world.find(query, as: admin)
            #expect(answer.status == status, "\(answer)")
        }
    }
}

extension World {
    /// A purchase that names the player, if there is one, and that no app has sent.
    func order(by player: Player?) async throws -> (id: String, transaction: String) {
        var purchase: [String: JSONValue] = [
            "bundleID": .string(Self.app), "productID": .string("\(Self.app).hardwords"), "type": "non-consumable",
        ]
        purchase["appAccountToken"] = player.map { .string($0.account) }
        let bought = try await act("purchases", .object(purchase))
        return (try #require(bought["orderID"].text), try #require(bought["transactionID"].text))
    }

    func find(_ query: String, as admin: Player) async throws -> Answer {
        try await call(.get, "/admin/v1/accounts?\(query)", as: admin)
    }
}
