import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The store cannot say now: stored, retried, never refused, never lost.
@Suite struct PendingTests {
    @Test(
        arguments: [
            ["status": 21005], ["status": 21009], ["status": 21100], ["http": 503], ["http": 500], ["drop": true],
        ] as [JSONValue])
    func `A receipt that the store cannot judge waits and is delivered later`(fault: JSONValue) async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            _ = try await world.act("faults", fault)
            let answer = try await world.post(bought.appReceipt, as: player)
            #expect(answer.status == 202 && answer.json["status"] == "pending", "\(answer)")
            #expect(answer.headers[.retryAfter] != nil)
            let location = try #require(answer.headers[.location])
            #expect(try await world.call(.get, location, as: player).json["status"] == "pending")

            world.clock.advance(by: 60)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.call(.get, location, as: player).json["status"] == "pending")
            #expect(try await world.entitlements(of: player)["entitlements"] == [])

            try await world.endFaults()
            world.clock.advance(by: 60)
            await world.assembly.worker.askAboutDueReceipts()
            let settled = try await world.call(.get, location, as: player).json
            #expect(settled["status"] == "verified" && settled["transactions"][0]["outcome"] == "delivered")
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
        }
    }

    @Test func `Status 21002 means malformed after three tries`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            _ = try await world.act("faults", ["status": 21002])
            let answer = try await world.post(bought.appReceipt, as: player)
            #expect(answer.status == 202)
            let location = try #require(answer.headers[.location])
            for status: JSONValue in ["pending", "rejected"] {
                world.clock.advance(by: 301)
                await world.assembly.worker.askAboutDueReceipts()
                #expect(try await world.call(.get, location, as: player).json["status"] == status)
            }
            #expect(try await world.call(.get, location, as: player).json["reason"] == "malformed")

            try await world.endFaults()
            #expect(try await world.post(bought.appReceipt, as: player).status == 200, "the player may try again")
        }
    }

    /// Ambiguous answers from before an answer do not count for the next question.
    @Test(arguments: [0, 21003]) func `An answer resets the count of ambiguous answers`(status: Int) async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            _ = try await world.act("faults", ["status": 21002])
            let location = try #require(try await world.post(bought.appReceipt, as: player).headers[.location])
            world.clock.advance(by: 301)
            await world.assembly.worker.askAboutDueReceipts()
            try await world.endFaults()
            if status != 0 { _ = try await world.act("faults", ["status": .integer(status), "count": 1]) }
            world.clock.advance(by: 301)
            await world.assembly.worker.askAboutDueReceipts()
            let settled = try await world.call(.get, location, as: player).json["status"]
            #expect(settled == (status == 0 ? "verified" : "rejected"))
            _ = try await world.act("faults", ["status": 21002])
            let answer = try await world.post(bought.appReceipt, as: player)
            #expect(answer.status == 202 && answer.json["finish"] == false, "\(answer)")
        }
    }

    @Test func `A wrong shared secret is the operator's trouble and not the player's`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("club.monthly", "auto-renewable")
            _ = try await world.act("faults", ["status": 21004, "count": 1])
            #expect(try await world.post(bought.appReceipt, as: player).status == 202)
            world.clock.advance(by: 301)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.entitlement(to: "club.monthly", of: player)["access"] == "granted")
        }
    }

    @Test(arguments: [(21003, "signature"), (21010, "notFound")])
    func `A final rejection by the store is a refusal`(status: Int, reason: String) async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            _ = try await world.act("faults", ["status": .integer(status)])
            let answer = try await world.post(bought.appReceipt, as: player)
            #expect(answer.status == 422 && answer.json["code"] == "receipt_rejected", "\(answer)")
            #expect(answer.json["reason"].text == reason && answer.json["finish"] == false)
        }
    }

    private static let chess = """
        {"apps": [
          {"bundleID": "com.example.hangman", "products": [
            {"id": "com.example.hangman.hardwords", "type": "non-consumable", "bundles": ["hard-words"]}]},
          {"bundleID": "com.example.chess", "products": []}]}
        """

    /// The app named by the last request counts, until the receipt is accepted.
    @Test(arguments: ["local", "verifyReceipt"], [false, true])
    func `A wrong app of a receipt may be corrected`(judge: String, waits: Bool) async throws {
        try await World.run(products: Self.chess, environment: ["QUARTERMASTER_APP_RECEIPTS": judge]) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            if waits { _ = try await world.act("faults", ["status": 21005]) }
            for receipt in [bought.appReceipt, bought.transactionReceipt] {
                let isAsked = judge == "verifyReceipt" || receipt == bought.transactionReceipt
                let wrong = try await world.post(receipt, as: player, bundleID: "com.example.chess")
                if waits, isAsked {
                    #expect(wrong.status == 202, "\(wrong)")
                } else {
                    wrong.expect(.rejected("bundleID"))
                }
                let right = try await world.post(receipt, as: player, bundleID: World.app)
                #expect(right.status == (waits && isAsked ? 202 : 200), "\(right)")
            }
            try await world.endFaults()
            world.clock.advance(by: 60)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            for receipt in [bought.appReceipt, bought.transactionReceipt] {
                let again = try await world.post(receipt, as: player, bundleID: "com.example.chess")
                #expect(again.status == 200, "what was accepted stays: \(again)")
            }
        }
    }

    @Test func `Twenty receipts wait and the next is refused for now`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            _ = try await world.act("faults", ["status": 21005])
            var answers: [Answer] = []
            for _ in 0...PendingReceipt.maximumPending {
                let bought = try await world.buy("tenhints", "consumable")
                answers.append(try await world.post(bought.transactionReceipt, as: player))
            }
            #expect(answers.dropLast().allSatisfy { $0.status == 202 })
            let last = try #require(answers.last)
            #expect(last.status == 429 && last.json["code"] == "too_many_requests" && last.headers[.retryAfter] != nil)

            try await world.endFaults()
            for _ in 0..<4 {
                world.clock.advance(by: 61)
                await world.assembly.worker.askAboutDueReceipts()
            }
            #expect(try await world.entitlements(of: player)["balances"]["hints"] == 200)
        }
    }

    @Test func `A known receipt keeps what it gave while the store is away`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("club.monthly", "auto-renewable", ["period": "P1M"])
            #expect(try await world.post(bought.appReceipt, as: player).json["duplicate"] == false)
            _ = try await world.act("faults", ["status": 21005])
            #expect(try await world.post(bought.appReceipt, as: player).status == 202)
            #expect(try await world.entitlement(to: "club.monthly", of: player)["access"] == "granted")

            try await world.endFaults()
            world.clock.advance(by: 40 * 86_400)
            _ = try await world.act("subscriptions/\(bought.originalID)/renew")
            let answer = try await world.post(bought.appReceipt, as: player)
            #expect(answer.json["duplicate"] == true)
            #expect(answer.json["transactions"].array.contains { $0["outcome"] == "delivered" }, "\(answer)")
            #expect(try await world.entitlement(to: "club.monthly", of: player)["access"] == "granted")
        }
    }
}
