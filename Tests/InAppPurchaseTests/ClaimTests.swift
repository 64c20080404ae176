import Foundation
import InAppPurchase
import Testing

/// Every rule under "Ownership" of the wire contract. Account 1 is the owner, 2 another, 3 a third; today is day 400.
@Suite struct ClaimTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var line: Line?
        var by: UInt8
        var named: UInt8?
        var signed = today
        var ownership = Ownership.transfer
        /// Owner and basis afterwards, and how many moves there are then.
        var expected: (owner: UInt8, basis: Line.Basis, moves: Int)
    }

    static let today = day(400)
    static let key = Line.Key(app: "com.example.hangman", environment: .production, originalID: "1")

    static func line(_ owner: UInt8, _ basis: Line.Basis, moved: [Int] = []) -> Line {
        Line(
            key: key, owner: account(owner), basis: basis,
            moves: moved.map { Line.Move(from: account(1), to: account(owner), date: day($0)) })
    }

    static let firstSeen: [Case] = [
        Case(testDescription: "the first that presents it", by: 1, expected: (1, .presented, 0)),
        Case(testDescription: "the one a token names", by: 1, named: 1, expected: (1, .token, 0)),
        Case(
            testDescription: "a stranger presents old evidence first", by: 2, named: 1, signed: day(1),
            expected: (1, .token, 0)),
        Case(
            testDescription: "a stranger presents it first under keep", by: 2, named: 1, ownership: .keep,
            expected: (1, .token, 0)),
        Case(
            testDescription: "a stranger presents fresh evidence first: the line moves", by: 2, named: 1,
            expected: (2, .token, 1)),
        Case(testDescription: "keep without token", by: 2, ownership: .keep, expected: (2, .presented, 0)),
    ]

    static let again: [Case] = [
        Case(testDescription: "the owner again", line: line(1, .presented), by: 1, expected: (1, .presented, 0)),
        Case(
            testDescription: "the owner again under keep with old evidence", line: line(1, .token), by: 1, named: 1,
            signed: day(1), ownership: .keep, expected: (1, .token, 0)),
        Case(
            testDescription: "keep refuses", line: line(1, .presented), by: 2, ownership: .keep,
            expected: (1, .presented, 0)),
        Case(testDescription: "transfer moves", line: line(1, .presented), by: 2, expected: (2, .presented, 1)),
        Case(
            testDescription: "transfer moves with old evidence too, without token", line: line(1, .presented), by: 2,
            signed: day(1), expected: (2, .presented, 1)),
    ]

    static let tokens: [Case] = [
        Case(
            testDescription: "signed 24 hours ago is fresh enough", line: line(1, .token), by: 2, named: 1,
            signed: day(399), expected: (2, .token, 1)),
        Case(
            testDescription: "a millisecond longer is not", line: line(1, .token), by: 2, named: 1,
            signed: day(399).addingTimeInterval(-0.001), expected: (1, .token, 0)),
        Case(
            testDescription: "nor where the presented copy leaves the token out", line: line(1, .token), by: 2,
            signed: day(398), expected: (1, .token, 0)),
        Case(
            testDescription: "nor where the line came back to its token's account", line: line(1, .token, moved: [100]),
            by: 2, signed: day(398), expected: (1, .token, 1)),
        Case(
            testDescription: "signed ahead of our clock is fresh", line: line(1, .token), by: 2, named: 1,
            signed: day(401), expected: (2, .token, 1)),
        Case(
            testDescription: "the token's account takes a presented line back", line: line(2, .presented), by: 1,
            named: 1, signed: day(1), expected: (1, .token, 0)),
        Case(
            testDescription: "also under keep", line: line(2, .presented), by: 1, named: 1, ownership: .keep,
            expected: (1, .token, 0)),
        Case(
            testDescription: "also when a third learns of the token", line: line(2, .presented), by: 3, named: 1,
            ownership: .keep, expected: (1, .token, 0)),
        Case(
            testDescription: "but not after a move", line: line(2, .presented, moved: [100]), by: 2, named: 1,
            expected: (2, .presented, 1)),
        Case(
            testDescription: "a second token does not displace the first", line: line(1, .token), by: 1, named: 2,
            expected: (1, .token, 0)),
        Case(
            testDescription: "the token's account gets a moved line back by newer evidence",
            line: line(2, .token, moved: [100]), by: 1, named: 1, signed: day(101), expected: (1, .token, 2)),
    ]

    static let moves: [Case] = [
        Case(
            testDescription: "evidence as old as the last move", line: line(2, .presented, moved: [390]), by: 3,
            signed: day(390), expected: (2, .presented, 1)),
        Case(
            testDescription: "evidence newer than the last move", line: line(2, .presented, moved: [390]), by: 3,
            signed: day(391), expected: (3, .presented, 2)),
        Case(
            testDescription: "keep refuses after moves too", line: line(2, .presented, moved: [390]), by: 3,
            ownership: .keep, expected: (2, .presented, 1)),
        Case(
            testDescription: "the third move", line: line(2, .presented, moved: [380, 390]), by: 3,
            expected: (3, .presented, 3)),
        Case(
            testDescription: "a fourth move within 365 days", line: line(2, .presented, moved: [36, 380, 390]), by: 3,
            expected: (2, .presented, 3)),
        Case(
            testDescription: "the first of three is 365 days ago", line: line(2, .presented, moved: [35, 380, 390]),
            by: 3, expected: (3, .presented, 4)),
    ]

    /// Where an administrator put a line, no evidence moves it.
    static let administrators: [Case] = [
        Case(
            testDescription: "the former owner with fresh evidence", line: line(2, .administrator, moved: [390]), by: 1,
            signed: day(400), expected: (2, .administrator, 1)),
        Case(
            testDescription: "the account that a token names", line: line(2, .administrator, moved: [390]), by: 1,
            named: 1, signed: day(400), expected: (2, .administrator, 1)),
        Case(
            testDescription: "also where it never moved", line: line(2, .administrator), by: 1, named: 1,
            expected: (2, .administrator, 0)),
        Case(
            testDescription: "a third", line: line(2, .administrator, moved: [1]), by: 3, named: 3,
            expected: (2, .administrator, 1)),
        Case(
            testDescription: "its owner", line: line(2, .administrator, moved: [390]), by: 2,
            expected: (2, .administrator, 1)),
    ]

    @Test(arguments: firstSeen + again + tokens + moves + administrators) func settles(example: Case) {
        let claim = Claim(
            account: account(example.by), named: example.named.map { account($0) }, signedDate: example.signed,
            ownership: example.ownership)
        let line = claim.settle(example.line, key: Self.key, at: Self.today)
        #expect(line.key == Self.key)
        #expect(line.owner == account(example.expected.owner))
        #expect(line.basis == example.expected.basis)
        #expect(line.moves.count == example.expected.moves)
    }

    @Test func theSecondTimeChangesNothing() {
        let before = Self.line(1, .presented)
        let claim = Claim(account: account(2), named: nil, signedDate: Self.today, ownership: .transfer)
        let moved = claim.settle(before, key: Self.key, at: Self.today)
        #expect(moved.moves == [Line.Move(from: account(1), to: account(2), date: Self.today)])
        #expect(claim.settle(moved, key: Self.key, at: day(401)) == moved)
    }
}
