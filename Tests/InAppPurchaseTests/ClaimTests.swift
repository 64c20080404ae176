import Foundation
import InAppPurchase
import Testing

/// Who owns a purchase after somebody showed it. Account 1 is the owner, 2 another, 3 a third; today is day 400.
@Suite struct ClaimTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var line: Line?
        var by: UInt8
        /// A living account that the token names; an erased one, and one that is closing, is none.
        var named: UInt8?
        var formerly: UInt8?
        /// The date of what was sent; nil: an iOS 6 receipt, or what only the store told.
        var shown: Date? = today
        var isForDevice = false
        var ownership = Ownership.transfer
        var mayTransfer = true
        /// Owner, basis and number of moves afterwards, and what the app is told.
        var expected: (owner: UInt8, basis: Line.Basis, moves: Int)
        var remedy: TransferRemedy?
    }

    static let today = day(400)

    static func key(_ environment: InAppPurchase.Environment) -> Line.Key {
        Line.Key(app: "com.example.hangman", environment: environment, originalID: "1")
    }

    static func line(
        _ owner: UInt8, _ basis: Line.Basis, moved: [Int] = [], shown: Int? = nil,
        _ environment: InAppPurchase.Environment = .production
    ) -> Line {
        Line(
            key: key(environment), owner: account(owner), basis: basis,
            moves: moved.map { Line.Move(from: account(1), to: account(owner), date: day($0)) },
            ownerEvidenceDate: shown.map { day($0) })
    }

    static let firstSeen: [Case] = [
        Case(testDescription: "the first that presents it", by: 1, expected: (1, .presented, 0)),
        Case(testDescription: "an iOS 6 receipt has no date", by: 1, shown: nil, expected: (1, .presented, 0)),
        Case(testDescription: "presented by itself", by: 1, mayTransfer: false, expected: (1, .presented, 0)),
        Case(testDescription: "the one a token names", by: 1, named: 1, expected: (1, .token, 0)),
        Case(
            testDescription: "a stranger presents old evidence first", by: 2, named: 1, shown: day(1),
            isForDevice: true, expected: (1, .token, 0), remedy: .freshReceipt),
        Case(
            testDescription: "a stranger presents it first under keep", by: 2, named: 1, isForDevice: true,
            ownership: .keep, expected: (1, .token, 0), remedy: .recoveryCode),
        Case(
            testDescription: "a stranger presents fresh evidence of their device first: the line moves", by: 2,
            named: 1, isForDevice: true, expected: (2, .token, 1)),
        Case(
            testDescription: "and stays without the device", by: 2, named: 1, expected: (1, .token, 0),
            remedy: .deviceVerificationID),
        Case(testDescription: "keep without token", by: 2, ownership: .keep, expected: (2, .presented, 0)),
    ]

    static let again: [Case] = [
        Case(testDescription: "the owner again", line: line(1, .presented), by: 1, expected: (1, .presented, 0)),
        Case(
            testDescription: "the owner again under keep with old evidence", line: line(1, .token, shown: 300), by: 1,
            named: 1, shown: day(1), ownership: .keep, mayTransfer: false, expected: (1, .token, 0)),
        Case(
            testDescription: "keep refuses", line: line(1, .presented), by: 2, ownership: .keep,
            expected: (1, .presented, 0), remedy: .recoveryCode),
        Case(
            testDescription: "newer than what the owner has shown moves", line: line(1, .presented, shown: 399), by: 2,
            expected: (2, .presented, 1)),
        Case(
            testDescription: "however old it is, without a token", line: line(1, .presented, shown: 1), by: 2,
            shown: day(2), expected: (2, .presented, 1)),
        Case(
            testDescription: "the very bytes that the owner has shown move nothing",
            line: line(1, .presented, shown: 400), by: 2, expected: (1, .presented, 0), remedy: .freshReceipt),
        Case(
            testDescription: "nor what is a millisecond older", line: line(1, .presented, shown: 400), by: 2,
            shown: today.addingTimeInterval(-0.001), expected: (1, .presented, 0), remedy: .freshReceipt),
        Case(
            testDescription: "nor what has no date", line: line(1, .presented), by: 2, shown: nil,
            expected: (1, .presented, 0), remedy: .freshReceipt),
        Case(
            testDescription: "nor what nobody asked for", line: line(1, .presented, shown: 399), by: 2,
            mayTransfer: false, expected: (1, .presented, 0), remedy: .transfer),
    ]

    static let tokens: [Case] = [
        Case(
            testDescription: "signed 24 hours ago for the device", line: line(1, .token, shown: 398), by: 2, named: 1,
            shown: day(399), isForDevice: true, expected: (2, .token, 1)),
        Case(
            testDescription: "a millisecond longer ago", line: line(1, .token, shown: 398), by: 2, named: 1,
            shown: day(399).addingTimeInterval(-0.001), isForDevice: true, expected: (1, .token, 0),
            remedy: .freshReceipt),
        Case(
            testDescription: "fresh, and of another device", line: line(1, .token), by: 2, named: 1,
            expected: (1, .token, 0), remedy: .deviceVerificationID),
        Case(
            testDescription: "neither fresh nor of the device", line: line(1, .token), by: 2, named: 1,
            shown: day(398), expected: (1, .token, 0), remedy: .freshReceipt),
        Case(
            testDescription: "of the device, and nobody asked for it", line: line(1, .token), by: 2, named: 1,
            isForDevice: true, mayTransfer: false, expected: (1, .token, 0), remedy: .transfer),
        Case(
            testDescription: "the presented copy leaves the token out", line: line(1, .token), by: 2, formerly: 1,
            shown: day(398), isForDevice: true, expected: (1, .token, 0), remedy: .freshReceipt),
        Case(
            testDescription: "the named account is erased or closing", line: line(1, .token), by: 2, shown: day(2),
            expected: (2, .token, 1)),
        Case(
            testDescription: "the token names a third: it protects what the second has",
            line: line(2, .token, moved: [100]), by: 3, named: 1, expected: (2, .token, 1),
            remedy: .deviceVerificationID),
        Case(
            testDescription: "a later token names who asks", line: line(1, .token, shown: 398), by: 2, named: 2,
            formerly: 1, shown: day(399), expected: (2, .token, 1)),
        Case(
            testDescription: "signed ahead of our clock is fresh", line: line(1, .token), by: 2, named: 1,
            shown: day(401), isForDevice: true, expected: (2, .token, 1)),
        Case(
            testDescription: "the token's account takes a presented line back", line: line(2, .presented, shown: 399),
            by: 1, named: 1, shown: day(1), mayTransfer: false, expected: (1, .token, 0)),
        Case(
            testDescription: "also under keep", line: line(2, .presented), by: 1, named: 1, ownership: .keep,
            expected: (1, .token, 0)),
        Case(
            testDescription: "also when a third learns of the token", line: line(2, .presented), by: 3, named: 1,
            ownership: .keep, expected: (1, .token, 0), remedy: .recoveryCode),
        Case(
            testDescription: "but not after a move", line: line(2, .presented, moved: [100]), by: 2, named: 1,
            expected: (2, .presented, 1)),
        Case(
            testDescription: "a second token does not displace the first", line: line(1, .token), by: 1, named: 2,
            expected: (1, .token, 0)),
        Case(
            testDescription: "the token's account gets a moved line back by newer evidence",
            line: line(2, .token, moved: [100]), by: 1, named: 1, shown: day(101), expected: (1, .token, 2)),
    ]

    static let moves: [Case] = [
        Case(
            testDescription: "evidence as old as the last move", line: line(2, .presented, moved: [390]), by: 3,
            shown: day(390), expected: (2, .presented, 1), remedy: .freshReceipt),
        Case(
            testDescription: "evidence newer than the last move", line: line(2, .presented, moved: [390]), by: 3,
            shown: day(391), expected: (3, .presented, 2)),
        Case(
            testDescription: "and not than what the owner has shown since",
            line: line(2, .presented, moved: [390], shown: 392), by: 3, shown: day(391), expected: (2, .presented, 1),
            remedy: .freshReceipt),
        Case(
            testDescription: "keep refuses after moves too", line: line(2, .presented, moved: [390]), by: 3,
            ownership: .keep, expected: (2, .presented, 1), remedy: .recoveryCode),
        Case(
            testDescription: "the third move", line: line(2, .presented, moved: [380, 390]), by: 3,
            expected: (3, .presented, 3)),
        Case(
            testDescription: "a fourth move within 365 days", line: line(2, .presented, moved: [36, 380, 390]), by: 3,
            shown: nil, expected: (2, .presented, 3), remedy: .recoveryCode),
        Case(
            testDescription: "the first of three is 365 days ago", line: line(2, .presented, moved: [35, 380, 390]),
            by: 3, expected: (3, .presented, 4)),
    ]

    /// Neither the device nor the number of moves counts; all else does.
    static let sandbox: [Case] = [
        Case(
            testDescription: "a fourth move in the sandbox",
            line: line(2, .presented, moved: [370, 380, 390], .sandbox), by: 3, expected: (3, .presented, 4)),
        Case(
            testDescription: "without the device in the sandbox", line: line(1, .token, .sandbox), by: 2, named: 1,
            expected: (2, .token, 1)),
        Case(
            testDescription: "old evidence in the sandbox", line: line(1, .token, .sandbox), by: 2, named: 1,
            shown: day(398), expected: (1, .token, 0), remedy: .freshReceipt),
        Case(
            testDescription: "nobody asked for it in the sandbox", line: line(1, .presented, .sandbox), by: 2,
            mayTransfer: false, expected: (1, .presented, 0), remedy: .transfer),
    ]

    /// Where an administrator put a line, no evidence moves it.
    static let administrators: [Case] = [
        Case(
            testDescription: "the former owner with fresh evidence", line: line(2, .administrator, moved: [390]), by: 1,
            isForDevice: true, expected: (2, .administrator, 1), remedy: .support),
        Case(
            testDescription: "the account that a token names", line: line(2, .administrator, moved: [390]), by: 1,
            named: 1, expected: (2, .administrator, 1), remedy: .support),
        Case(
            testDescription: "also where it never moved, under keep", line: line(2, .administrator), by: 1, named: 1,
            ownership: .keep, expected: (2, .administrator, 0), remedy: .support),
        Case(
            testDescription: "a third", line: line(2, .administrator, moved: [1]), by: 3, named: 3,
            expected: (2, .administrator, 1), remedy: .support),
        Case(
            testDescription: "its owner", line: line(2, .administrator, moved: [390]), by: 2,
            expected: (2, .administrator, 1)),
    ]

    @Test(arguments: firstSeen + again + tokens + moves + sandbox + administrators)
    func settles(example: Case) {
        let evidence = example.shown.map {
            PresentedEvidence(
                date: $0, transactions: ["1"], isForDevice: example.isForDevice, deviceRemedy: .deviceVerificationID)
        }
        let claim = Claim(
            account: account(example.by), named: example.named.map { account($0) },
            formerlyNamed: example.formerly.map { account($0) }, evidence: evidence, ownership: example.ownership,
            mayTransfer: example.mayTransfer)
        let key = example.line?.key ?? Self.key(.production)
        let result = claim.settle(example.line, key: key, at: Self.today)
        #expect(result.line.key == key)
        #expect(result.line.owner == account(example.expected.owner))
        #expect(result.line.basis == example.expected.basis)
        #expect(result.line.moves.count == example.expected.moves)
        #expect(result.remedy == example.remedy)
        #expect((result.remedy == nil) == (result.line.owner == claim.account))
    }

    /// What an owner shows is kept, the latest of it; what another shows is not, until the line is theirs.
    @Test func keepsTheLatestThatTheOwnerHasShown() {
        func settle(_ line: Line?, by: UInt8, shown: Int?, mayTransfer: Bool = true) -> Line {
            let evidence = shown.map {
                PresentedEvidence(
                    date: day($0), transactions: ["1"], isForDevice: false, deviceRemedy: .deviceVerificationID)
            }
            let claim = Claim(
                account: account(by), evidence: evidence, ownership: .transfer, mayTransfer: mayTransfer)
            return claim.settle(line, key: Self.key(.production), at: Self.today).line
        }
        var line = settle(nil, by: 1, shown: nil)
        #expect(line.ownerEvidenceDate == nil)
        for (shown, kept) in [(300, 300), (200, 300), (310, 310), (nil, 310)] {
            line = settle(line, by: 1, shown: shown, mayTransfer: false)
            #expect(line.ownerEvidenceDate == day(kept))
        }
        line = settle(line, by: 2, shown: 320, mayTransfer: false)
        #expect(line.owner == account(1) && line.ownerEvidenceDate == day(310))
        line = settle(line, by: 2, shown: 315)
        #expect(line.owner == account(2) && line.ownerEvidenceDate == day(315))
    }

    @Test func theSecondTimeChangesNothing() {
        let before = Self.line(1, .presented)
        let evidence = PresentedEvidence(
            date: Self.today, transactions: ["1"], isForDevice: false, deviceRemedy: .deviceVerificationID)
        let claim = Claim(account: account(2), evidence: evidence, ownership: .transfer)
        let moved = claim.settle(before, key: before.key, at: Self.today).line
        #expect(moved.moves == [Line.Move(from: account(1), to: account(2), date: Self.today)])
        #expect(claim.settle(moved, key: before.key, at: day(401)).line == moved)
    }

    /// Of several the one is told that leads soonest to a purchase.
    @Test func remediesHaveAnOrder() {
        #expect(
            TransferRemedy.allCases.sorted().map(\.rawValue) == [
                "support", "recoveryCode", "freshReceipt", "deviceVerificationID", "deviceIdentifier", "transfer",
            ])
    }
}
