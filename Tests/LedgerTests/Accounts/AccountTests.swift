import Basics
import Foundation
import InAppPurchase
import Ledger
import StrictJSON
import TestSupport
import Testing

@Suite struct AccountTests {
    private func tokens(_ ledger: TestLedger, _ tokens: String...) async throws -> [AccountID?] {
        var accounts: [AccountID?] = []
        for token in tokens { accounts.append(try await ledger.ledger.account(forToken: Data(token.utf8))) }
        return accounts
    }

    private func create(_ digit: UInt8, _ token: String, _ code: String, in ledger: TestLedger) async throws {
        try await ledger.ledger.createAccount(
            account(digit), token: Data(token.utf8), recoveryCode: Data(code.utf8), at: today)
    }

    @Test(arguments: LedgerKind.allCases)
    func `An access token opens its own account and no other`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await create(1, "a", "A", in: ledger)
        try await create(2, "b", "B", in: ledger)
        #expect(try await tokens(ledger, "a", "b", "A", "c", "") == [account(1), account(2), nil, nil, nil])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A recovery code opens a session with a new access token`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await create(1, "a", "A", in: ledger)
        #expect(
            try await ledger.ledger.openSession(recoveryCode: Data("A".utf8), token: Data("a2".utf8), at: today)
                == account(1))
        #expect(
            try await ledger.ledger.openSession(recoveryCode: Data("a".utf8), token: Data("a3".utf8), at: today) == nil)
        #expect(try await tokens(ledger, "a", "a2", "a3") == [account(1), account(1), nil])
    }

    @Test(arguments: LedgerKind.allCases) func `Signing out ends one session for ever`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await create(1, "a", "A", in: ledger)
        _ = try await ledger.ledger.openSession(recoveryCode: Data("A".utf8), token: Data("a2".utf8), at: today)
        for token in ["a", "a", "nobody's"] { try await ledger.ledger.closeSession(token: Data(token.utf8), at: today) }
        #expect(try await tokens(ledger, "a", "a2") == [nil, account(1)])
        #expect(
            try await ledger.trail() == [
                "account.created - {}", "session.opened - {}", "session.opened - {}", "session.closed - {}",
            ])
    }

    /// Made twice, or with a token or code that is taken: refused as a whole.
    @Test(arguments: LedgerKind.allCases)
    func `An account or session whose ID, token or code is taken is not made at all`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await create(1, "a", "A", in: ledger)
        let before = try await ledger.everything()
        for (digit, token, code) in [(UInt8(1), "b", "B"), (2, "a", "B"), (2, "b", "A")] {
            await #expect(throws: LedgerUnavailable.self) { try await create(digit, token, code, in: ledger) }
        }
        await #expect(throws: LedgerUnavailable.self) {
            try await ledger.ledger.openSession(recoveryCode: Data("A".utf8), token: Data("a".utf8), at: today)
        }
        #expect(try await ledger.everything() == before)
    }

    @Test(arguments: LedgerKind.allCases)
    func `A ledger is empty until an account is recorded`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        #expect(try await ledger.ledger.isEmpty())
        try await ledger.ledger.set(["key": Data()])
        #expect(try await ledger.ledger.isEmpty())
        try await create(1, "a", "A", in: ledger)
        #expect(try await !ledger.ledger.isEmpty())
    }

    @Test(arguments: LedgerKind.allCases)
    func `A ledger in which a refused receipt is recorded is not empty`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.ledger.recordUnreadable(
            .whole(digest: Data([0, 0xFF]), length: 3), id: "r_1", reason: "malformed", from: account(1), at: today)
        #expect(try await !ledger.ledger.isEmpty())
        #expect(
            try await ledger.trail() == [#"receipt.unreadable r_1 {"length":3,"reason":"malformed","sha256":"00ff"}"#])
        #expect(try await ledger.rows("SELECT 1 FROM receipts") == [])
    }

    /// Each is listed once, page by page, and those created at the same time in a stable order.
    @Test(arguments: LedgerKind.allCases)
    func `Accounts are listed page by page, the newest first`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        for (digit, date) in [(UInt8(3), day(5)), (1, day(7)), (2, day(7)), (4, day(7)), (5, day(1))] {
            try await ledger.ledger.createAccount(
                account(digit), token: Data([digit]), recoveryCode: Data([digit]), at: date)
        }
        _ = try await ledger.ledger.block(account(3), try act())
        var (listed, last): ([AccountFacts], AccountID?) = ([], nil)
        while let page = try await ledger.ledger.newestAccounts(after: last, limit: 2), !page.isEmpty {
            #expect(page.count <= 2)
            listed += page
            last = page.last?.account
        }
        #expect(listed.map(\.account) == [4, 2, 1, 3, 5].map { account($0) })
        #expect(listed.map(\.createdAt) == [day(7), day(7), day(7), day(5), day(1)])
        #expect(listed.map(\.blockedAt) == [nil, nil, nil, today, nil])
        #expect(try await ledger.ledger.newestAccounts(after: account(9), limit: 2) == nil)
    }

    /// By eight characters of the ID or more, in the order of the IDs.
    @Test(arguments: LedgerKind.allCases)
    func `Accounts are found by the beginning of their IDs`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        let ids = [
            "0f8b2c4d-0000-4000-8000-000000000002", "0f8b2c4d-0000-4000-8000-000000000001",
            "0f8b2c4d-f000-4000-8000-000000000003", "0f8b2c4e-0000-4000-8000-000000000004",
        ]
        for (digit, id) in ids.enumerated() {
            let code = Data([UInt8(digit)])
            try await ledger.ledger.createAccount(
                try #require(AccountID(text: id)), token: code, recoveryCode: code, at: today)
        }
        let found = { (text: String, limit: Int) in
            let prefix = try #require(AccountPrefix(text), "\(text)")
            return try await ledger.ledger.accounts(beginning: prefix, limit: limit).map(\.account.text)
        }
        #expect(try await found("0F8B2C4D", 9) == [ids[1], ids[0], ids[2]])
        #expect(try await found("0f8b2c4d", 2) == [ids[1], ids[0]])
        #expect(try await found("0f8b2c4d00004", 9) == [ids[1], ids[0]])
        #expect(try await found("0f8b2c4d-f", 9) == [ids[2]])
        #expect(try await found(ids[3], 9) == [ids[3]])
        #expect(try await found("0f8b2c4c", 9) == [])
    }

    @Test(arguments: ["", "0f8b2c4", "0f8b2c4g", "０f8b2c4d", "%f8b2c4d", "0f8b2c4d-0000-4000-8000-0000000000021"])
    func `Less than eight hexadecimal digits, or other characters, begin no ID`(text: String) {
        #expect(AccountPrefix(text) == nil)
    }
}
