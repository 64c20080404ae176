import Foundation
import InAppPurchase
import TestSupport
import Testing

@Suite struct TransactionMergeTests {
    static let seeds = campaign(of: 20)

    @Test(arguments: seeds) func `Merging copies of a transaction is commutative`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let (a, b) = (copy(using: &generator), copy(using: &generator))
            try #require(a.merged(with: b) == b.merged(with: a))
        }
    }

    @Test(arguments: seeds) func `Merging copies of a transaction is associative`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let (a, b, c) = (copy(using: &generator), copy(using: &generator), copy(using: &generator))
            try #require(a.merged(with: b).merged(with: c) == a.merged(with: b.merged(with: c)))
        }
    }

    @Test(arguments: seeds) func `Merging copies of a transaction is idempotent`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let (a, b) = (copy(using: &generator), copy(using: &generator))
            let both = a.merged(with: b)
            try #require(a.merged(with: a) == a)
            try #require(both.merged(with: a) == both)
            try #require(both.merged(with: b) == both)
        }
    }

    @Test(arguments: seeds) func `Copies of a transaction merge to the same in any order`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let copies = (0..<6).map { _ in copy(using: &generator) }
        let expected = try #require(merged(copies))
        for _ in 0..<100 {
            let more = copies + copies.filter { _ in generator.flip() }
            try #require(merged(more.shuffled(using: &generator)) == expected)
        }
    }

    @Test(arguments: seeds) func `A merged transaction is read back as it was stored`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let both = copy(using: &generator).merged(with: copy(using: &generator))
            #expect(try JSONDecoder().decode(Transaction.self, from: JSONEncoder().encode(both)) == both)
        }
    }

    private func merged(_ copies: [Transaction]) -> Transaction? {
        copies.first.map { first in copies.dropFirst().reduce(first) { $0.merged(with: $1) } }
    }

    /// One of the copies of a transaction that a store gone mad might sign.
    private func copy(using generator: inout SeededGenerator) -> Transaction {
        let isSigned = generator.flip()
        let reason: Int? = generator.pick(nil, -1, 0, 1)
        // What nobody signed cannot state a share.
        let percentage: Int? = isSigned ? generator.pick(nil, 0, 50_000, 99_999, 100_000) : nil
        let revocation = Transaction.Revocation(
            date: generator.pick(day(0), day(1), day(2), day(4)), reason: reason, percentage: percentage)
        return Transaction(
            id: "1", originalID: generator.pick("1", "2"), app: "app", environment: .production,
            productID: generator.pick("a", "b"), productType: generator.pick(nil, .consumable, .autoRenewable),
            quantity: generator.pick(1, 2), purchaseDate: generator.pick(day(0), day(0).addingTimeInterval(0.001)),
            originalPurchaseDate: generator.pick(nil, day(0), day(1)),
            expirationDate: generator.pick(nil, day(8), day(9)), revocation: generator.pick(nil, revocation),
            isUpgraded: generator.pick(false, false, true), ownershipType: generator.pick(.purchased, .familyShared),
            appAccountToken: generator.pick(nil, account(1), account(2)),
            subscriptionGroupID: generator.pick(nil, "g", "h"), details: details(using: &generator),
            signedDate: generator.pick(day(1), day(2), day(3)), isSigned: isSigned)
    }

    private func details(using generator: inout SeededGenerator) -> PurchaseDetails? {
        var details = PurchaseDetails()
        details.price = generator.pick(nil, 0, 1_990, 2_990)
        details.currency = generator.pick(nil, "EUR", "USD")
        details.storefront = generator.pick(nil, "DEU", "USA")
        details.storefrontID = generator.pick(nil, "143443", "143441")
        let offer = PurchaseOffer(
            type: generator.pick(nil, 1, 2), id: generator.pick(nil, "a", "b"),
            discountType: generator.pick(nil, "FREE_TRIAL", "PAY_UP_FRONT"), period: generator.pick(nil, "P1W", "P1M"))
        details.offer = generator.pick(nil, offer)
        details.isTrialPeriod = generator.pick(nil, false, true)
        details.isIntroductoryPeriod = generator.pick(nil, false, true)
        details.reason = generator.pick(nil, "PURCHASE", "RENEWAL")
        details.webOrderLineItemID = generator.pick(nil, "7", "8")
        details.appTransactionID = generator.pick(nil, "70", "71")
        details.appVersion = generator.pick(nil, "9", "10", "9.0", "x")
        details.originalAppVersion = generator.pick(nil, "1.0", "1.1")
        details.orderID = generator.pick(nil, "MK1", "MK2")
        let why = RevocationDetails(
            date: generator.pick(day(0), day(1), day(2)), reason: generator.pick(nil, 0, 1),
            type: generator.pick(nil, "REFUND_FULL", "REFUND_PRORATED"))
        details.revocation = generator.pick(nil, why)
        return generator.pick(nil, details)
    }
}
