import Foundation
import InAppPurchase
import TestSupport
import Testing

/// Statements about a renewal, of which the newest counts.
@Suite struct RenewalMergeTests {
    private static let dates = [1, 2, 3, 4].map(day)

    /// One statement for each date, signed or not, so that no two are equally new.
    private func statements(using generator: inout SeededGenerator) -> [RenewalFacts] {
        Self.dates.map { date in
            var facts = RenewalFacts(willAutoRenew: generator.flip(), signedDate: date)
            facts.status = generator.flip() ? RenewalFacts.Status(number: 4, date: date) : nil
            guard generator.flip() else { return facts }
            var details = RenewalDetails(signedDate: date)
            details.price = generator.pick(nil, 990, 1_990)
            facts.details = details
            return facts
        }
    }

    @Test(arguments: campaign(of: 20))
    func `Statements about a renewal merge to the same in any order`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let all = statements(using: &generator)
        let newest = try #require(all.last)
        for _ in 0..<50 {
            let order = (all + all.filter { _ in generator.flip() }).shuffled(using: &generator)
            var merged = try #require(order.first)
            for statement in order.dropFirst() { merged.merge(statement) }
            #expect(merged.willAutoRenew == newest.willAutoRenew && merged.signedDate == newest.signedDate)
            #expect(merged.details == all.compactMap(\.details).last)
            #expect(merged.status == all.compactMap(\.status).last)
        }
    }

    @Test(arguments: [0, 2])
    func `The newest answer to a price increase counts, whether it was signed or not`(signed: Int) {
        var details = RenewalDetails(signedDate: day(signed))
        (details.price, details.priceIncreaseStatus) = (990, 0)
        var facts = RenewalFacts(details: details, signedDate: day(signed))
        var unsigned = RenewalFacts(signedDate: day(1))
        unsigned.priceIncreaseStatus = 1
        facts.merge(unsigned)
        #expect(facts.priceIncrease == (signed == 0 ? 1 : 0))
        #expect(facts.details?.price == 990)
    }

    /// An app receipt is newer and does not know the price.
    @Test func `An unsigned statement does not clear a known price`() {
        var details = RenewalDetails(signedDate: day(1))
        details.price = 990
        var facts = RenewalFacts(willAutoRenew: true, details: details, signedDate: day(1))
        facts.merge(RenewalFacts(willAutoRenew: false, signedDate: day(2)))
        #expect(facts.willAutoRenew == false && facts.details?.price == 990)
    }
}
