import Crypto
import Foundation
import InAppPurchase
import Ledger

/// Reads and writes rows in one open transaction.
struct LedgerRows: LedgerTransaction {
    let db: any SQLTransaction
    let terms: TermsCodec
    let facts: FactsCodec
    let headers: StoredDigests
    let standings: StandingsCodec
    /// The rows that this write has gathered.
    let pending: PendingWrite

    /// The same rows for a write of its own within the transaction.
    func forNextWrite() -> LedgerRows {
        LedgerRows(db: db, terms: terms, facts: facts, headers: headers, standings: standings, pending: PendingWrite())
    }

    /// Runs a statement and returns how many rows it changed.
    @discardableResult
    func run(_ statement: SQLStatement, _ arguments: SQLArguments) throws -> Int { try db.run(statement, arguments) }

    /// Runs a statement whose row count is not needed; see ``SQLTransaction/send(_:_:)``.
    func send(_ statement: SQLStatement, _ arguments: SQLArguments) throws { try db.send(statement, arguments) }

    func send(_ statement: SQLStatement, values: [SQLValue]) throws { try db.send(statement, values: values) }

    func all(_ statement: SQLStatement, _ arguments: SQLArguments) throws -> [SQLRow] {
        try db.all(statement, arguments)
    }

    func one(_ statement: SQLStatement, _ arguments: SQLArguments) throws -> SQLRow? {
        try db.one(statement, arguments)
    }

    /// The suffix of a selection of work that only one process is to do.
    var claim: String { db.dialect.claim }

    func livingAccounts(named ids: Set<AccountID>) throws -> [AccountID: AccountID] {
        try ids.reduce(into: [:]) { living, id in
            if try one(Self.account, [id.text]) != nil { living[id] = id }
        }
    }

    private static let account = SQLStatement(constant: "SELECT 1 FROM accounts WHERE id = ?")

    func hasBeenUsed(_ account: AccountID, since date: Date) throws -> Bool {
        let used = try one(
            """
            SELECT 1 AS used WHERE EXISTS (SELECT 1 FROM sessions WHERE account = ?1 AND openedAt > ?2)
                OR EXISTS (SELECT 1 FROM receipts WHERE account = ?1 AND recordedAt > ?2)
            """, [account.text, date.milliseconds])
        return used != nil
    }
}

extension SQLRow {
    /// The account that a column of this schema names.
    func account(_ column: String) throws -> AccountID {
        guard let id = AccountID(text: try self[column]) else { throw LedgerUnavailable("\(column) is no account ID") }
        return id
    }

    func environment(_ column: String = "environment") throws -> Environment {
        guard let environment = Environment(known: try self[column]) else {
            throw LedgerUnavailable("\(column) is no environment")
        }
        return environment
    }

    func date(_ column: String) throws -> Date { Date(milliseconds: try self[column]) }

    func dateIfAny(_ column: String) throws -> Date? { (try self[column] as Int?).map(Date.init(milliseconds:)) }

    func scope() throws -> Scope { Scope(app: try self["app"], environment: try environment()) }
}
