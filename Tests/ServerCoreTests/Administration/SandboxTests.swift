import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import TestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Test money: always recorded, worth something only where the app says so, and never mixed with real money.
@Suite struct SandboxTests {
    static func catalog(_ sandbox: String) -> String {
        """
        {"apps": [{"bundleID": "com.example.hangman", "appAppleID": 1234567890, "sandbox": \(sandbox), "products": [
          {"id": "com.example.hangman.tenhints", "type": "consumable", "credits": {"hints": 10}},
          {"id": "com.example.hangman.hardwords", "type": "non-consumable", "bundles": ["hard-words"]},
          {"id": "com.example.hangman.club.monthly", "type": "auto-renewable", "group": "club"}]}]}
        """
    }

    static let settings: [(sandbox: String, advance: TimeInterval, isAdmitted: Bool)] = [
        ("\"nobody\"", 0, false), ("\"testers\"", 0, false), ("\"everyone\"", 0, true),
        ("{\"everyoneUntil\": \"2026-11-25T00:00:00Z\"}", 0, true),
        ("{\"everyoneUntil\": \"2026-11-25T00:00:00Z\"}", 30 * 86_400, false),
    ]

    @Test(arguments: settings.indices, PurchaseTests.Form.allCases)
    func `A sandbox purchase is delivered to whom the app admits, and denied to others`(
        index: Int, form: PurchaseTests.Form
    ) async throws {
        let (sandbox, advance, isAdmitted) = Self.settings[index]
        try await World.run(products: Self.catalog(sandbox)) { world in
            world.clock.advance(by: advance)
            let player = try await world.newPlayer()
            for (product, type) in [("hardwords", "non-consumable"), ("tenhints", "consumable")] {
                let order = World.inSandbox.merging(["customer": .string(product)]) { $1 }
                let bought = try await world.buy(product, type, order)
                let answer = try await world.post(form.receipt(bought), as: player)
                #expect(answer.status == 200 && answer.json["status"] == "verified", "\(answer)")
                let transaction = answer.json["transactions"][0]
                #expect(transaction["environment"] == "Sandbox" && transaction["id"].text == bought.transactionID)
                #expect(transaction["outcome"] == (isAdmitted ? "delivered" : "denied"))
                #expect(transaction["reason"] == (isAdmitted ? nil : "sandbox"))
                #expect(transaction["finish"].flag == isAdmitted)
                #expect(answer.json["balances"] == (isAdmitted && product == "tenhints" ? ["hints": 10] : [:]))
            }
            let words = try await world.entitlement(to: "hardwords", of: player)
            #expect(words["access"] == (isAdmitted ? "granted" : "denied") && words["environment"] == "Sandbox")
            let bundle = try await world.call(.get, "/v1/bundles/hard-words", as: player)
            #expect(bundle.status == (isAdmitted ? 200 : 403))
            #expect(isAdmitted || bundle.json["reason"] == "sandbox")
        }
    }

    /// An app in the sandbox restores what was bought there, and sees those balances.
    @Test func `A restore in the sandbox answers with the balances of the sandbox`() async throws {
        try await World.run(products: Self.catalog("\"everyone\"")) { world in
            let player = try await world.newPlayer()
            let receipt = try await world.buy("tenhints", "consumable", World.inSandbox).signedTransaction
            for (environment, balances) in [
                ("Sandbox", ["hints": 10]), ("Production", [:]), (nil, [:]),
            ] as [(JSONValue?, JSONValue)] {
                let body = ["receipts": [.string(receipt)], "environment": environment ?? .null] as JSONValue
                let answer = try await world.call(.post, "/v1/restore", body, as: player)
                #expect(answer.status == 200 && answer.json["balances"] == balances, "\(answer)")
                #expect(answer.json["receipts"][0]["status"] == "verified")
            }
            try await world.call(.post, "/v1/restore", ["environment": "Moon"], as: player).expect(.invalid)
        }
    }

