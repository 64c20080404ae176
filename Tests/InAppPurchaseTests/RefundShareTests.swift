import Foundation
import InAppPurchase
import TestSupport
import Testing

@Suite struct RefundShareTests {
    private func share(_ percentage: Int?) -> RefundShare {
        Transaction.Revocation(date: day(0), percentage: percentage).share
    }

    /// A percentage, an amount, what is taken of the amount, and how many units of such a quantity are left.
    static let cases: [(Int?, Int, taken: Int, unitsLeft: Int)] = [
        (nil, 10, 10, 0), (100_000, 10, 10, 0), (0, 10, 0, 10), (33_333, 30, 10, 21), (50_000, 5, 2, 3),
        (50_001, 5, 3, 3), (50_000, 1, 0, 1), (99_999, 1, 1, 1), (99_999, 30, 30, 1), (1, 49_999, 0, 49_999),
        (1, 50_000, 0, 50_000), (1, 50_001, 1, 50_001), (1, 150_000, 1, 149_999), (66_667, 3, 2, 1), (12_500, 0, 0, 0),
        (25_000, 1_000_000_000_000_000, 250_000_000_000_000, 750_000_000_000_000), (100_000, .max, .max, 0),
        // No share means all.
        (-1, 10, 10, 0), (100_001, 10, 10, 0), (.max, .max, .max, 0),
    ]

    @Test(arguments: cases)
    func `A refunded share is rounded in the player's favour`(percentage: Int?, amount: Int, taken: Int, left: Int) {
        #expect(share(percentage).of(amount) == taken)
        #expect(share(percentage).unitsLeft(of: amount) == left)
        #expect(share(percentage).isAll == (percentage.map { !(0..<100_000).contains($0) } ?? true))
    }

    @Test func `A larger share never takes less, and none takes more than there is`() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let amount = Int.random(in: 0...Int.max, using: &generator) >> Int.random(in: 0...62, using: &generator)
            let percentages = [0, 0].map { _ in Int.random(in: 0...100_000, using: &generator) }.sorted()
            let taken = percentages.map { share($0).of(amount) }
            #expect(taken[0] <= taken[1] && (0...amount).contains(taken[1]))
            let left = percentages.map { share($0).unitsLeft(of: amount) }
            #expect(left[0] >= left[1] && (0...amount).contains(left[1]))
            #expect(share(percentages[1]).isAll || amount == 0 || left[1] > 0)
        }
    }

    /// Facts stored before there were shares are read as full refunds, and written as they were.
    @Test func `Refunds stored without a share are full refunds and stay as they are`() throws {
        let kept = #"""
            {"app":"com.example.hangman","environment":"Production","id":"1","isSigned":true,"isUpgraded":false,\#
            "originalID":"1","ownershipType":"PURCHASED","productID":"hints","productType":"consumable",\#
            "purchaseDate":0,"quantity":1,\#
            "revocation":{"date":5,"reason":1},"signedDate":6,"statedDates":{"productType":2}}
            """#
        let transaction = try JSONDecoder().decode(Transaction.self, from: Data(kept.utf8))
        #expect(transaction.revocation?.share.isAll == true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(transaction), as: UTF8.self) == kept)
        #expect(transaction.merged(with: transaction) == transaction)
    }
}
