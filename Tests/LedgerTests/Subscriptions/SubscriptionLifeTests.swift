import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// The whole life of a subscription through a ledger, each fact by a receipt of its own.
@Suite struct SubscriptionLifeTests {
    @Test(arguments: LedgerKind.allCases)
    func `Access in the ledger follows the life of a subscription day by day`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        var facts = SubscriptionLife.facts[...]
        for (date, month, year) in SubscriptionLife.course {
            while let fact = facts.first, fact.signedDate <= date {
                try await receive(facts.removeFirst(), to: ledger, on: date)
            }
            #expect(try await ledger.clubAccess(on: date) == [month, year], "\(date.rfc3339)")
        }
        #expect(facts.isEmpty)
    }

    @Test(arguments: LedgerKind.allCases, campaign(of: 5))
    func `The facts of a subscription in any order leave the same access and credits`(kind: LedgerKind, seed: UInt64)
        async throws
    {
        var generator = SeededGenerator(seed: seed)
        let facts = SubscriptionLife.facts
        let doubled = (facts + facts.filter { _ in generator.flip() }).shuffled(using: &generator)
        let expected = try await outcome(of: facts, in: try kind.open())
        // Three months and a year, less 3 of the month that was left for the year.
        #expect(expected.last == "+ gems 115")
        for order in [facts.reversed(), facts + facts, doubled] {
            #expect(try await outcome(of: order, in: try kind.open()) == expected)
        }
    }

    private func outcome(of facts: [SubscriptionLife.Fact], in ledger: TestLedger) async throws -> [String] {
        try await ledger.join(1)
        for fact in facts { try await receive(fact, to: ledger, on: HistoryMaker.present) }
        #expect(try await ledger.differences() == [])
        var outcome: [String] = []
        for (date, _, _) in SubscriptionLife.course { outcome.append(try await ledger.holdings(of: 1, on: date)) }
        return outcome.flatMap { $0.split(separator: "\n").map(String.init) }
    }

    private func receive(_ fact: SubscriptionLife.Fact, to ledger: TestLedger, on date: Date) async throws {
        let original = OriginalTransaction.Key(
            app: SubscriptionLife.app, environment: .production, originalID: SubscriptionLife.line)
        let name = "\(fact.signedDate.rfc3339)"
        switch fact {
        case .transaction(let copy): try await ledger.record(receipt(name), copy, on: date)
        case .renewal(let facts): try await ledger.record(receipt(name), renewals: [original: facts], on: date)
        }
    }
}

extension TestLedger {
    /// The access to each product of the club; to what was never bought, as a handler answers it.
    fileprivate func clubAccess(on date: Date) async throws -> [Access] {
        let entitlements = try await ledger.entitlements(of: account(1), in: try context(on: date))
        return SubscriptionLife.products.map { product in
            entitlements.first { $0.product == product }?.access ?? .denied(.expired)
        }
    }
}
