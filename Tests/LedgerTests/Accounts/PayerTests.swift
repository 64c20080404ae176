import Foundation
import InAppPurchase
import Ledger
import Synchronization
import TestSupport
import Testing

@testable import LedgerSQL

/// A subscription that several accounts pay for, one after the other.
@Suite struct PayerTests {
    /// The month with this number, which begins on day 30 × number.
    static func month(_ number: Int, token: UInt8? = nil, reason: String? = nil, signed: Date? = nil) -> Transaction {
        let start = day(30 * number)
        var month = bought(
            "club.month", TransactionID("\(number)"), original: "1", on: start, until: day(30 * number + 30),
            token: token, signed: signed ?? start + 60)
        month.details = PurchaseDetails()
        month.details?.reason = reason
        month.details = month.details?.nonEmpty
        return month
    }

    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3, 4, 5)
        return ledger
    }

    private func receive(_ ledger: TestLedger, _ months: Transaction..., on date: Date? = nil) async throws {
        for month in months {
            let name = "\(month.id) \(month.appAccountToken.map { "\($0)" } ?? "")"
            try await ledger.receive(notification(name, month), on: date ?? month.purchaseDate + 120)
        }
    }

    private func gems(_ ledger: TestLedger, of digit: UInt8) async throws -> Int {
        let scope = Scope(app: "hangman", environment: .production)
        return try await ledger.ledger.balances(of: account(digit), scope: scope, in: try ledger.context())["gems"] ?? 0
    }

    private func access(_ ledger: TestLedger, of digit: UInt8, on date: Date) async throws -> [Access] {
        try await ledger.ledger.entitlements(of: account(digit), in: try ledger.context(on: date)).map(\.access)
    }

    private func owner(_ ledger: TestLedger) async throws -> [String] {
        try await ledger.rows("SELECT owner, basis FROM lines")
    }

    private func owned(by digit: UInt8, _ basis: String = "token") -> [String] { ["\(account(digit).text) \(basis)"] }

    /// How the app of the second payer comes to present what it paid.
    enum Way: CaseIterable, Sendable {
        case notified, device, restored, notifiedThenDevice, notifiedThenRestored
    }

    @Test(arguments: LedgerKind.allCases, Way.allCases)
    func `A new payment belongs to the account that its token names`(kind: LedgerKind, way: Way) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.month(1, token: 1), on: day(31))
        let (paid, date) = (Self.month(3, token: 2), day(90) + 300)
        if way != .device, way != .restored { try await receive(ledger, paid) }
        switch way {
        case .notified: break
        case .device, .notifiedThenDevice:
            let answer = try await ledger.present(receipt("b", by: 2, mayTransfer: false), paid, on: date)
            #expect(answer.status == .verified && answer.transactions.map(\.outcome) == [.delivered])
        case .restored, .notifiedThenRestored:
            let copies = [Self.month(1, token: 1, signed: date), Self.month(3, token: 2, signed: date)]
            let answer = try await ledger.present(
                receipt("b", by: 2, isForDevice: true), copies[0], copies[1], on: date)
            #expect(answer.status == .verified)
        }
        #expect(try await owner(ledger) == owned(by: 2))
        #expect(try await gems(ledger, of: 1) == 7)
        #expect(try await gems(ledger, of: 2) == 7)
        #expect(try await access(ledger, of: 1, on: date) == [.denied(.expired)])
        #expect(try await access(ledger, of: 2, on: date) == [.granted(until: day(120))])
        let differences = try await ledger.differences()
        #expect(differences == [])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A payment transfers what still runs, and says so`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.month(1, token: 1), on: day(31))
        var paid = Self.month(2, token: 2)
        (paid.purchaseDate, paid.signedDate) = (day(40), day(40) + 60)
        try await receive(ledger, paid)
        #expect(try await access(ledger, of: 1, on: day(41)) == [.denied(.transferred)])
        #expect(try await access(ledger, of: 1, on: day(61)) == [.denied(.expired)])
        let trail = try await ledger.trail().filter { $0.hasPrefix("line.") }
        #expect(trail.count == 2 && trail.allSatisfy { $0.contains(#""by":"payment""#) })
    }

    /// Neither `keep`, nor transfers, nor an administrator's decision stands in a later payment's way.
    @Test(arguments: LedgerKind.allCases) func `Payments go back and forth`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await receive(ledger, Self.month(1, token: 1), Self.month(2, token: 2), Self.month(3, token: 1))
        #expect(try await owner(ledger) == owned(by: 1))
        try await ledger.move("1", to: 3, on: day(100))
        try await receive(ledger, Self.month(4, token: 1))
        #expect(try await owner(ledger) == owned(by: 3, "administrator"), "the token is that of the period before")
        try await receive(ledger, Self.month(5, token: 2))
        #expect(try await owner(ledger) == owned(by: 2))
        #expect(try await gems(ledger, of: 1) == 14)
        #expect(try await gems(ledger, of: 2) == 14)
        #expect(try await gems(ledger, of: 3) == 7)
        let differences = try await ledger.differences()
        #expect(differences == [])
    }

    @Test(arguments: LedgerKind.allCases, [[1, 2, 3, 4], [4, 3, 2, 1], [3, 1, 4, 2], [2, 4, 1, 3], [4, 1, 2, 3]])
    func `Facts in any order give one result`(kind: LedgerKind, order: [Int]) async throws {
        let ledger = try await open(kind)
        let months = [Self.month(1, token: 1), Self.month(2, token: 2), Self.month(3), Self.month(4, token: 1)]
        for number in order { try await receive(ledger, months[number - 1], on: day(121)) }
        #expect(try await owner(ledger) == owned(by: 1))
        #expect(try await gems(ledger, of: 1) == 14)
        #expect(try await gems(ledger, of: 2) == 14)
        let differences = try await ledger.differences()
        #expect(differences == [])
    }

    /// A token that the server itself set is no payment, whether the transfer stands or was undone.
    @Test(arguments: LedgerKind.allCases, [true, false])
    func `Renewals with the token that the server set stay with the owner`(kind: LedgerKind, isUndone: Bool)
        async throws
    {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.month(1, token: 1), on: day(31))
        let shown = Self.month(1, token: 1, signed: day(35))
        try await ledger.record(receipt("b", by: 2, isForDevice: true), shown, on: day(35))
        #expect(try await owner(ledger) == owned(by: 2))
        for task in try await ledger.ledger.dueStoreTasks(limit: 9, lease: day(36), at: day(35)) {
            #expect(try await ledger.ledger.complete(task, .done, at: day(35) + 60))
        }
        if isUndone {
            _ = try await ledger.ledger.undoTransfer(
                of: original("1"), try act(on: day(40)), in: try ledger.context(on: day(40)))
        }
        try await receive(ledger, Self.month(1, token: 2, signed: day(41)), on: day(41))
        try await receive(ledger, Self.month(2, token: 2, reason: "RENEWAL"))
        #expect(try await owner(ledger) == (isUndone ? owned(by: 1, "administrator") : owned(by: 2)))
        #expect(try await gems(ledger, of: isUndone ? 1 : 2) == (isUndone ? 14 : 7))
        let differences = try await ledger.differences()
        #expect(differences == [])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A token that the App Store stated before the server set it is a payment`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.month(1, token: 1), on: day(31))
        let shown = Self.month(1, token: 1, signed: day(35))
        try await ledger.record(receipt("b", by: 2, isForDevice: true), shown, on: day(35))
        for task in try await ledger.ledger.dueStoreTasks(limit: 9, lease: day(66), at: day(65)) {
            #expect(try await ledger.ledger.complete(task, .done, at: day(65)))
        }
        try await receive(ledger, Self.month(2, token: 2), on: day(66))
        try await receive(ledger, Self.month(3, token: 1))
        #expect(try await owner(ledger) == owned(by: 1), "the token is another one than that of the period before")
    }

    @Test(arguments: LedgerKind.allCases)
    func `A renewal with the former owner's token stays where it was transferred`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.month(1, token: 1), on: day(31))
        try await ledger.record(
            receipt("b", by: 2, isForDevice: true), Self.month(1, token: 1, signed: day(35)), on: day(35))
        try await receive(ledger, Self.month(2, token: 1, reason: "RENEWAL"))
        #expect(try await owner(ledger) == owned(by: 2))
        #expect(try await gems(ledger, of: 1) == 7)
        #expect(try await gems(ledger, of: 2) == 7)
    }

    /// An offer code that was redeemed outside the app has no token.
    @Test(arguments: LedgerKind.allCases)
    func `An account keeps the period that it was told was delivered`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a", by: 3), Self.month(2), on: day(61))
        try await receive(ledger, Self.month(1, token: 1), on: day(62))
        #expect(try await owner(ledger) == owned(by: 3))
        #expect(try await access(ledger, of: 3, on: day(62)) == [.granted(until: day(90))])
        try await receive(ledger, Self.month(3))
        #expect(try await gems(ledger, of: 1) == 7)
        #expect(try await gems(ledger, of: 3) == 14)
        let differences = try await ledger.differences()
        #expect(differences == [])
    }

    /// The first presenter lost it to the payer, whose token came later, and claims it with what it has shown before.
    @Test(arguments: LedgerKind.allCases)
    func `A claim of what an account lost to a payment counts, and can be undone`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        var copy = Self.month(1, signed: day(31))
        copy.isSigned = false
        try await ledger.record(receipt("a"), copy, on: day(31))
        try await receive(ledger, Self.month(1, token: 3), on: day(32))
        #expect(try await owner(ledger) == owned(by: 3))
        copy.signedDate = day(33)
        #expect(try await ledger.present(receipt("b", isForDevice: true), copy, on: day(33)).status == .verified)
        #expect(try await owner(ledger) == owned(by: 1))
        _ = try await ledger.ledger.undoTransfer(
            of: original("1"), try act(on: day(34)), in: try ledger.context(on: day(34)))
        #expect(try await owner(ledger) == owned(by: 3, "administrator"))
    }

    /// However many new payments move it in between.
    @Test(arguments: LedgerKind.allCases)
    func `Payments use up no transfer of a year, and give none back`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.month(1), on: day(31))
        for (number, digit) in [2, 3, UInt8(1)].enumerated() {
            let date = day(32 + number)
            let shown = Self.month(1, signed: date)
            #expect(try await ledger.present(receipt("\(number)", by: digit), shown, on: date).status == .verified)
        }
        try await receive(ledger, Self.month(2, token: 2), Self.month(3, token: 1), Self.month(4, token: 2))
        let shown = Self.month(4, token: 2, signed: day(125))
        let answer = try await ledger.present(receipt("c", by: 3, isForDevice: true), shown, on: day(125))
        #expect(answer.status == .conflict && answer.remedy == .recoveryCode)
        #expect(try await owner(ledger) == owned(by: 2))
    }

    @Test(arguments: LedgerKind.allCases)
    func `A copy of an older period does not move a later payment`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.month(1, token: 1), on: day(31))
        try await receive(ledger, Self.month(2, token: 2))
        let date = day(61)
        let old = Self.month(1, token: 1, signed: date)
        let answer = try await ledger.present(receipt("c", isForDevice: true), old, on: date)
        #expect(answer.status == .conflict && answer.remedy == .freshReceipt)
        let new = Self.month(2, token: 2, signed: date)
        #expect(try await ledger.present(receipt("d", isForDevice: true), new, on: date).status == .verified)
        #expect(try await owner(ledger) == owned(by: 1))
        #expect(try await gems(ledger, of: 1) == 7)
        #expect(try await gems(ledger, of: 2) == 7)
    }

    @Test(arguments: LedgerKind.allCases)
    func `More than three new payers a year are shown as sharing`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        for number in 1...5 {
            try await receive(ledger, Self.month(number, token: UInt8(number)))
            let isShared = try await ledger.trail().contains { $0.contains(#""sharing":true"#) }
            #expect(isShared == (number == 5))
        }
        #expect(try await owner(ledger) == owned(by: 5), "and are never refused")
    }

    /// An earlier version left the payments of other accounts with the first owner: that stays so until it is repaired.
    @Test(arguments: LedgerKind.allCases)
    func `What an earlier version left with a former owner is given to the payer once`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.month(1, token: 1), on: day(31))
        try await receive(ledger, Self.month(3))
        let sql = try #require(ledger.ledger as? SQLLedger)
        let token = account(2).uuid.uuidString
        try await sql.database.write { db in
            try db.run(
                """
                UPDATE transactions SET facts = '{"appAccountToken":"\(token)",' || substr(facts, 2) WHERE id = '3'
                """, [])
            try db.run("UPDATE lines SET owners = NULL", [])
        }
        try await receive(ledger, Self.month(4))
        #expect(try await owner(ledger) == owned(by: 1))
        #expect(try await gems(ledger, of: 1) == 21)
        #expect(try await ledger.differences() == [])
        let place = "account \(account(1).text), hangman, Production, original transaction 1"
        try await repair(ledger, expected: ["\(place): paid by account \(account(2).text)"])
        #expect(try await owner(ledger) == owned(by: 2))
        #expect(try await gems(ledger, of: 1) == 7)
        #expect(try await gems(ledger, of: 2) == 14)
        #expect(try await access(ledger, of: 2, on: day(121)) == [.granted(until: day(150))])
        let kinds = try await ledger.rows("SELECT kind, amount FROM postings ORDER BY sequence")
        #expect(kinds == ["credit 7", "credit 7", "credit 7", "correction -14", "credit 14"])
        #expect(try await ledger.differences() == [])
        try await repair(ledger, expected: [])
    }

    private func repair(_ ledger: TestLedger, expected: [String]) async throws {
        let reported = Mutex<[String]>([])
        let report = { @Sendable (purchase: MisplacedPurchase) in reported.withLock { $0.append(purchase.description) }
        }
        #expect(try await ledger.ledger.misplacedPurchases(report) == expected.count)
        #expect(try await ledger.ledger.repairOwners(at: day(200), report) == expected.count)
        #expect(reported.withLock { $0 } == expected + expected)
    }
}
