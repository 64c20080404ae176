import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import TestSupport
import Testing

/// An account gets starting credits once, and only its creation decides how many.
@Suite struct StartingCreditsTests {
    /// The shop with hangman's starting credits.
    static func catalog(_ credits: Int?, once: Bool = false, gems: Int = 0) throws -> Catalog {
        guard let credits else { return try LedgerTests.catalog() }
        let opening = #""bundleID": "hangman","#
        let others = gems > 0 ? #", "gems": \#(gems)"# : ""
        let proof = once ? #" "startingCreditsOnce": "appTransaction","# : ""
        let setting = #" "startingCredits": {"hints": \#(credits)\#(others)},"#
        return try LedgerTests.catalog(shop.replacing(opening, with: opening + setting + proof))
    }

    static let scope = Scope(app: "hangman", environment: .production)

    private static func join(_ ledger: TestLedger, _ digit: UInt8, on date: Date) async throws {
        try await ledger.ledger.createAccount(
            account(digit), token: Data([digit]), recoveryCode: Data([digit]), at: date)
    }

    private static func hints(
        _ ledger: TestLedger, _ digit: UInt8, _ catalog: Catalog, _ environment: InAppPurchase.Environment = .production
    ) async throws -> Int? {
        let scope = Scope(app: "hangman", environment: environment)
        let context = RecordingContext(catalog: catalog, date: today)
        return try await ledger.ledger.balances(of: account(digit), scope: scope, in: context)["hints"]
    }

    private static func started(_ ledger: TestLedger) async throws -> [String] {
        try await ledger.rows(
            "SELECT account, environment, currency, amount FROM postings WHERE kind = 'starting' ORDER BY sequence")
    }

    @Test(arguments: LedgerKind.allCases)
    func `Starting credits are posted once, with the first posting that needs them`(kind: LedgerKind) async throws {
        let (ledger, catalog) = (try kind.open(), try Self.catalog(20, gems: 3))
        try await ledger.ledger.recordStartingCredits(in: RecordingContext(catalog: catalog, date: day(10)))
        for digit in [UInt8(1), 2, 3] { try await Self.join(ledger, digit, on: day(10)) }
        #expect(try await Self.hints(ledger, 1, catalog) == 20)
        #expect(try await Self.started(ledger) == [])
        // By a receipt, a spend and the creation of the account.
        try await ledger.record(receipt("a"), bought("hints", "1"), in: catalog)
        #expect(try await Self.hints(ledger, 1, catalog) == 30)
        let context = RecordingContext(catalog: catalog, date: today)
        let spend = Spend(account: account(2), scope: Self.scope, currency: "hints", amount: 20, idempotencyKey: "k")
        #expect(try await ledger.ledger.spend(spend, in: context) == 0)
        #expect(try await ledger.ledger.spend(spend, in: context) == 0)
        for _ in 0..<2 { try await ledger.ledger.giveStartingCredits(to: account(3), in: Self.scope, context) }
        let expected = ([1, 2, 3] as [UInt8]).flatMap { digit in
            [("gems", 3), ("hints", 20)].map { "\(account(digit).text) Production \($0.0) \($0.1)" }
        }
        #expect(try await Self.started(ledger) == expected)
        #expect(try await ledger.differences() == [])
        let rows = try await ledger.trail().filter { $0.contains("starting") }
        #expect(rows.count == expected.count && rows.allSatisfy { $0.hasPrefix("credits.posted") })
    }

