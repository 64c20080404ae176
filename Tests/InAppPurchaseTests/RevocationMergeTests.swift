import Foundation
import InAppPurchase
import Testing
import TestSupport

@Suite struct RevocationMergeTests {
    struct Copy: Sendable {
        var signed: Int
        var isSigned = true
        var revoked: Int?

        var transaction: Transaction {
            purchase(
                revocation: revoked.map { .init(date: day($0), reason: 0) }, signedDate: day(signed),
                isSigned: isSigned)
        }
    }

    /// Copies by the day they were signed, and the day of the refund that holds when all were seen.
    static let cases: [(String, [Copy], Int?)] = [
        ("never refunded", [Copy(signed: 1), Copy(signed: 2)], nil),
        ("refund after the purchase", [Copy(signed: 1), Copy(signed: 5, revoked: 4)], 4),
        ("an older copy does not undo it", [Copy(signed: 5, revoked: 4), Copy(signed: 3)], 4),
        (
            "an older unsigned copy does not undo it", [Copy(signed: 5, revoked: 4), Copy(signed: 3, isSigned: false)],
            4
        ),
        ("a newer unsigned copy does not undo it", [Copy(signed: 5, revoked: 4), Copy(signed: 9, isSigned: false)], 4),
        ("REFUND_REVERSED: a later signed copy does", [Copy(signed: 5, revoked: 4), Copy(signed: 6)], nil),
        ("unsigned refund, later signed copy", [Copy(signed: 5, isSigned: false, revoked: 4), Copy(signed: 6)], nil),
        (
            "refunded, reversed, refunded",
            [Copy(signed: 5, revoked: 4), Copy(signed: 6), Copy(signed: 8, revoked: 7)], 7
        ),
        (
            "reversed, then an unsigned copy without it",
            [Copy(signed: 5, revoked: 4), Copy(signed: 6), Copy(signed: 7, isSigned: false)], nil
        ),
        (
            "reversed, then an old unsigned refund",
            [Copy(signed: 6), Copy(signed: 5, isSigned: false, revoked: 4), Copy(signed: 9, isSigned: false)], nil
        ),
        ("of one date the refund wins", [Copy(signed: 5), Copy(signed: 5, revoked: 4)], 4),
        ("a refund holds from its own date", [Copy(signed: 2, isSigned: false, revoked: 4), Copy(signed: 3)], 4),
        ("and is reversed after it", [Copy(signed: 2, isSigned: false, revoked: 4), Copy(signed: 5)], nil),
    ]

    @Test(arguments: cases) func holdsWhicheverArrivesFirst(name: String, copies: [Copy], expected: Int?) throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20 {
            let order = copies.map(\.transaction).shuffled(using: &generator)
            let first = try #require(order.first)
            let merged = order.dropFirst().reduce(first) { $0.merged(with: $1) }
            #expect(merged.revocation?.date == expected.map(day), "\(name)")
        }
    }

    @Test func aMemberThatACopyLacksNeverClearsAKnownOne() {
        let known = purchase(productType: .consumable, appAccountToken: account(1), signedDate: day(1))
        let bare = purchase(signedDate: day(2), isSigned: false)
        let merged = bare.merged(with: known)
        #expect(merged.productType == .consumable)
        #expect(merged.appAccountToken == account(1))
        #expect(merged.signedDate == day(2))
    }

    /// The store moves the end of a period when it extends a subscription.
    @Test(arguments: [(1, 2, 9), (2, 1, 8)]) func theNewestStatementOfAMemberWins(first: Int, second: Int, end: Int) {
        let one = purchase(expirationDate: day(8), signedDate: day(first))
        let other = purchase(expirationDate: day(9), signedDate: day(second), isSigned: false)
        for merged in [one.merged(with: other), other.merged(with: one)] {
            #expect(merged.expirationDate == day(end))
            #expect(merged.merged(with: purchase(signedDate: day(5))).expirationDate == day(end))
        }
    }

    @Test func anUpgradeIsNeverUndone() {
        let upgraded = purchase(isUpgraded: true, signedDate: day(1))
        #expect(upgraded.merged(with: purchase(signedDate: day(2))).isUpgraded)
    }
}
