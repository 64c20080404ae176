import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// A tester buys everything again.
@Suite struct SandboxResetTests {
    static let sandbox = Scope(app: "chess", environment: .sandbox)
    static let hints = bought("hints", "1", app: "chess", .sandbox)
    static let words = bought("words", "2", app: "chess", .sandbox)
    static let xcode = bought("hints", "3", app: "chess", .xcode)
    static let period = bought("club", "4", app: "chess", .sandbox, until: day(120), token: 1)
    static let real = bought("hints", "1", app: "chess", quantity: 5)

    /// Chess with something of every kind, its sandbox open to everybody.
    static let products = #"""
        {"apps": [{"bundleID": "chess", "sandbox": "everyone", "currencies": {"hints": {"refund": "clamp"}},
         "products": [{"id": "hints", "type": "consumable", "credits": {"hints": 10}},
          {"id": "words", "type": "non-consumable", "credits": {"hints": 3}},
          {"id": "club", "type": "auto-renewable", "group": "club", "credits": {"gems": 7}}]}]}
        """#

    private let chess: Catalog

    init() throws { chess = try catalog(Self.products) }

    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        return ledger
    }

    private func reset(_ ledger: TestLedger, of digit: UInt8 = 1, app: BundleID? = nil) async throws -> Int {
        try await ledger.ledger.resetSandbox(
            of: account(digit), app: app, try act(), in: RecordingContext(catalog: chess, date: today))
    }

    private func balance(_ ledger: TestLedger, of digit: UInt8 = 1) async throws -> Credits {
        try await ledger.ledger.balances(
            of: account(digit), scope: Self.sandbox, in: RecordingContext(catalog: chess, date: today))
    }

    @discardableResult private func spend(_ ledger: TestLedger, _ amount: Int, key: String) async throws -> Int {
        try await ledger.ledger.spend(
            Spend(account: account(1), scope: Self.sandbox, currency: "hints", amount: amount, idempotencyKey: key),
            in: RecordingContext(catalog: chess, date: today))
    }

    @Test(arguments: LedgerKind.allCases)
    func `After a sandbox reset a tester can buy everything again`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let copies = [Self.hints, Self.words, Self.xcode, Self.period]
        try await ledger.record(receipt("real"), Self.real, in: chess)
        let production = try await ledger.holdings(of: 1, in: chess)
        var answers: [String] = []
        for copy in copies { answers.append(try await ledger.record(receipt("\(copy.id)"), copy, in: chess)) }
        try await spend(ledger, 4, key: "k")
        #expect(try await reset(ledger) == 4)
        #expect(try await ledger.holdings(of: 1, in: chess) == production)
        #expect(try await balance(ledger).allSatisfy { $0.value == 0 })
        #expect(try await ledger.differences() == [])
        let before = try await ledger.everything()
        #expect(try await reset(ledger) == 0)
        #expect(try await ledger.everything() == before)
        for (copy, answer) in zip(copies, answers) {
            let again = try await ledger.record(receipt("\(copy.id)"), copy, in: chess)
            // The spend was taken back with everything else.
            #expect(again.replacing("gems 0, ", with: "") == answer.replacing("verified", with: "verified again"))
            #expect(try await ledger.differences() == [])
        }
        #expect(try await reset(ledger) == 4)
        #expect(try await ledger.holdings(of: 1, in: chess) == production)
        #expect(try await ledger.differences() == [])
    }

    /// Only the account's own, only test money, and only one app if one is named.
    @Test(arguments: LedgerKind.allCases)
    func `A sandbox reset changes only the account's own sandbox purchases`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("real"), Self.real, in: chess)
        try await ledger.record(receipt("a"), Self.hints, in: chess)
        try await ledger.record(receipt("b", by: 2), bought("hints", "9", app: "chess", .sandbox), in: chess)
        #expect(try await reset(ledger, app: "hangman") == 0)
        let others = try await ledger.holdings(of: 2, in: chess)
        let real = try await ledger.rows("SELECT * FROM transactions WHERE environment = 'Production' ORDER BY id")
        let count = try await ledger.rows("SELECT count(*) FROM transactions")
        #expect(try await reset(ledger, app: "chess") == 1)
        #expect(try await ledger.holdings(of: 2, in: chess) == others)
        #expect(
            try await ledger.rows("SELECT * FROM transactions WHERE environment = 'Production' ORDER BY id") == real)
        #expect(try await ledger.rows("SELECT count(*) FROM transactions") == count)
    }

    /// Notifications of the store bring back neither what was forgotten nor the next period of it.
    @Test func `Notifications bring nothing back that a sandbox reset forgot`() async throws {
        let sqlite = try SQLiteLedger.inMemory(handlers: standardHandlers)
        let ledger = TestLedger(sqlite)
        try await ledger.join(1)
        try await ledger.record(receipt("a"), Self.hints, in: chess)
        try await ledger.record(receipt("b"), Self.period, in: chess)
        #expect(try await reset(ledger) == 2)
        let next = bought("club", "5", original: "4", app: "chess", .sandbox, on: day(120), until: day(150), token: 1)
        let reported = VerifiedReceipt(transactions: [Self.hints, Self.period, next, Self.real])
        let context = RecordingContext(catalog: chess, date: today)
        #expect(
            try await sqlite.read { try ReceiptRecorder($0, context).withoutForgotten(reported).transactions } == [
                Self.real
            ])
        // The subscription is back, but only with the periods that were shown.
        try await ledger.record(receipt("c"), next, in: chess, on: day(121))
        #expect(
            try await sqlite.read { try ReceiptRecorder($0, context).withoutForgotten(reported).transactions } == [
                next, Self.real,
            ])
        #expect(try await balance(ledger)["gems"] == 7)
        #expect(try await ledger.differences() == [])
    }

    /// A forgotten purchase belongs to nobody, even a consumable, which never moves; its credits go with it.
    @Test(arguments: LedgerKind.allCases)
    func `Another account may claim a purchase that was forgotten`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.hints, in: chess)
        let conflict = try await ledger.record(receipt("a", by: 2), Self.hints, in: chess)
        #expect(conflict.hasPrefix("conflict"))
        _ = try await reset(ledger)
        #expect(
            try await ledger.record(receipt("a", by: 2), Self.hints, in: chess) == """
                verified again finish
                1 hints: delivered
                = chess Sandbox hints consumable denied consumed
                + hints 10
                """)
        #expect(try await ledger.record(receipt("a"), Self.hints, in: chess).hasPrefix("conflict"))
        #expect(try await balance(ledger)["hints"] == 0)
        #expect(try await ledger.differences() == [])
    }

    /// A purchase that moved: what was there before the reset binds nobody, and whoever got its credits loses them.
    @Test(arguments: LedgerKind.allCases)
    func `A sandbox reset takes the credits of a transferred purchase from whoever got them`(kind: LedgerKind)
        async throws
    {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a", by: 2), Self.words, in: chess)
        var newer = Self.words
        newer.signedDate += 60
        try await ledger.record(receipt("a"), newer, in: chess)
        #expect(try await (balance(ledger), balance(ledger, of: 2)) == ([:], ["hints": 3]))
        #expect(try await reset(ledger) == 1)
        #expect(try await (balance(ledger), balance(ledger, of: 2)) == ([:], ["hints": 0]))
        for digit in [UInt8(1), 2] { #expect(try await ledger.holdings(of: digit, in: chess) == "") }
        #expect(try await ledger.differences() == [])
        try await ledger.record(receipt("b"), Self.words, in: chess)
        let fresh = bought("words", "2", app: "chess", .sandbox, signed: today + 60)
        try await ledger.record(receipt("b", by: 2), fresh, in: chess, on: today + 60)
        #expect(try await (balance(ledger), balance(ledger, of: 2)) == (["hints": 3], ["hints": 0]))
        #expect(
            try await ledger.rows("SELECT position, fromAccount FROM lineMoves ORDER BY position") == [
                "0 \(account(2).text)", "1 \(account(1).text)",
            ])
        #expect(try await ledger.differences() == [])
    }

    /// Credits that were given, spent, taken by a refund and forgiven: all of it is taken back by postings.
    @Test(arguments: LedgerKind.allCases)
    func `A sandbox reset makes every balance zero by postings`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.hints, bought("hints", "8", app: "chess", .sandbox), in: chess)
        try await spend(ledger, 15, key: "k")
        try await ledger.record(
            receipt("b"), bought("hints", "8", app: "chess", .sandbox, revoked: day(94), signed: day(95)), in: chess)
        #expect(try await balance(ledger) == ["hints": 0])
        let gift = Adjustment(
            account: account(1), scope: Self.sandbox, currency: "hints", amount: 2, idempotencyKey: "g")
        _ = try await ledger.ledger.adjust(try #require(gift), try act(), in: try ledger.context())
        _ = try await reset(ledger)
        #expect(try await balance(ledger) == ["hints": 0])
        #expect(
            try await ledger.rows("SELECT kind, amount, product FROM postings ORDER BY sequence").suffix(6) == [
                "refund -10 hints", "forgiveness 5 ", "adjustment 2 ", "reset -10 hints", "forgiveness -5 ",
                "reset 13 ",
            ])
        #expect(try await ledger.differences() == [])
        #expect(
            try await ledger.acts().last
                == #"sandbox.reset admin:alice - {"after":{"balances":{}},"app":"chess","before":{"balances":"#
                + #"{"hints":2}},"environment":"Sandbox","lines":["1","8"],"reason":"ticket 7"}"#)
    }
}