    @Test func `Only a tester is admitted to the sandbox`() async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        let tester = UUID()
        try await ledger.createAccount(
            AccountID(tester), token: AccessToken.digest(of: "t"), recoveryCode: Data([1]), at: World.start)
        let testers = ["QUARTERMASTER_TESTERS": tester.text]
        for (sandbox, admitsTester) in [("\"testers\"", true), ("\"nobody\"", false)] {
            let products = Self.catalog(sandbox)
            try await World.run(products: products, ledger: ledger, environment: testers) { world in
                let player = Player(account: tester.text, token: "t", recoveryCode: "")
                let stranger = try await world.newPlayer()
                for (player, isAdmitted) in [(player, admitsTester), (stranger, false)] {
                    let bought = try await world.buy("hardwords", "non-consumable", World.inSandbox)
                    let answer = try await world.post(bought.signedTransaction, as: player)
                    #expect(answer.json["transactions"][0]["outcome"] == (isAdmitted ? "delivered" : "denied"))
                }
            }
        }
    }

    @Test func `After a sandbox reset a tester buys everything again`() async throws {
        try await World.run(products: Self.catalog("\"testers\"")) { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            let hints = try await world.buy("tenhints", "consumable", World.inSandbox).signedTransaction
            func outcome() async throws -> JSONValue {
                try await world.post(hints, as: player).json["transactions"][0]["outcome"]
            }
            func balances() async throws -> JSONValue {
                try await world.entitlements(of: player, query: "?environment=Sandbox")["balances"]
            }
            #expect(try await outcome() == "denied")
            let added = try await world.act("tester", .put, on: player, as: admin)
            let standing: JSONValue = [
                "account": .string(player.account), "testerSince": .string(World.start.rfc3339),
            ]
            #expect(added.status == 200 && added.json == standing, "\(added)")
            let report = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: admin).json
            #expect(report["testerSince"].text == World.start.rfc3339)
            #expect(try await (outcome(), outcome(), balances()) == ("delivered", "alreadyDelivered", ["hints": 10]))
            let reset = try await world.act("sandbox-reset", on: player, as: admin)
            #expect(reset.json == ["account": .string(player.account), "forgotten": 1], "\(reset)")
            #expect(try await world.act("sandbox-reset", on: player, as: admin).json["forgotten"] == 0)
            #expect(try await world.entitlements(of: player)["entitlements"].array == [])
            #expect(try await (balances(), outcome(), balances()) == (["hints": 0], "delivered", ["hints": 10]))
            let removed = try await world.act("tester", .delete, on: player, as: admin)
            #expect(removed.json == ["account": .string(player.account)], "\(removed)")
            #expect(try await balances() == [:])
            for kind in [AuditEntry.Kind.testerAdded, .testerRemoved, .sandboxReset] {
                #expect(try await world.auditRows(of: kind.rawValue).count == 1)
            }
        }
    }

    @Test func `Sandbox and Production balances are kept apart`() async throws {
        try await World.run(products: Self.catalog("\"everyone\"")) { world in
            let player = try await world.newPlayer()
            for (environment, quantity) in [("Production", 1), ("Sandbox", 3)] {
                let order: [String: JSONValue] = ["environment": .string(environment), "quantity": .integer(quantity)]
                let bought = try await world.buy("tenhints", "consumable", order)
                let answer = try await world.post(bought.signedTransaction, as: player)
                #expect(answer.json["balances"]["hints"].number == 10 * quantity)
            }
            func balance(_ environment: String) async throws -> Int? {
                try await world.entitlements(of: player, query: "?environment=\(environment)")["balances"]["hints"]
                    .number
            }
            #expect(try await (balance("Production"), balance("Sandbox")) == (10, 30))
            #expect(try await world.call(.get, "/v1/entitlements?environment=Xcode", as: player).status == 400)
            #expect(try await world.entitlements(of: player)["balances"]["hints"] == 10)
            let spend = try await world.call(
                .post, "/v1/balances/hints/spend", ["amount": 20, "environment": "Sandbox"], as: player,
                headers: .key("k"))
            #expect(spend.json == ["currency": "hints", "balance": 10])
            let real = try await world.call(
                .post, "/v1/balances/hints/spend", ["amount": 10], as: player, headers: .key("k"))
            #expect(real.json == ["currency": "hints", "balance": 0], "the same key is another spend there")
            #expect(try await (balance("Production"), balance("Sandbox")) == (0, 10))
            let entitlements = try await world.entitlements(of: player)["entitlements"].array
            #expect(Set(entitlements.compactMap { $0["environment"].text }) == ["Production", "Sandbox"])
        }
    }

    @Test func `Opening the sandbox admits what was bought before`() async throws {
        try await World.run(products: Self.catalog("\"nobody\"")) { world in
            var seen = CatalogWatcher.Seen()
            let player = try await world.newPlayer()
            let hints = try await world.buy("tenhints", "consumable", World.inSandbox).signedTransaction
            #expect(try await world.post(hints, as: player).json["transactions"][0]["reason"] == "sandbox")
            try world.write(Self.catalog("\"everyone\""))
            try await world.lookAtCatalog(&seen)
            let again = try await world.post(hints, as: player).json
            #expect(again["transactions"][0]["finish"] == true && again["balances"] == ["hints": 10])
            try world.write(Self.catalog("\"nobody\""))
            try await world.lookAtCatalog(&seen)
            #expect(try await world.entitlements(of: player, query: "?environment=Sandbox")["balances"] == [:])
        }
    }
}
