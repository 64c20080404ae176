import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import Ledger
@testable import LedgerSQL

/// Condensed histories are stored in few bytes, and are read back as they were.
@Suite struct CompactStandingTests {
    private static let products: [ProductID] = ["hints", "words", "night", "club.month", "club.year", "gone"]

    private func codec(_ handlers: [any ProductHandler.Type] = standardHandlers) -> StandingsCodec {
        StandingsCodec(handlers: handlers)
    }

    /// Random purchases of one history, by the terms of a catalog, with all facts that a store may state.
    private func records(_ catalog: Catalog, using random: inout SeededGenerator) -> [RecordedTransaction] {
        let product = Self.products.randomElement(using: &random) ?? "hints"
        let terms = catalog.product(product, of: "hangman")
        return (0..<Int.random(in: 1...6, using: &random)).map { _ in
            var transaction = RandomFacts.transaction(using: &random)
            (transaction.app, transaction.productID) = ("hangman", product)
            let isRenewing = terms?.type == .autoRenewable
            if !isRenewing { transaction.expirationDate = nil }
            return RecordedTransaction(
                transaction: transaction, purchase: transaction.purchaseID, terms: terms,
                owner: account(Bool.random(using: &random) ? 1 : 2), creditedTo: account(1))
        }
    }

    @Test(arguments: [
        standardHandlers, standardHandlers.filter { $0.productType != .consumable } + [NewerConsumable.self],
    ])
    func `A stored standing is read back as it was`(handlers: [any ProductHandler.Type]) throws {
        var random = SeededGenerator(seed: 51)
        let catalog = try JSONDecoder().decode(Catalog.self, from: Data(shop.utf8), configuration: handlers)
        var condensed = 0
        for _ in 0..<2_000 {
            let records = records(catalog, using: &random)
            for (id, records) in Dictionary(grouping: records, by: { HistoryID(of: $0) }) {
                guard var history = CondensedHistory(of: records, for: account(1)) else { continue }
                if let product = history.products.first?.product {
                    let times = [
                        RetainedTime(start: day(1), end: day(2)),
                        RetainedTime(start: day(3), end: day(4), renewing: "7"),
                    ]
                    history.setRetainedTimes(times.filter { _ in Bool.random(using: &random) }, of: product)
                }
                let stored = try codec(handlers).encode(history, of: id)
                let version = try #require(codec(handlers).version(of: id.name.type))
                // Another codec, which has nothing cached.
                let back = try #require(
                    codec(handlers).decode(name: stored.name, standing: stored.standing, version: version))
                #expect(back.id == id)
                #expect(try JSON.encode(back.history) == JSON.encode(history))
                #expect(try codec(handlers).encode(back.history, of: id).standing == stored.standing)
                condensed += 1
            }
        }
        #expect(condensed > 1_500)
    }

    /// Bytes that another version wrote, or that are damaged, are no history; nothing ends the process.
    @Test func `Damaged standings and those of another version are not read`() throws {
        var random = SeededGenerator(seed: 52)
        let catalog = try catalog()
        for _ in 0..<3_000 {
            let records = records(catalog, using: &random)
            let id = HistoryID(of: records[0])
            guard let history = CondensedHistory(of: records, for: account(1)) else { continue }
            var stored = try codec().encode(history, of: id)
            let version = try #require(codec().version(of: id.name.type))
            let cut = Data(stored.standing.prefix(Int.random(in: 0..<stored.standing.count, using: &random)))
            #expect(codec().decode(name: stored.name, standing: cut, version: version) == nil)
            #expect(codec().decode(name: stored.name, standing: stored.standing, version: "9") == nil)
            for _ in 0..<3 {
                let place = Int.random(in: 0..<stored.standing.count, using: &random)
                stored.standing[place] = UInt8.random(in: .min ... .max, using: &random)
            }
            _ = codec().decode(name: stored.name, standing: stored.standing, version: version)
            stored.name[Int.random(in: 0..<stored.name.count, using: &random)] ^= 0xFF
            _ = codec().decode(name: stored.name, standing: stored.standing, version: version)
        }
    }

    /// Each first purchase of a product stores a row.
    @Test(arguments: LedgerKind.allCases)
    func `A stored standing takes at most 80 bytes`(kind: LedgerKind) async throws {
        let test = try kind.open()
        try await test.join(1)
        try await test.record(receipt("a"), bought("hints", "2000000123456789", token: 1))
        let sizes = try await test.rows(
            "SELECT length(account) + length(history) + length(version) + length(standing) FROM standings")
        #expect(sizes.compactMap { Int($0) }.allSatisfy { $0 <= 80 } && sizes.count == 1, "\(sizes)")
    }
}
