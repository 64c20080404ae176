import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// The owner of a purchase after somebody presented it. Account 1 is the owner, 2 another, 3 a third; today is day 400.
@Suite struct ClaimTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var original: OriginalTransaction?
        var by: UInt8
        /// The living account that the newest token names, and the day of its payment.
        var named: UInt8?
        var paid = 0
        /// The day of the newest period that is presented.
        var period = 0
        /// The date of what was sent; nil for an iOS 6 receipt, or what only the store reported.
        var shown: Date? = today
        var isForDevice = false
        var ownership = Ownership.transfer
        var mayTransfer = true
        /// Owner, basis and number of transfers afterwards, and what the app is told.
        var expected: (owner: UInt8, basis: OriginalTransaction.Basis, transfers: Int)
        var remedy: TransferRemedy?
    }

    static let today = day(400)

    static func key(_ environment: InAppPurchase.Environment) -> OriginalTransaction.Key {
        OriginalTransaction.Key(app: "com.example.hangman", environment: environment, originalID: "1")
    }

    static func original(
        _ owner: UInt8, _ basis: OriginalTransaction.Basis, moved: [Int] = [], paid: [Int] = [],
        shown: Int? = nil, _ environment: InAppPurchase.Environment = .production
    ) -> OriginalTransaction {
        OriginalTransaction(
            key: key(environment), owner: AccountID(account(owner)), basis: basis,
            transfers: moved.map {
                OriginalTransaction.Transfer(from: AccountID(account(1)), to: AccountID(account(owner)), date: day($0))
            }
                + paid.map {
                    OriginalTransaction.Transfer(
                        from: AccountID(account(1)), to: AccountID(account(owner)), date: day($0), isPayment: true)
                },
            ownerEvidenceDate: shown.map { day($0) })
    }

    static let firstSeen: [Case] = [
        Case(testDescription: "the first that presents it", by: 1, expected: (1, .presented, 0)),
        Case(testDescription: "an iOS 6 receipt has no date", by: 1, shown: nil, expected: (1, .presented, 0)),
        Case(testDescription: "presented by itself", by: 1, mayTransfer: false, expected: (1, .presented, 0)),
        Case(
            testDescription: "the one a token names", original: original(1, .token), by: 1, named: 1,
            expected: (1, .token, 0)),
        Case(
            testDescription: "a stranger presents old evidence first", original: original(1, .token), by: 2, named: 1,
            shown: day(1), isForDevice: true, expected: (1, .token, 0), remedy: .freshReceipt),
        Case(
            testDescription: "a stranger presents it first under keep", original: original(1, .token), by: 2, named: 1,
            isForDevice: true, ownership: .keep, expected: (1, .token, 0), remedy: .recoveryCode),
        Case(
            testDescription: "a stranger presents fresh evidence of their device first: the line moves",
            original: original(1, .token), by: 2, named: 1, isForDevice: true, expected: (2, .token, 1)),
        Case(
            testDescription: "and stays without the device", original: original(1, .token), by: 2, named: 1,
            expected: (1, .token, 0), remedy: .deviceVerificationID),
        Case(testDescription: "keep without token", by: 2, ownership: .keep, expected: (2, .presented, 0)),
    ]

    static let again: [Case] = [
        Case(
            testDescription: "the owner again", original: original(1, .presented), by: 1, expected: (1, .presented, 0)),
        Case(
            testDescription: "the owner again under keep with old evidence", original: original(1, .token, shown: 300),
            by: 1, named: 1, shown: day(1), ownership: .keep, mayTransfer: false, expected: (1, .token, 0)),
        Case(
            testDescription: "keep refuses", original: original(1, .presented), by: 2, ownership: .keep,
            expected: (1, .presented, 0), remedy: .recoveryCode),
        Case(
            testDescription: "newer than what the owner has shown moves", original: original(1, .presented, shown: 399),
            by: 2, expected: (2, .presented, 1)),
        Case(
            testDescription: "however old it is, without a token", original: original(1, .presented, shown: 1), by: 2,
            shown: day(2), expected: (2, .presented, 1)),
        Case(
            testDescription: "the very bytes that the owner has shown move nothing",
            original: original(1, .presented, shown: 400), by: 2, expected: (1, .presented, 0), remedy: .freshReceipt),
        Case(
            testDescription: "nor what is a millisecond older", original: original(1, .presented, shown: 400), by: 2,
            shown: today.addingTimeInterval(-0.001), expected: (1, .presented, 0), remedy: .freshReceipt),
        Case(
            testDescription: "nor what has no date", original: original(1, .presented), by: 2, shown: nil,
            expected: (1, .presented, 0), remedy: .freshReceipt),
        Case(
            testDescription: "nor what nobody asked for", original: original(1, .presented, shown: 399), by: 2,
            mayTransfer: false, expected: (1, .presented, 0), remedy: .transfer),
    ]

    static let tokens: [Case] = [
        Case(
            testDescription: "signed 24 hours ago for the device", original: original(1, .token, shown: 398), by: 2,
            named: 1, shown: day(399), isForDevice: true, expected: (2, .token, 1)),
        Case(
            testDescription: "a millisecond longer ago", original: original(1, .token, shown: 398), by: 2, named: 1,
            shown: day(399).addingTimeInterval(-0.001), isForDevice: true, expected: (1, .token, 0),
            remedy: .freshReceipt),
        Case(
            testDescription: "fresh, and of another device", original: original(1, .token), by: 2, named: 1,
            expected: (1, .token, 0), remedy: .deviceVerificationID),
        Case(
            testDescription: "neither fresh nor of the device", original: original(1, .token), by: 2, named: 1,
            shown: day(398), expected: (1, .token, 0), remedy: .freshReceipt),
        Case(
            testDescription: "of the device, and nobody asked for it", original: original(1, .token), by: 2, named: 1,
            isForDevice: true, mayTransfer: false, expected: (1, .token, 0), remedy: .transfer),
        Case(
            testDescription: "the presented copy leaves the token out", original: original(1, .token), by: 2, named: 1,
            shown: day(398), isForDevice: true, expected: (1, .token, 0), remedy: .freshReceipt),
        Case(
            testDescription: "the named account is erased or closing", original: original(1, .token), by: 2,
            shown: day(2), expected: (2, .token, 1)),
        Case(
            testDescription: "the token names a third: it protects what the second has",
            original: original(2, .token, moved: [100]), by: 3, named: 1, expected: (2, .token, 1),
            remedy: .deviceVerificationID),
        Case(
            testDescription: "an older period than the newest that was paid", original: original(1, .token), by: 2,
            named: 1, paid: 200, period: 199, isForDevice: true, expected: (1, .token, 0), remedy: .freshReceipt),
        Case(
            testDescription: "the newest period that was paid", original: original(1, .token), by: 2,
            named: 1, paid: 200, period: 200, isForDevice: true, expected: (2, .token, 1)),
        Case(
            testDescription: "payments are no transfers that evidence has used up",
            original: original(1, .token, moved: [380, 390], paid: [395]), by: 2,
            named: 1, paid: 395, period: 395, isForDevice: true, expected: (2, .token, 4)),
        Case(
            testDescription: "signed ahead of our clock is fresh", original: original(1, .token), by: 2, named: 1,
            shown: day(401), isForDevice: true, expected: (2, .token, 1)),
        Case(
            testDescription: "the token's account gets a moved line back by newer evidence",
            original: original(2, .token, moved: [100]), by: 1, named: 1, shown: day(101), expected: (1, .token, 2)),
    ]

    static let transfers: [Case] = [
        Case(
            testDescription: "evidence as old as the last move", original: original(2, .presented, moved: [390]), by: 3,
            shown: day(390), expected: (2, .presented, 1), remedy: .freshReceipt),
        Case(
            testDescription: "evidence newer than the last move", original: original(2, .presented, moved: [390]),
            by: 3, shown: day(391), expected: (3, .presented, 2)),
        Case(
            testDescription: "and not than what the owner has shown since",
            original: original(2, .presented, moved: [390], shown: 392), by: 3, shown: day(391),
            expected: (2, .presented, 1), remedy: .freshReceipt),
        Case(
            testDescription: "keep refuses after moves too", original: original(2, .presented, moved: [390]), by: 3,
            ownership: .keep, expected: (2, .presented, 1), remedy: .recoveryCode),
        Case(
            testDescription: "the third move", original: original(2, .presented, moved: [380, 390]), by: 3,
            expected: (3, .presented, 3)),
        Case(
            testDescription: "a fourth move within 365 days", original: original(2, .presented, moved: [36, 380, 390]),
            by: 3, shown: nil, expected: (2, .presented, 3), remedy: .recoveryCode),
        Case(
            testDescription: "the first of three is 365 days ago",
            original: original(2, .presented, moved: [35, 380, 390]), by: 3, expected: (3, .presented, 4)),
    ]

    /// Neither the device nor the number of transfers counts; everything else does.
    static let sandbox: [Case] = [
        Case(
            testDescription: "a fourth move in the sandbox",
            original: original(2, .presented, moved: [370, 380, 390], .sandbox), by: 3, expected: (3, .presented, 4)),
        Case(
            testDescription: "without the device in the sandbox", original: original(1, .token, .sandbox), by: 2,
            named: 1, expected: (2, .token, 1)),
        Case(
            testDescription: "old evidence in the sandbox", original: original(1, .token, .sandbox), by: 2, named: 1,
            shown: day(398), expected: (1, .token, 0), remedy: .freshReceipt),
        Case(
            testDescription: "nobody asked for it in the sandbox", original: original(1, .presented, .sandbox), by: 2,
            mayTransfer: false, expected: (1, .presented, 0), remedy: .transfer),
    ]

    /// No evidence transfers an original transaction that an administrator gave to an account.
    static let administrators: [Case] = [
        Case(
            testDescription: "the former owner with fresh evidence",
            original: original(2, .administrator, moved: [390]), by: 1,
            isForDevice: true, expected: (2, .administrator, 1), remedy: .support),
        Case(
            testDescription: "the account that a token names", original: original(2, .administrator, moved: [390]),
            by: 1, named: 1, expected: (2, .administrator, 1), remedy: .support),
        Case(
            testDescription: "also where it never moved, under keep", original: original(2, .administrator), by: 1,
            named: 1, ownership: .keep, expected: (2, .administrator, 0), remedy: .support),
        Case(
            testDescription: "a third", original: original(2, .administrator, moved: [1]), by: 3, named: 3,
            expected: (2, .administrator, 1), remedy: .support),
        Case(
            testDescription: "its owner", original: original(2, .administrator, moved: [390]), by: 2,
            expected: (2, .administrator, 1)),
    ]

    @Test(arguments: firstSeen + again + tokens + transfers + sandbox + administrators)
    func `A claim decides the owner of a purchase by its evidence`(example: Case) {
        let evidence = example.shown.map {
            PresentedEvidence(
                date: $0, transactions: ["1"], isForDevice: example.isForDevice, deviceRemedy: .deviceVerificationID)
        }
        let claim = Claim(
            account: AccountID(account(example.by)),
            payment: example.named.map {
                OwnershipHistory.Payment(from: day(example.paid), account: AccountID(account($0)))
            },
            shown: day(example.period), evidence: evidence, ownership: example.ownership,
            mayTransfer: example.mayTransfer)
        let key = example.original?.key ?? Self.key(.production)
        let result = claim.applied(example.original, key: key, at: Self.today)
        #expect(result.original.key == key)
        #expect(result.original.owner == AccountID(account(example.expected.owner)))
        #expect(result.original.basis == example.expected.basis)
        #expect(result.original.transfers.count == example.expected.transfers)
        #expect(result.remedy == example.remedy)
        #expect((result.remedy == nil) == (result.original.owner == claim.account))
    }

    /// The owner's latest evidence is stored, and that of another account only once the original transaction is theirs.
    @Test func `The latest evidence of the owner is stored`() {
        func claim(_ original: OriginalTransaction?, by: UInt8, shown: Int?, mayTransfer: Bool = true)
            -> OriginalTransaction
        {
            let evidence = shown.map {
                PresentedEvidence(
                    date: day($0), transactions: ["1"], isForDevice: false, deviceRemedy: .deviceVerificationID)
            }
            let claim = Claim(
                account: AccountID(account(by)), shown: day(0), evidence: evidence, ownership: .transfer,
                mayTransfer: mayTransfer)
            return claim.applied(original, key: Self.key(.production), at: Self.today).original
        }
        var original = claim(nil, by: 1, shown: nil)
        #expect(original.ownerEvidenceDate == nil)
        for (shown, kept) in [(300, 300), (200, 300), (310, 310), (nil, 310)] {
            original = claim(original, by: 1, shown: shown, mayTransfer: false)
            #expect(original.ownerEvidenceDate == day(kept))
        }
        original = claim(original, by: 2, shown: 320, mayTransfer: false)
        #expect(original.owner == AccountID(account(1)) && original.ownerEvidenceDate == day(310))
        original = claim(original, by: 2, shown: 315)
        #expect(original.owner == AccountID(account(2)) && original.ownerEvidenceDate == day(315))
    }

    @Test func `Applying a claim again changes nothing`() {
        let before = Self.original(1, .presented)
        let evidence = PresentedEvidence(
            date: Self.today, transactions: ["1"], isForDevice: false, deviceRemedy: .deviceVerificationID)
        let claim = Claim(account: AccountID(account(2)), shown: day(0), evidence: evidence, ownership: .transfer)
        let moved = claim.applied(before, key: before.key, at: Self.today).original
        #expect(
            moved.transfers == [
                OriginalTransaction.Transfer(from: AccountID(account(1)), to: AccountID(account(2)), date: Self.today)
            ])
        #expect(claim.applied(moved, key: before.key, at: day(401)).original == moved)
    }

    /// Of several, the app is told the one that leads soonest to a purchase.
    @Test func `Remedies are ordered by how soon they help`() {
        #expect(
            TransferRemedy.allCases.sorted().map(\.rawValue) == [
                "support", "recoveryCode", "freshReceipt", "deviceVerificationID", "deviceIdentifier", "transfer",
            ])
    }
}
