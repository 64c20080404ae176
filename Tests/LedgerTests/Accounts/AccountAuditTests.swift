import Foundation
import InAppPurchase
import Ledger
import Synchronization
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// Stored sums are those of the history; where they are not, the place is reported.
@Suite struct AccountAuditTests {
    static let start = "account \(account(1).text), hangman, Production, "
    static let line = "environment = 'Production' AND originalID"

    /// A change behind the ledger's back, and what is reported of it: one place, if it shows in many.
    static let acts: [(act: String, found: String)] = [
        (
            "UPDATE balances SET amount = amount + 1 WHERE account = '\(account(1).text)' AND currency = 'hints'",
            start + "balance of hints: stored 15, recomputed 14"
        ),
        (
            "DELETE FROM balances WHERE account = '\(account(1).text)' AND currency = 'gems'",
            start + "balance of gems: stored 0, recomputed 14"
        ),
        (
            "UPDATE postings SET amount = 8 WHERE currency = 'gems'",
            start + "gems posted for product club.month: stored 16, recomputed 14"
        ),
        (
            "INSERT INTO postings SELECT NULL, account, app, environment, currency, 1, kind, 'words', cause, postedAt "
                + "FROM postings WHERE sequence = 1", start + "gems posted for product words: stored 1, recomputed 0"
        ),
        ("UPDATE spends SET amount = 3", start + "spend k: stored 3 hints, leaving 9, recomputed 4 hints, leaving 9"),
        ("UPDATE spends SET balance = 6", start + "spend k: stored 4 hints, leaving 6, recomputed 4 hints, leaving 9"),
        ("UPDATE spends SET idempotencyKey = 'j'", start + "spend j: stored 4 hints, leaving 9, recomputed nothing"),
        ("DELETE FROM spends", start + "spend k: stored nothing, recomputed 4 hints, leaving 9"),
        ("DELETE FROM postings WHERE kind = 'spend'", start + "spend k: stored 4 hints, leaving 9, recomputed nothing"),
        (
            "UPDATE adjustments SET amount = 500",
            start + "adjustment k: stored 500 hints, leaving 14, recomputed 5 hints, leaving 14"
        ),
        (
            "UPDATE refunds SET forgiven = 2 WHERE id = '1'",
            start + "hints forgiven of the refund of transaction 1: stored 2, recomputed 0"
        ),
        (
            "INSERT INTO refunds SELECT account, app, environment, '7', currency, product, 10, 0 FROM refunds",
            start + "hints deducted by the refund of transaction 7: stored 10, recomputed 0"
        ),
        (
            "UPDATE postings SET kind = 'forgiveness' WHERE kind = 'adjustment'",
            start + "hints forgiven of the refund of transaction k: stored 0, recomputed 5"
        ),
        ("DELETE FROM adjustments", start + "adjustment k: stored nothing, recomputed 5 hints, leaving 14"),
        (
            "UPDATE transactions SET creditedTo = '\(account(2).text)' WHERE id = '7'",
            start + "hints posted for product hints: stored 10, recomputed 0"
        ),
        ("DELETE FROM deliveries WHERE id = '7'", start + "delivery of transaction 7: stored none, recomputed one"),
        (
            "UPDATE lines SET owner = '\(account(1).text)' WHERE \(line) = '8'",
            start + "owner of original transaction 8: stored \(account(1).text), recomputed \(account(2).text)"
        ),
        (
            "UPDATE lineMoves SET toAccount = fromAccount",
            start.replacing(account(1).text, with: account(2).text)
                + "owner of original transaction 8: stored \(account(2).text), recomputed \(account(1).text)"
        ),
        (
            "UPDATE receipts SET retryAt = NULL WHERE status = 'pending'",
            "account \(account(1).text), receipt r_kept_1: stored pending and never asked about, recomputed pending and due"
        ),
        (
            "UPDATE receipts SET status = 'rejected' WHERE id = 'r_b_1'",
            "account \(account(1).text), receipt r_b_1: stored rejected with 1 transactions, recomputed none"
        ),
        (
            "UPDATE receipts SET rejection = NULL",
            "account \(account(1).text), receipt r_d_1: stored rejected without a reason, recomputed a reason where rejected"
        ),
        (
            "DELETE FROM receiptTransactions WHERE receipt = 'r_b_1'; "
                + "UPDATE receipts SET status = 'conflict' WHERE id = 'r_b_1'",
            "account \(account(1).text), receipt r_b_1: stored conflict without transactions, recomputed some"
        ),
        (
            "UPDATE receiptTransactions SET id = '99' WHERE receipt = 'r_b_1'",
            "account \(account(1).text), receipt r_b_1: stored 1 of 1 transactions not recorded, recomputed all"
        ),
        (
            "UPDATE transactions SET product = 'words' WHERE id = '7'",
            """
            account \(account(1).text), hangman, Production, hints posted for product hints: stored 10, recomputed 0
            """
        ),
        (
            "UPDATE transactions SET facts = '{}' WHERE id = '7'",
            "transaction 7: stored hangman Production 7 7 hints, recomputed readable"
        ),
        (
            "UPDATE transactions SET revokedAt = purchasedAt WHERE id = '7'",
            "dates of transaction 7: stored 1775001600000 1775001600000, recomputed 1775001600000 none"
        ),
        (
            "PRAGMA foreign_keys = OFF; DELETE FROM accounts WHERE id = '\(account(2).text)'",
            "a row of lines: stored names nothing in accounts, recomputed names a row"
        ),
    ]

