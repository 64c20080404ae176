import Crypto
import Foundation
import HTTPTypes
import InAppPurchase
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine

/// The main job: bought, sent, verified, recorded, delivered, restored.
@Suite struct PurchaseTests {
    enum Form: String, CaseIterable {
        case signedTransaction, appReceipt, transactionReceipt

        func receipt(_ bought: Bought) -> String {
            switch self {
            case .signedTransaction: bought.signedTransaction
            case .appReceipt: bought.appReceipt
            case .transactionReceipt: bought.transactionReceipt
            }
        }
    }

    static let products: [(name: String, type: String, bundles: [String], credits: Int)] = [
        ("tenhints", "consumable", [], 10),
        ("hardwords", "non-consumable", ["hard-words"], 0),
        ("nighttheme.month", "non-renewing", ["night-theme"], 0),
        ("club.monthly", "auto-renewable", ["hard-words", "ios-words", "night-theme"], 0),
    ]

    @Test(arguments: Form.allCases, products.indices)
    func `Every product type is delivered from every form of receipt and restored`(form: Form, index: Int) async throws
    {
        let product = Self.products[index]
        try await World.run { world in
            let player = try await world.newPlayer()
            let receipt = form.receipt(try await world.buy(product.name, product.type))
            let answer = try await world.post(receipt, as: player)
            #expect(answer.status == 200, "\(answer)")
            #expect(answer.json["status"] == "verified" && answer.json["duplicate"] == false)
            #expect(answer.json["transactions"][0]["outcome"] == "delivered")
            #expect(answer.json["transactions"][0]["finish"] == true)
            #expect(answer.json["balances"]["hints"].number ?? 0 == product.credits)

            let device = try await world.secondDevice(of: player)
            let entitlement = try await world.entitlement(to: product.name, of: device)
            #expect(entitlement["type"].text == product.type)
            #expect(entitlement["access"] == (product.bundles.isEmpty ? "denied" : "granted"))
            #expect(entitlement["bundles"].array.compactMap(\.text) == product.bundles)
            let ends = product.type == "non-renewing" || product.type == "auto-renewable"
            #expect(entitlement["until"].text == (ends ? "2026-12-18T11:06:40Z" : nil))
            for bundle in product.bundles { try await Self.expectBytes(of: bundle, for: device, in: world) }
        }
    }