    /// The setting on the day when the account was made, whatever it is now; none without a setting.
    @Test(arguments: LedgerKind.allCases)
    func `Another number of starting credits is for new accounts only`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        for (number, credits) in [20, 20, 30, nil, 5].enumerated() {
            try await Self.join(ledger, UInt8(number * 2 + 1), on: day(number * 10 + 9))
            let context = RecordingContext(catalog: try Self.catalog(credits), date: day(number * 10 + 10))
            for _ in 0..<2 { try await ledger.ledger.recordStartingCredits(in: context) }
            try await Self.join(ledger, UInt8(number * 2 + 2), on: day(number * 10 + 10))
        }
        let now = try Self.catalog(5)
        let expected: [Int?] = [nil, 20, 20, 20, 20, 30, 30, nil, nil, 5]
        for (number, amount) in expected.enumerated() {
            #expect(try await Self.hints(ledger, UInt8(number + 1), now) == amount, "\(number + 1)")
        }
        // A server whose catalog has none gives none, and takes none back.
        #expect(try await Self.hints(ledger, 2, try Self.catalog(nil)) == nil)
        try await ledger.record(receipt("a", by: 2), bought("hints", "1"), in: now)
        #expect(try await Self.hints(ledger, 2, try Self.catalog(nil)) == 30)
        #expect(try await ledger.rows("SELECT count(*) FROM startingCredits") == ["4"])
    }

    /// The sandbox is closed to all but testers, and has starting credits of its own.
    @Test(arguments: LedgerKind.allCases)
    func `Each environment has starting credits of its own`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        let closed = try Self.catalog(20)
        let opening = #""bundleID": "hangman","#
        let open = try LedgerTests.catalog(
            shop.replacing(opening, with: opening + #" "sandbox": "testers", "startingCredits": {"hints": 20},"#))
        try await ledger.ledger.recordStartingCredits(in: RecordingContext(catalog: open, date: day(10)))
        for digit in [UInt8(1), 2] { try await Self.join(ledger, digit, on: day(10)) }
        _ = try await ledger.ledger.addTester(account(1), try act())
        #expect(try await Self.hints(ledger, 1, closed, .sandbox) == nil)
        for digit in [UInt8(1), 2] {
            let sandbox = bought("hints", "\(digit)", .sandbox)
            try await ledger.record(receipt("s\(digit)", by: digit), sandbox, in: open)
        }
        #expect(try await Self.hints(ledger, 1, open, .sandbox) == 30)
        #expect(try await Self.hints(ledger, 2, open, .sandbox) == nil)
        #expect(try await Self.hints(ledger, 1, open) == 20)
        #expect(try await Self.started(ledger) == ["\(account(1).text) Sandbox hints 20"])
    }

    /// Whatever the order and however often, each account ends with its starting credits, what it bought and what it
    /// spent; and what was shown before is what is posted later.
    @Test(arguments: LedgerKind.allCases, campaign(of: 15))
    func `Balances with starting credits are the same in any order`(kind: LedgerKind, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let (ledger, catalog) = (try kind.open(), try Self.catalog(20))
        try await ledger.ledger.recordStartingCredits(in: RecordingContext(catalog: catalog, date: day(10)))
        var expected: [UInt8: Int] = [:]
        for digit in [UInt8(1), 2, 3] {
            let isEarly = generator.pick(false, false, true)
            try await Self.join(ledger, digit, on: day(isEarly ? 9 : 10))
            expected[digit] = isEarly ? 0 : 20
        }
        let context = RecordingContext(catalog: catalog, date: today)
        for step in 0..<30 {
            let digit: UInt8 = generator.pick(1, 2, 3)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                for _ in 0..<generator.pick(1, 2) {
                    try await ledger.record(
                        receipt("r\(step)", by: digit), bought("hints", "\(digit)\(step)"), in: catalog)
                }
                expected[digit, default: 0] += 10
            case 1:
                let spend = Spend(
                    account: account(digit), scope: Self.scope, currency: "hints", amount: 7, idempotencyKey: "\(step)")
                let after = expected[digit, default: 0] - 7
                if after < 0 {
                    await #expect(throws: LedgerRefusal.insufficientBalance) {
                        try await ledger.ledger.spend(spend, in: context)
                    }
                } else {
                    #expect(try await ledger.ledger.spend(spend, in: context) == after)
                    expected[digit] = after
                }
            case 2: try await ledger.ledger.giveStartingCredits(to: account(digit), in: Self.scope, context)
            default: try await ledger.ledger.recordStartingCredits(in: context)
            }
            for (digit, amount) in expected {
                try #require(try await Self.hints(ledger, digit, catalog) ?? 0 == amount, "\(digit) at \(step)")
            }
        }
        #expect(try await ledger.differences() == [])
    }

    /// If the app transaction is asked for, each gives once, whoever shows it and however often.
    @Test(arguments: LedgerKind.allCases)
    func `Starting credits are given once per app transaction`(kind: LedgerKind) async throws {
        let (ledger, catalog) = (try kind.open(), try Self.catalog(20, once: true))
        let context = RecordingContext(catalog: catalog, date: day(10))
        try await ledger.ledger.recordStartingCredits(in: context)
        for digit in [UInt8(1), 2, 3] { try await Self.join(ledger, digit, on: day(10)) }
        func show(_ id: String?, by digit: UInt8) async throws {
            let shown = AppTransaction(
                id: id, app: "hangman", environment: .production, originalPurchaseDate: day(1),
                originalAppVersion: "1.0", signedDate: day(10))
            let verified = VerifiedReceipt(transactions: [], appTransaction: shown)
            let sent = receipt("\(id ?? "-")\(digit)", by: digit)
            _ = try await ledger.ledger.record(sent, .success(verified), in: context)
        }
        try await ledger.record(receipt("a"), bought("hints", "1"), in: catalog)
        try await ledger.ledger.giveStartingCredits(to: account(1), in: Self.scope, context)
        #expect(try await Self.hints(ledger, 1, catalog) == 10)
        try await show(nil, by: 1)
        #expect(try await Self.started(ledger) == [])
        for digit in [UInt8(1), 2, 1] { try await show("700", by: digit) }
        try await show("701", by: 1)
        #expect(try await Self.hints(ledger, 1, catalog) == 30)
        #expect(try await Self.hints(ledger, 2, catalog) == nil)
        try await show("702", by: 2)
        let expected = [account(1), account(2)].map { "\($0.text) Production hints 20" }
        #expect(try await Self.started(ledger) == expected)
        #expect(try await ledger.differences() == [])
    }

    /// Twenty requests at once post them once.
    @Test(arguments: LedgerKind.allCases)
    func `Twenty requests at once post the starting credits once`(kind: LedgerKind) async throws {
        let (ledger, catalog) = (try kind.open(), try Self.catalog(20))
        let context = RecordingContext(catalog: catalog, date: day(10))
        try await ledger.ledger.recordStartingCredits(in: context)
        try await Self.join(ledger, 1, on: day(10))
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { try await ledger.ledger.giveStartingCredits(to: account(1), in: Self.scope, context) }
            }
            try await group.waitForAll()
        }
        #expect(try await Self.started(ledger).count == 1)
        #expect(try await Self.hints(ledger, 1, catalog) == 20)
    }

    /// `ledger rebuild --check` compares what was given with what was posted.
    @Test func `A posting of starting credits without its record is found`() async throws {
        let (sqlite, catalog) = (try SQLLedger.make(inFile: false), try Self.catalog(20))
        let (ledger, context) = (TestLedger(sqlite), RecordingContext(catalog: catalog, date: day(10)))
        try await sqlite.recordStartingCredits(in: context)
        try await Self.join(ledger, 1, on: day(10))
        try await sqlite.giveStartingCredits(to: account(1), in: Self.scope, context)
        #expect(try await ledger.differences() == [])
        try await sqlite.execute("DELETE FROM startingCreditGrants")
        let found = try await ledger.differences()
        #expect(
            found.count == 1 && found.first?.contains("starting hints: stored 0, recomputed 20") == true, "\(found)")
    }
}
