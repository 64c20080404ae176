import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// Players who buy while the store has trouble, and a model of what they may have at any time.
struct TroubledShop {
    enum Refund { case beforeItWasShown, afterIt }

    struct Purchase {
        var player: Int
        var product: String
        var bought: Bought
        var refund: Refund?
    }

    /// A receipt that waits.
    struct Waiting {
        var player: Int
        var receipt: String
        var content: String
    }

    static let shelf = [
        ("tenhints", "consumable"), ("hundredhints", "consumable"), ("ioswords", "non-consumable"),
        ("nighttheme.month", "non-renewing"), ("club.monthly", "auto-renewable"),
    ]
    static let credits = ["tenhints": 10, "hundredhints": 100]
    /// So that nobody is told to come again later.
    private static let maximumWaiting = PendingReceipt.maximumPending - 3

    let world: World
    var generator: SeededGenerator
    let players: [Player]
    /// In the order in which they came.
    private(set) var waiting: [Waiting] = []
    /// Receipts that waited, by their IDs.
    private(set) var forged: Set<String> = []
    private(set) var refused: Set<String> = []
    private var purchases: [String: Purchase] = [:]
    /// The purchases of each player's accepted receipts.
    private var verified: [Set<String>]
    /// From days before the outage: those that were presented, and those that were not.
    private var shown: [String] = []
    private var kept: [String] = []

    init(_ world: World, _ generator: SeededGenerator) async throws {
        self.world = world
        self.generator = generator
        try await world.setNotificationURL()
        players = [try await world.newPlayer(), try await world.newPlayer(), try await world.newPlayer()]
        verified = players.map { _ in [] }
        for player in players.indices {
            let words = try await buy("hardwords", "non-consumable", player)
            let hints = try await buy("hundredhints", "consumable", player)
            for bought in [words, hints] { try await show(bought.signedTransaction, by: player) }
            shown.append(hints.transactionID)
            for _ in 0..<3 { kept.append(try await buy("tenhints", "consumable", player).transactionID) }
        }
        // By now the store leaves the consumables out of app receipts.
        world.clock.advance(by: 2 * 86_400)
    }

    /// Some buy something and present it in some way; something old is presented, something refunded, something forged.
    mutating func act() async throws {
        for player in players.indices where waiting.count(where: { $0.player == player }) < Self.maximumWaiting {
            guard let (product, type) = Self.shelf.randomElement(using: &generator) else { continue }
            let bought = try await buy(product, type, player)
            let forms = [bought.signedTransaction, bought.appReceipt, bought.transactionReceipt, bought.transactionID]
            try await show(forms.randomElement(using: &generator), by: player)
        }
        if generator.flip(), let id = kept.popLast(), let purchase = purchases[id] {
            if generator.flip() { try await refund(id, .beforeItWasShown) }
            try await show(purchase.bought.signedTransaction, by: purchase.player)
        }
        if shown.count > 1, generator.flip() { try await refund(shown.removeLast(), .afterIt) }
        if generator.flip() { try await forge() }
        // Apps send again what they have not finished.
        if let again = waiting.randomElement(using: &generator) { try await show(again.content, by: again.player) }
    }

    mutating func letTimePass(_ seconds: TimeInterval) async throws {
        for _ in 0..<4 {
            world.clock.advance(by: seconds / 4)
            await world.assembly.worker.askAboutDueReceipts()
        }
        try await lookAfterReceipts()
    }

