import AppStoreService
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// How a purchase that another account owns is asked for, and what the app is told.
@Suite struct TransferRouteTests {
    /// The report of the account that was given nothing, over HTTP and as the command prints it, names the owner.
    @Test func `A purchase that another account has is in the report of the account that sent it`() async throws {
        try await World.run { world in
            let (admin, other) = (try await world.newAdmin(), try await world.newPlayer())
            let owner = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(bought.signedTransaction, as: owner).status == 200)
            let refused = try await world.post(bought.signedTransaction, as: other)
            #expect(refused.status == 409, "\(refused)")
            let answer = try await world.call(.get, "/admin/v1/accounts/\(other.account)", as: admin)
            let contested = answer.json["contested"][0]
            #expect(contested["owner"].text == owner.account && contested["id"].text == bought.transactionID)
            #expect(contested["product"] == .string("\(World.app).hardwords"))
            #expect(contested["app"] == .string(World.app))
            #expect(contested["remedy"] == refused.json["remedy"] && contested["sentAt"].text != nil, "\(contested)")
            let report = try await world.ledger.accountReport(
                of: try #require(AccountID(text: other.account)), after: nil, limit: 10,
                in: world.assembly.store.decisions.context)
            let output = TextOutput(isTerminal: false, hasColours: false)
            let lines = AccountReportBody(try #require(report)).text(for: output).split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("contested\t") && $0.contains("\t\(owner.account)\t") }, "\(lines)")
            let owners = try await world.call(.get, "/admin/v1/accounts/\(owner.account)", as: admin)
            #expect(owners.json["contested"] == [])
        }
    }

    private static let local = ["QUARTERMASTER_APP_RECEIPTS": "local"]

