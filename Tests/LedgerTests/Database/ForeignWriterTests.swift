import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL

/// A server of an earlier version, which knows no standings, writes beside this one: its changes count at once.
@Suite struct ForeignWriterTests {
    /// Changes by a writer that knows no standings, and the account concerned.
    static let changes: [(sql: String, account: UInt8)] = [
        ("UPDATE transactions SET product = 'night' WHERE product = 'words'", 1),
        ("UPDATE transactions SET terms = NULL WHERE id = '1'", 1),
        ("UPDATE transactions SET forgottenAt = 5 WHERE id = '1'", 1),
        ("UPDATE transactions SET creditedTo = '\(account(2).text)' WHERE id = '1'", 2),
        ("UPDATE lines SET owner = '\(account(2).text)' WHERE originalID = '1'", 1),
        ("UPDATE lines SET owner = '\(account(2).text)' WHERE originalID = '1'", 2),
        ("UPDATE lines SET forgottenMoves = moveCount WHERE originalID = '5'", 2),
        (
            """
            INSERT INTO transactions (app, environment, id, originalID, product, facts, terms, creditedTo, purchasedAt)
            SELECT app, environment, '7', originalID, product, facts, terms, creditedTo, purchasedAt
            FROM transactions WHERE id = '1'
            """, 1
        ),
        (
            """
            INSERT INTO lineMoves (app, environment, originalID, position, fromAccount, toAccount, movedAt)
            SELECT app, environment, originalID, 0, '\(account(3).text)', owner, 5 FROM lines WHERE originalID = '1'
            """, 3
        ),
    ]

    @Test(arguments: [LedgerKind.sqliteInMemory, .postgres], changes)
    func `A change by an earlier version makes stored standings invalid`(
        kind: LedgerKind, change: (sql: String, account: UInt8)
    ) async throws {
        let test = try kind.open()
        try await test.join(1, 2, 3)
        try await test.record(receipt("a"), bought("words", "1"))
        try await test.record(receipt("b", by: 2), bought("hints", "4"), bought("words", "5"))
        try await test.record(receipt("c", by: 3), bought("hints", "6"))
        try await test.move("5", to: 3)
        try await test.record(receipt("d", by: 2), bought("hints", "8"))
        let ledger = try #require(test.ledger as? SQLLedger)
        let (changed, context) = (account(change.account), try test.context())
        let standings = { try await ledger.read { try $0.standings(of: [changed])[changed] } }
        _ = try await ledger.write { try ReceiptRecorder($0, context).bindTerms() }
        #expect(try await standings() != nil)
        try await ledger.database.write { db in _ = try db.run("\(change.sql)", []) }
        #expect(try await standings() == nil)
        let (answered, folded) = try await ledger.read { rows in
            let recorder = ReceiptRecorder(rows, context)
            return try (recorder.entitlements(of: changed), recorder.state(of: changed).entitlements)
        }
        #expect(answered == folded)
        try await test.record(receipt("e", by: change.account), bought("coins", "9"))
        #expect(try await standings() != nil)
        #expect(try await test.differences().filter { $0.contains("standing") || $0.contains("entitlements") } == [])
    }

    /// A ledger of an earlier version has none; every account gets them with its next purchase.
    @Test(arguments: LedgerKind.allCases)
    func `Accounts of an earlier version get standings by a purchase or a rebuild`(kind: LedgerKind) async throws {
        let test = try kind.open()
        try await test.join(1, 2)
        try await test.record(receipt("a"), bought("words", "1"))
        try await test.record(receipt("b", by: 2), bought("hints", "2"))
        let ledger = try #require(test.ledger as? SQLLedger)
        try await ledger.database.write { db in
            try db.run("DELETE FROM standings", [])
            try db.run("DELETE FROM historyRevisions", [])
        }
        #expect(try await test.holdings(of: 1).contains("words"))
        try await test.record(receipt("c"), bought("hints", "3"))
        #expect(try await test.rows("SELECT count(*) FROM standings") == ["2"])
        #expect(try await test.ledger.rebuildStandings(at: today) == 1)
        #expect(try await test.ledger.rebuildStandings(at: today) == 0)
        #expect(try await test.rows("SELECT count(*) FROM standings") == ["3"])
        #expect(try await test.differences() == [])
    }

    /// The check finds a standing that differs, and a rebuild corrects it.
    @Test(arguments: LedgerKind.allCases)
    func `An altered standing is found by the check and corrected by a rebuild`(kind: LedgerKind) async throws {
        let test = try kind.open()
        try await test.join(1, 2)
        try await test.record(receipt("a"), bought("words", "1"))
        try await test.record(receipt("b", by: 2), bought("words", "2", revoked: day(94), signed: day(95)))
        let ledger = try #require(test.ledger as? SQLLedger)
        try await ledger.database.write { db in
            _ = try db.run(
                "UPDATE standings SET standing = (SELECT standing FROM standings WHERE account = ?) WHERE account = ?",
                [account(2).bytes, account(1).bytes])
        }
        let found = try await test.differences()
        #expect(found.contains { $0.contains("standing of") } && found.contains { $0.contains("entitlements at") })
        #expect(try await test.ledger.rebuildStandings(at: today) == 1)
        #expect(try await test.differences() == [])
    }

    /// An owner named by a statement by hand has what it owns, though the purchases credit another account.
    @Test(arguments: [LedgerKind.sqliteInMemory, .postgres])
    func `An owner changed by hand has the access of its purchases`(kind: LedgerKind) async throws {
        let test = try kind.open()
        try await test.join(1, 2)
        try await test.record(receipt("a"), bought("words", "1"), bought("night", "2"))
        let ledger = try #require(test.ledger as? SQLLedger)
        try await ledger.database.write { db in
            try db.run("UPDATE lines SET owner = ? WHERE originalID = '1'", [account(2).text])
            try db.run("UPDATE transactions SET creditedTo = ? WHERE id = '2'", [account(2).text])
        }
        #expect(try await test.holdings(of: 2).contains("words"))
        #expect(try await test.holdings(of: 1).contains("night"))
        let scope = Scope(app: "hangman", environment: .production)
        let owned = try await ledger.read { rows in
            try [1, 2].map { try rows.originalTransactions(of: account($0), in: scope).map(\.key.originalID.text) }
        }
        #expect(owned == [["2"], ["1"]])
    }
}