    /// Rounds of one worker until nothing waits. Those that came first are settled first.
    mutating func letTheStoreRecover() async throws {
        // Also if nothing waits: nobody was let through to find that out.
        defer { world.clock.advance(by: 31) }
        for round in 0..<60 where !waiting.isEmpty {
            let before = waiting.map(\.receipt)
            world.clock.advance(by: 31)
            await world.assembly.worker.askAboutDueReceipts()
            try await lookAfterReceipts()
            let left = Set(waiting.map(\.receipt))
            let settled = before.indices.filter { !left.contains(before[$0]) }
            // The store doubts what is forged, and doubted at most two others: they wait for their time.
            let reach = RetryWorker.atOnce + before.count(where: forged.contains) + 2
            // The first one finds that the store is back, which wakes the others.
            if round > 0 { #expect(settled.allSatisfy { $0 < reach }, "round \(round): \(settled)") }
        }
    }

    /// Each player has what was found good, and nothing else.
    func check() async throws {
        for (player, known) in zip(players, verified) {
            let good = known.compactMap { purchases[$0] }
            try await expect(player, hints: good.filter { $0.refund != .beforeItWasShown }, products: good)
        }
    }

    /// The server knows every purchase and refund, also those that nobody presented.
    func checkAgainstTheStore() async throws {
        for (index, player) in players.enumerated() {
            let own = purchases.values.filter { $0.player == index && $0.refund == nil }
            try await expect(player, hints: own, products: own)
        }
        #expect(purchases.values.contains { $0.refund == .afterIt })
    }

    private func expect(_ player: Player, hints: [Purchase], products: [Purchase]) async throws {
        let state = try await world.entitlements(of: player)
        let balance = hints.reduce(0) { $0 + (Self.credits[$1.product] ?? 0) }
        #expect((state["balances"]["hints"].number ?? 0) == balance)
        let granted = state["entitlements"].array.filter { $0["access"] == "granted" }.compactMap { $0["product"].text }
        let lasting = Set(products.map(\.product)).subtracting(Self.credits.keys).map { "\(World.app).\($0)" }
        #expect(Set(granted) == Set(lasting))
    }
}

extension TroubledShop {
    private mutating func buy(_ product: String, _ type: String, _ player: Int) async throws -> Bought {
        let bought = try await world.buy(product, type, ["appAccountToken": .string(players[player].account)])
        purchases[bought.transactionID] = Purchase(player: player, product: product, bought: bought)
        return bought
    }

    private mutating func refund(_ id: String, _ refund: Refund) async throws {
        purchases[id]?.refund = refund
        _ = try await world.act("transactions/\(id)/refund")
    }

    /// - Returns: the receipt's ID if it waits.
    @discardableResult private mutating func show(_ content: String?, by player: Int) async throws -> String? {
        let content = try #require(content)
        let answer = try await world.post(content, as: players[player])
        let receipt = try #require(answer.json["receipt"].text, "\(answer)")
        if answer.status == 202 {
            if !waiting.contains(where: { $0.receipt == receipt }) {
                waiting.append(Waiting(player: player, receipt: receipt, content: content))
            }
            return receipt
        }
        waiting.removeAll { $0.receipt == receipt }
        if answer.status == 200 { record(answer.json, player) } else { refused.insert(receipt) }
        return nil
    }

    /// A receipt of the right form that nobody signed: its last bytes are changed.
    private mutating func forge() async throws {
        let player = Int.random(in: players.indices, using: &generator)
        guard let model = purchases.values.min(by: { $0.bought.transactionID < $1.bought.transactionID })?.bought,
            var bytes = Data(base64Encoded: model.transactionReceipt)
        else { return }
        let receipts = refused
        bytes = Data(
            String(decoding: bytes, as: UTF8.self)
                .replacing(
                    "\"signature\" = \"", with: "\"signature\" = \"\(generator.text(of: ["QUJD", "REVG"], upTo: 9))QUJD"
                )
                .utf8)
        if let receipt = try await show(bytes.base64EncodedString(), by: player) { forged.insert(receipt) }
        forged.formUnion(refused.subtracting(receipts))
    }

    private mutating func lookAfterReceipts() async throws {
        for kept in waiting {
            let answer = try await world.call(.get, "/v1/receipts/\(kept.receipt)", as: players[kept.player]).json
            switch answer["status"].text {
            case "pending": continue
            case "verified": record(answer, kept.player)
            default: refused.insert(kept.receipt)
            }
            waiting.removeAll { $0.receipt == kept.receipt }
        }
    }

    private mutating func record(_ answer: JSONValue, _ player: Int) {
        verified[player].formUnion(answer["transactions"].array.compactMap { $0["id"].text })
    }
}