    @Test(arguments: acts.indices)
    func `A row changed behind the ledger's back is reported with its place`(number: Int) async throws {
        let sqlite = try SQLLedger.make(inFile: false)
        let ledger = TestLedger(sqlite)
        try await ledger.liveThroughEverything()
        #expect(try await ledger.differences() == [])
        let (act, found) = Self.acts[number]
        try await sqlite.execute(act)
        let differences = try await ledger.differences()
        #expect(differences.contains(found), "\(differences.joined(separator: "\n"))")
    }

    @Test func `Altered terms are reported by their stored hash`() async throws {
        let sqlite = try SQLLedger.make(inFile: false)
        let ledger = TestLedger(sqlite)
        try await ledger.liveThroughEverything()
        try await sqlite.execute("UPDATE terms SET product = replace(product, '10', '11')")
        #expect(try await ledger.differences().contains { $0.hasPrefix("terms: stored hash ") })
    }

    @Test(arguments: LedgerKind.allCases)
    func `The audit counts everything it compared`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.liveThroughEverything()
        let counts = try await ledger.ledger.checkAccounts(at: today) { Issue.record("\($0)") }
        let expected = try await ledger.rows(
            """
            SELECT (SELECT count(*) FROM accounts), (SELECT count(*) FROM transactions WHERE forgottenAt IS NULL),
                (SELECT count(*) FROM postings), (SELECT count(*) FROM spends), (SELECT count(*) FROM receipts)
            """)
        #expect(
            expected == [
                "\(counts.accounts) \(counts.transactions) \(counts.postings) \(counts.spends) \(counts.receipts)"
            ])
    }

    @Test func `Balances are rebuilt from the postings, and only altered ones are written and audited`() async throws {
        let sqlite = try SQLLedger.make(inFile: false)
        let ledger = TestLedger(sqlite)
        try await ledger.liveThroughEverything()
        let before = try await ledger.rows("SELECT * FROM balances ORDER BY account, app, environment, currency")
        #expect(try await ledger.ledger.rebuildBalances(by: .command(user: "root"), at: today) == 0)
        try await sqlite.execute("UPDATE balances SET amount = 99 WHERE currency = 'hints'")
        try await sqlite.execute("DELETE FROM balances WHERE currency = 'gems'")
        #expect(try await ledger.ledger.rebuildBalances(by: .command(user: "root"), at: today) == before.count)
        #expect(try await ledger.rows("SELECT * FROM balances ORDER BY account, app, environment, currency") == before)
        #expect(try await ledger.ledger.rebuildBalances(by: .command(user: "root"), at: today) == 0)
        let audit = try await ledger.rows(
            "SELECT actor, account, content FROM audit WHERE kind = 'balance.rebuilt' ORDER BY sequence")
        #expect(audit.count == before.count)
        #expect(
            audit.first == "command:root \(account(1).text) "
                + #"{"after":14,"app":"hangman","before":0,"currency":"gems","environment":"Production"}"#)
    }
}

extension TestLedger {
    /// The findings of the check of the books, a line each.
    func differences() async throws -> [String] {
        let found = Found()
        let counts = try await ledger.checkAccounts(at: HistoryMaker.present) { difference in
            found.lines.withLock { $0.append("\(difference)") }
        }
        let lines = found.lines.withLock { $0 }
        #expect(counts.differences == lines.count)
        return lines
    }

    private final class Found: Sendable {
        let lines = Mutex<[String]>([])
    }
}
