import Foundation
import InAppPurchase
import Ledger
import LedgerPostgres
import PostgresSupport
import TestSupport
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// A request for a new account that is repeated with its idempotency key creates no second account.
@Suite struct AccountKeyTests {
    private static func opened(_ ledger: TestLedger, _ digits: UInt8...) async throws -> [AccountID?] {
        var accounts: [AccountID?] = []
        for digit in digits { accounts.append(try await ledger.ledger.account(forToken: Data([digit]))) }
        return accounts
    }

    private static func recovered(_ ledger: TestLedger, _ digit: UInt8, token: UInt8) async throws -> AccountID? {
        try await ledger.ledger.openSession(recoveryCode: Data([digit]), token: Data([token]), at: today)
    }

    private static func hour(_ hours: Double) -> Date { today.addingTimeInterval(hours * 3_600) }

    @Test(arguments: LedgerKind.allCases)
    func `A repeated request for an account has new secrets, and those of the last answer count`(kind: LedgerKind)
        async throws
    {
        let ledger = try kind.open()
        for (digit, hours) in [(1, 0), (2, 1), (3, 23.9)] as [(UInt8, Double)] {
            #expect(try await ledger.create(digit, key: 9, on: Self.hour(hours)) == account(1))
        }
        #expect(try await ledger.create(4, key: 8, on: today) == account(4))
        #expect(try await Self.opened(ledger, 1, 2, 3, 4) == [nil, nil, account(1), account(4)])
        #expect(try await Self.recovered(ledger, 1, token: 11) == nil)
        #expect(try await Self.recovered(ledger, 2, token: 12) == nil)
        #expect(try await ledger.rows("SELECT count(*) FROM accounts") == ["2"])
        #expect(try await ledger.rows("SELECT count(*) FROM sessions") == ["2"])
        #expect(
            try await ledger.trail() == [
                "account.created - {}", "session.opened - {}", "account.reissued - {}", "account.reissued - {}",
                "account.created - {}", "session.opened - {}",
            ])
        #expect(try await Self.recovered(ledger, 3, token: 13) == account(1))
        #expect(try await ledger.differences() == [])
    }

    /// The recorded acts of an account, and those on it.
    enum Act: CaseIterable {
        case session, signOut, receipt, unreadableReceipt, pendingReceipt, notification, manifest, consent, spend
        case adjustment, block, tester

        func happen(to digit: UInt8, in ledger: TestLedger) async throws {
            switch self {
            case .session: _ = try await AccountKeyTests.recovered(ledger, digit, token: 99)
            case .signOut: try await ledger.ledger.closeSession(token: Data([digit]), at: today)
            case .receipt: try await ledger.record(LedgerTests.receipt("a", by: digit), bought("words", "1"))
            case .unreadableReceipt:
                try await ledger.ledger.recordUnreadable(
                    .whole(digest: Data([1]), length: 9), id: "r", reason: "malformed", from: account(digit), at: today)
            case .pendingReceipt:
                _ = try await ledger.ledger.enqueue(LedgerTests.receipt("a", by: digit), retryAt: today, at: today)
            case .notification:
                try await ledger.receive(LedgerTests.notification("n", bought("words", "1", token: digit)))
            case .manifest: _ = try await ledger.issueManifest("hard-words", on: today)
            case .consent: try await ledger.ledger.setConsumptionConsent(true, of: account(digit), at: today)
            case .spend: _ = try await ledger.spend(1, key: "k", by: digit)
            case .adjustment: _ = try await ledger.adjust(5)
            case .block: _ = try await ledger.ledger.block(account(digit), try act())
            case .tester: _ = try await ledger.ledger.addTester(account(digit), try act())
            }
        }
    }

    /// For the act that spends a credit, the account already has its starting credits.
    @Test(arguments: LedgerKind.allCases, Act.allCases)
    func `A key whose account was used opens that account no more`(kind: LedgerKind, act: Act) async throws {
        let ledger = try kind.open()
        let context = RecordingContext(catalog: try StartingCreditsTests.catalog(20), date: day(50))
        try await ledger.ledger.recordStartingCredits(in: context)
        try await ledger.create(1, key: 9, on: today)
        try await ledger.ledger.giveStartingCredits(to: account(1), in: StartingCreditsTests.scope, context)
        // These are no acts of the account, and neither is what happens to another one.
        _ = try await ledger.create(1, key: 9, on: today)
        try await ledger.create(2, key: 8, on: today)
        _ = try await Self.recovered(ledger, 2, token: 22)
        #expect(try await ledger.create(1, key: 9, on: today) == account(1))
        try await act.happen(to: 1, in: ledger)
        let before = try await ledger.everything()
        for _ in 0..<2 {
            await #expect(throws: LedgerRefusal.accountKeyReused) { try await ledger.create(3, key: 9, on: today) }
        }
        #expect(try await ledger.everything() == before)
    }

    @Test(arguments: LedgerKind.allCases)
    func `A key for a new account is forgotten after a day`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.create(1, key: 9, on: today)
        try await ledger.create(2, key: 8, on: Self.hour(1))
        #expect(try await ledger.create(3, key: 9, on: Self.hour(24)) == account(3))
        #expect(try await Self.opened(ledger, 1, 2, 3) == [account(1), account(2), account(3)])
        #expect(try await ledger.create(4, key: 9, on: Self.hour(47)) == account(3))
        let keys = try await ledger.rows("SELECT key, account, repeats FROM accountKeys ORDER BY key")
        #expect(keys == ["8 \(account(2).text) 0", "9 \(account(3).text) 1"])
    }

    /// Each new key deletes more outdated keys than it adds.
    @Test(arguments: LedgerKind.allCases)
    func `Outdated keys for new accounts are deleted`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        for digit in 0..<UInt8(40) { try await ledger.create(digit, key: digit, on: today) }
        var left: [String] = []
        for digit in 100..<UInt8(104) {
            try await ledger.create(digit, key: digit, on: Self.hour(25))
            left += try await ledger.rows("SELECT count(*) FROM accountKeys")
        }
        #expect(left == ["25", "10", "3", "4"])
        #expect(try await ledger.rows("SELECT count(*) FROM accounts") == ["44"])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A key for a new account may be repeated a limited number of times`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.create(1, key: 9, on: today)
        let sql = try #require(ledger.ledger as? SQLLedger)
        _ = try await sql.database.write {
            try $0.run("UPDATE accountKeys SET repeats = ?", [NewAccount.maximumRepeats - 1])
        }
        #expect(try await ledger.create(2, key: 9, on: today) == account(1))
        await #expect(throws: LedgerRefusal.accountKeyReused) { try await ledger.create(3, key: 9, on: today) }
        #expect(try await Self.opened(ledger, 2, 3) == [account(1), nil])
    }

    /// Two servers on one ledger; requests that got lost arrive at any time.
    @Test(arguments: [LedgerKind.sqliteInFile, .postgres])
    func `Many requests at once with one key make one account`(kind: LedgerKind) async throws {
        let servers: [TestLedger]
        if kind == .postgres {
            let url = try PostgresServer.shared.get().newLedger()
            servers = try (0..<2).map { _ in
                TestLedger(try PostgresLedger.open(url: url, handlers: standardHandlers, limits: .patient))
            }
        } else {
            let file = try LedgerFile()
            servers = [try file.open(), try file.open()]
        }
        let accounts = try await withThrowingTaskGroup { group in
            for digit in 0..<UInt8(40) {
                group.addTask { try await servers[Int(digit % 2)].create(digit, key: digit / 20, on: today) }
            }
            return try await group.reduce(into: [AccountID: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(accounts.values.sorted() == [20, 20])
        #expect(try await servers[0].rows("SELECT count(*) FROM accounts") == ["2"])
        #expect(try await servers[1].rows("SELECT count(*) FROM sessions WHERE closedAt IS NULL") == ["2"])
        // The token and the recovery code are from the same answer.
        let pairs = "SELECT 1 FROM accounts JOIN sessions ON id = account AND token = recoveryCode"
        #expect(try await servers[0].rows(pairs) == ["1", "1"])
        #expect(try await servers[1].differences() == [])
    }
}
