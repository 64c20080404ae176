import Foundation
import InAppPurchase
import TestSupport
import Testing

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

    /// Copies by the day they were signed, and the day of the refund that counts when all were seen.
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

    @Test(arguments: cases) func `The newest copy decides about a refund, whichever arrives first`(
        name: String, copies: [Copy], expected: Int?
    ) throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20 {
            let order = copies.map(\.transaction).shuffled(using: &generator)
            let first = try #require(order.first)
            let merged = order.dropFirst().reduce(first) { $0.merged(with: $1) }
            #expect(merged.revocation?.date == expected.map(day), "\(name)")
        }
    }

    /// Copies as above, each refund with its percentage, and the one that counts when all were seen.
    static let shares: [(String, [(Copy, Int?)], Int?)] = [
        ("a share", [(Copy(signed: 1), nil), (Copy(signed: 5, revoked: 4), 50_000)], 50_000),
        ("the newest copy's", [(Copy(signed: 5, revoked: 4), 50_000), (Copy(signed: 8, revoked: 7), 80_000)], 80_000),
        ("all in the end", [(Copy(signed: 5, revoked: 4), 50_000), (Copy(signed: 8, revoked: 7), nil)], nil),
        ("less in the end", [(Copy(signed: 5, revoked: 4), nil), (Copy(signed: 8, revoked: 4), 20_000)], 20_000),
        (
            "what nobody signed knows of no shares",
            [(Copy(signed: 5, revoked: 4), 50_000), (Copy(signed: 9, isSigned: false, revoked: 4), nil)], 50_000
        ),
        (
            "and is the first to tell of the refund",
            [(Copy(signed: 4, isSigned: false, revoked: 4), nil), (Copy(signed: 5, revoked: 4), 50_000)], 50_000
        ),
        (
            "reversed, then told of again by what nobody signed",
            [
                (Copy(signed: 5, revoked: 4), 50_000), (Copy(signed: 6), nil),
                (Copy(signed: 9, isSigned: false, revoked: 8), nil),
            ], nil
        ),
        (
            "reversed, and another share refunded",
            [
                (Copy(signed: 5, revoked: 4), 50_000), (Copy(signed: 6), nil), (Copy(signed: 9, revoked: 8), 30_000),
            ], 30_000
        ),
    ]

    @Test(arguments: shares) func `The share of a refund is that of the newest signed copy`(
        name: String, copies: [(Copy, Int?)], expected: Int?
    ) throws {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<30 {
            let known = copies.map { copy, percentage in
                var transaction = copy.transaction
                transaction.revocation?.percentage = percentage
                return transaction
            }
            let order = (known + known.filter { _ in generator.flip() }).shuffled(using: &generator)
            let first = try #require(order.first)
            let merged = order.dropFirst().reduce(first) { $0.merged(with: $1) }
            #expect(merged.revocation != nil && merged.revocation?.percentage == expected, "\(name)")
        }
        let later = purchase(signedDate: day(10))
        let merged = copies.map(\.0.transaction).reduce(later) { $0.merged(with: $1) }
        #expect(merged.revocation == nil, "\(name)")
    }

    @Test func `A member that a copy lacks never clears a known one`() {
        let known = purchase(productType: .consumable, appAccountToken: account(1), signedDate: day(1))
        let bare = purchase(signedDate: day(2), isSigned: false)
        let merged = bare.merged(with: known)
        #expect(merged.productType == .consumable)
        #expect(merged.appAccountToken == account(1))
        #expect(merged.signedDate == day(2))
    }

    /// The store moves the end of a period when it extends a subscription.
    @Test(arguments: [(1, 2, 9), (2, 1, 8)])
    func `The newest statement of a member wins`(first: Int, second: Int, end: Int) {
        let one = purchase(expirationDate: day(8), signedDate: day(first))
        let other = purchase(expirationDate: day(9), signedDate: day(second), isSigned: false)
        for merged in [one.merged(with: other), other.merged(with: one)] {
            #expect(merged.expirationDate == day(end))
            #expect(merged.merged(with: purchase(signedDate: day(5))).expirationDate == day(end))
        }
    }

    @Test func `An upgrade is never undone`() {
        let upgraded = purchase(isUpgraded: true, signedDate: day(1))
        #expect(upgraded.merged(with: purchase(signedDate: day(2))).isUpgraded)
    }
}