    @Test func `The remedy is in every answer about a denied purchase`() async throws {
        try await World.run(environment: Self.local) { world in
            let (owner, other) = (try await world.newPlayer(), try await world.newPlayer())
            let words = try await world.buy("hardwords", "non-consumable", ["customer": "anna"])
            let hints = try await world.buy("tenhints", "consumable", ["customer": "bert"])
            for bought in [words, hints] {
                #expect(try await world.post(bought.signedTransaction, as: owner).status == 200)
            }
            let refused = try await world.post(words.signedTransaction, as: other)
            refused.expect(ExpectedProblem(409, "owned_by_another_account", reason: "ownedByAnotherAccount"))
            #expect(refused.json["remedy"] == "freshReceipt")
            let id = try #require(refused.json["receipt"].text)
            let reported = try await world.call(.get, "/v1/receipts/\(id)", as: other).json
            #expect(
                reported["status"] == "conflict" && reported["transactions"][0]["remedy"] == "freshReceipt",
                "\(reported)")
            #expect(reported["transactions"][0]["finish"] == false)
            let own = try await world.buy("ioswords", "non-consumable", ["customer": "anna"])
            let mixed = try await world.post(own.appReceipt, as: other)
            #expect(mixed.status == 200 && mixed.json["remedy"] == nil, "\(mixed)")

            world.clock.advance(by: 60)
            let fresh = try await world.signAgain(words.transactionID)
            let restored = try await world.call(
                .post, "/v1/restore",
                ["receipts": [.string(fresh), .string(hints.signedTransaction)], "mayTransfer": false], as: other)
            let remedies = restored.json["receipts"].array.map { $0["remedy"].text }
            #expect(remedies == ["transfer", "recoveryCode"], "\(restored)")
            #expect(restored.json["receipts"].array.map { $0["finish"].flag } == [false, false])
        }
    }

    /// Some of the purchases in a receipt stay with another account.
    @Test func `Each denied transaction has its remedy`() async throws {
        try await World.run(environment: Self.local) { world in
            let (owner, other) = (try await world.newPlayer(), try await world.newPlayer())
            let words = try await world.buy("hardwords", "non-consumable", ["customer": "anna"])
            let hints = try await world.buy("tenhints", "consumable", ["customer": "anna"])
            for bought in [words, hints] {
                #expect(try await world.post(bought.signedTransaction, as: owner).status == 200)
            }
            _ = try await world.buy("ioswords", "non-consumable", ["customer": "anna"])
            world.clock.advance(by: 60)
            let receipt = try await world.appReceipt(of: "anna", for: UUID())
            let answer = try await world.send(receipt, as: other, mayTransfer: false)
            let remedies = answer.json["transactions"].array.map { ($0["product"].text ?? "", $0["remedy"].text) }
            #expect(
                Dictionary(remedies) { first, _ in first } == [
                    "\(World.app).hardwords": "transfer", "\(World.app).tenhints": "recoveryCode",
                    "\(World.app).ioswords": nil,
                ])
            #expect(answer.status == 200 && answer.json["finish"] == false)
            let restored = try await world.call(
                .post, "/v1/restore", ["receipts": [.string(receipt)], "mayTransfer": false], as: other)
            #expect(restored.json["receipts"][0]["remedy"] == "transfer", "\(restored)")
        }
    }

    /// One player with two accounts on a phone: each presents fresh receipts at launch for a year.
    @Test func `Two accounts on one phone take nothing from each other unless the player asks`() async throws {
        try await World.run(environment: Self.local) { world in
            let players = [try await world.newPlayer(), try await world.newPlayer()]
            let phone = UUID()
            _ = try await world.buy("hardwords", "non-consumable", ["customer": "anna", "device": .string("\(phone)")])
            for launch in 0..<24 {
                world.clock.advance(by: 86_400)
                let signed = try await world.transactions(of: "anna", for: phone)[0]
                let receipt = try await world.appReceipt(of: "anna", for: phone)
                let isOwner = launch % 2 == 0
                for sent in [signed, receipt] {
                    let answer = try await world.send(sent, as: players[launch % 2], from: phone, mayTransfer: false)
                    #expect(answer.status == (isOwner ? 200 : 409), "\(launch): \(answer)")
                    if !isOwner { #expect(answer.json["remedy"] == "transfer", "\(answer)") }
                }
            }
            // The player asks for it, three times in all.
            for asked in 0..<4 {
                world.clock.advance(by: 3_600)
                let signed = try await world.transactions(of: "anna", for: phone)[0]
                let answer = try await world.send(signed, as: players[(asked + 1) % 2], from: phone, mayTransfer: true)
                #expect(answer.json["remedy"].text == (asked < 3 ? nil : "recoveryCode"), "\(asked): \(answer)")
            }
        }
    }

    /// A text that is no UUID, and an ID of another device, make nothing invalid; other types are a mistake.
    @Test func `Any text is accepted as device ID, and another type refused`() async throws {
        try await World.run(environment: Self.local) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable", ["device": .string("\(UUID())")])
            for id in ["", "my phone", "\(UUID())"] {
                let body: JSONValue = [
                    "receipt": .string(bought.signedTransaction), "deviceVerificationID": .string(id),
                ]
                #expect(try await world.call(.post, "/v1/receipts", body, as: player).status == 200)
            }
            for (member, value) in [("deviceVerificationID", 7), ("mayTransfer", "yes")] as [(String, JSONValue)] {
                let body: JSONValue = .object(["receipt": .string(bought.signedTransaction), member: value])
                try await world.call(.post, "/v1/receipts", body, as: player).expect(.invalid)
            }
        }
    }

    /// An app receipt of another device is refused whoever judges it, and kept by the app; the right device gets it
    /// later.
    @Test(arguments: ["local", "verifyReceipt"])
    func `An app receipt of another device is refused, and accepted from the right one`(judge: String) async throws {
        try await World.run(environment: ["QUARTERMASTER_APP_RECEIPTS": judge]) { world in
            let player = try await world.newPlayer()
            let phone = UUID()
            _ = try await world.buy("hardwords", "non-consumable", ["customer": "anna"])
            let receipt = try await world.appReceipt(of: "anna", for: phone)
            let refusal = ExpectedProblem.rejected("otherDevice")
            try await world.send(receipt, as: player, from: UUID()).expect(refusal)
            #expect(try await world.send(receipt, as: player, from: phone).status == 200)
            try await world.send(receipt, as: player, from: UUID()).expect(refusal)
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
        }
    }

    /// The permission of a request is still known when the store finally answers.
    @Test(arguments: [true, false])
    func `A receipt that waited is decided by the permission it was sent with`(mayTransfer: Bool) async throws {
        try await World.run { world in
            let (owner, other) = (try await world.newPlayer(), try await world.newPlayer())
            let phone = UUID()
            let bought = try await world.buy(
                "hardwords", "non-consumable", ["customer": "anna", "appAccountToken": .string(owner.account)])
            #expect(try await world.post(bought.signedTransaction, as: owner).status == 200)
            world.clock.advance(by: 60)
            let fresh = try await world.appReceipt(of: "anna", for: phone)
            _ = try await world.act("faults", ["http": 503])
            let waits = try await world.send(fresh, as: other, from: phone, mayTransfer: mayTransfer)
            #expect(waits.status == 202, "\(waits)")
            // The app sends it again by itself, and without the device.
            #expect(try await world.send(fresh, as: other, mayTransfer: false).status == 202)
            try await world.endFaults()
            world.clock.advance(by: 60)
            await world.assembly.worker.askAboutDueReceipts()
            let id = try #require(waits.json["receipt"].text)
            let reported = try await world.call(.get, "/v1/receipts/\(id)", as: other).json
            #expect(reported["status"] == (mayTransfer ? "verified" : "conflict"), "\(reported)")
            #expect(reported["transactions"][0]["remedy"].text == (mayTransfer ? nil : "transfer"), "\(reported)")
            let access = try await world.entitlement(to: "hardwords", of: owner)["access"]
            #expect(access == (mayTransfer ? "denied" : "granted"))
        }
    }

    /// A purchase that an organisation assigned gives access and no credits; a consumable stays with the app.
    @Test func `An assigned purchase gives access, and an assigned consumable is not finished`() async throws {
        try await World.run(environment: Self.local) { world in
            let player = try await world.newPlayer()
            let words = try await world.buy("hardwords", "non-consumable", ["ownershipType": "ASSIGNED"])
            let hints = try await world.buy("tenhints", "consumable", ["ownershipType": "ASSIGNED"])
            let given = try await world.post(words.signedTransaction, as: player).json
            #expect(given["transactions"][0]["outcome"] == "delivered" && given["finish"] == true)
            let kept = try await world.post(hints.signedTransaction, as: player).json
            #expect(kept["transactions"][0]["reason"] == "ownershipType" && kept["finish"] == false, "\(kept)")
            #expect(try await world.entitlements(of: player)["balances"]["hints"].number ?? 0 == 0)
        }
    }
}