    /// Every file of a manifest has its stated size and hash.
    static func expectBytes(of bundle: String, for player: Player, in world: World) async throws {
        let manifest = try await world.call(.get, "/v1/bundles/\(bundle)", as: player)
        #expect(manifest.status == 200, "\(manifest)")
        #expect(!manifest.json["files"].array.isEmpty)
        for file in manifest.json["files"].array {
            let content = try await world.call(.get, try #require(file["url"].text))
            #expect(content.status == 200 && content.bytes.count == file["size"].number)
            #expect(SHA256.hash(data: content.bytes).map { String(format: "%02x", $0) }.joined() == file["sha256"].text)
        }
    }

    @Test func `Another account gets nothing of a purchase`() async throws {
        try await World.run { world in
            let (player, stranger) = (try await world.newPlayer(), try await world.newPlayer())
            let bought = try await world.buy(
                "hardwords", "non-consumable", ["appAccountToken": .string(player.account)])
            let receipt = try await world.post(bought.signedTransaction, as: player).json["receipt"].text ?? ""
            let refusal = try await world.call(.get, "/v1/bundles/hard-words", as: stranger)
            #expect(refusal.status == 403 && refusal.json["code"] == "not_entitled", "\(refusal)")
            #expect(refusal.json["reason"] == "notPurchased")
            #expect(try await world.call(.get, "/v1/receipts/\(receipt)", as: stranger).status == 404)
            #expect(try await world.call(.get, "/v1/receipts/\(receipt)", as: player).json["status"] == "verified")
            #expect(try await world.call(.get, "/v1/bundles/hard-words").status == 401)
        }
    }

    @Test func `One receipt posted fifty times at once delivers once`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let receipt = try await world.buy("tenhints", "consumable").signedTransaction
            let outcomes = try await withThrowingTaskGroup(of: JSONValue.self) { group in
                for _ in 0..<50 {
                    group.addTask { try await world.post(receipt, as: player).json["transactions"][0]["outcome"] }
                }
                return try await group.reduce(into: [JSONValue]()) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == "delivered" } == 1)
            #expect(outcomes.count { $0 == "alreadyDelivered" } == 49)
            #expect(try await world.entitlements(of: player)["balances"]["hints"] == 10)
        }
    }

    @Test func `A refund holds when the older copy is sent again`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let words = try await world.buy("hardwords", "non-consumable")
            let hints = try await world.buy("tenhints", "consumable")
            for bought in [words, hints] { _ = try await world.post(bought.signedTransaction, as: player) }
            let spend = try await world.call(
                .post, "/v1/balances/hints/spend", ["amount": 4], as: player, headers: .key("k"))
            #expect(spend.status == 200 && spend.json == ["currency": "hints", "balance": 6])

            world.clock.advance(by: 3600)
            for bought in [words, hints] {
                let refunded = try await world.act("transactions/\(bought.transactionID)/refund")
                _ = try await world.post(try #require(refunded["signedTransaction"].text), as: player)
            }
            for _ in 0..<2 {
                let entitlement = try await world.entitlement(to: "hardwords", of: player)
                #expect(entitlement["access"] == "denied" && entitlement["reason"] == "revoked")
                #expect(try await world.entitlements(of: player)["balances"]["hints"] == -4)
                #expect(try await world.call(.get, "/v1/bundles/hard-words", as: player).json["reason"] == "revoked")
                for bought in [words, hints] { _ = try await world.post(bought.signedTransaction, as: player) }
            }
            let next = try await world.call(
                .post, "/v1/balances/hints/spend", ["amount": 1], as: player, headers: .key("n"))
            #expect(next.status == 409 && next.json["code"] == "insufficient_balance")
        }
    }

    @Test func `A purchase moves or stays as its ownership says`() async throws {
        try await World.run { world in
            let (first, second) = (try await world.newPlayer(), try await world.newPlayer())
            let bought = try await world.buy("hardwords", "non-consumable")
            let words = bought.signedTransaction
            let hints = try await world.buy("tenhints", "consumable").signedTransaction
            for receipt in [words, hints] { #expect(try await world.post(receipt, as: first).status == 200) }

            let stays = try await world.post(hints, as: second)
            #expect(stays.status == 409 && stays.json["code"] == "owned_by_another_account", "\(stays)")
            #expect(stays.json["finish"] == false)
            #expect(try await world.post(words, as: second).json["remedy"] == "freshReceipt")
            world.clock.advance(by: 1)
            let moves = try await world.post(world.signAgain(bought.transactionID), as: second)
            #expect(moves.status == 200 && moves.json["transactions"][0]["outcome"] == "delivered", "\(moves)")
            #expect(try await world.entitlement(to: "hardwords", of: first)["reason"] == "transferred")
            #expect(try await world.call(.get, "/v1/bundles/hard-words", as: first).status == 403)
            #expect(try await world.entitlements(of: first)["balances"]["hints"] == 10)
            #expect(try await world.post(words, as: first).status == 409, "the evidence is older than the move")
        }
    }

    @Test func `The account that the token names owns what another presents`() async throws {
        try await World.run { world in
            let (owner, stranger) = (try await world.newPlayer(), try await world.newPlayer())
            let token: [String: JSONValue] = ["appAccountToken": .string(owner.account)]
            let hints = try await world.buy("tenhints", "consumable", token)
            #expect(try await world.post(hints.signedTransaction, as: stranger).status == 409)
            #expect(try await world.entitlements(of: owner)["balances"]["hints"] == 10)
            let answer = try await world.post(hints.signedTransaction, as: owner)
            #expect(answer.json["transactions"][0]["outcome"] == "delivered")
        }
    }

    @Test func `Non-renewing subscriptions add up and are there on every device`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let january = Date(rfc3339: "2027-01-31T12:00:00Z") ?? .distantPast
            world.clock.advance(by: january.timeIntervalSince(world.clock.now))
            for _ in 0..<2 {
                let bought = try await world.buy("nighttheme.month", "non-renewing")
                _ = try await world.post(bought.signedTransaction, as: player)
            }
            let device = try await world.secondDevice(of: player)
            #expect(try await world.entitlement(to: "nighttheme.month", of: device)["until"] == "2027-03-31T12:00:00Z")
            world.clock.advance(by: 59 * 86_400)
            #expect(try await world.entitlement(to: "nighttheme.month", of: device)["reason"] == "expired")
            #expect(try await world.call(.get, "/v1/bundles/night-theme", as: device).json["reason"] == "expired")
        }
    }

    @Test func `A restore takes many receipts, and a bad one does not affect the others`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let words = try await world.buy("ioswords", "non-consumable")
            let theme = try await world.buy("nighttheme.month", "non-renewing")
            let answer = try await world.call(
                .post, "/v1/restore",
                ["receipts": [.string(words.signedTransaction), "garbage", .string(theme.appReceipt), "1234"]],
                as: player)
            #expect(answer.status == 200, "\(answer)")
            let receipts = answer.json["receipts"].array
            #expect(receipts.map { $0["status"].text } == ["verified", "rejected", "verified", "rejected"])
            #expect(receipts.map { $0["reason"].text } == [nil, "malformed", nil, "unsupported"])
            #expect(receipts.map { $0["finish"].flag } == [true, false, true, false])
            #expect(answer.json["entitlements"].array.count { $0["access"] == "granted" } == 2)
            let empty = try await world.call(.post, "/v1/restore", as: player)
            #expect(empty.status == 200 && empty.json["receipts"] == [])
        }
    }
}
