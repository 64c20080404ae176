import Crypto
import Foundation
import GRDB
import InAppPurchase

/// The rows of one open SQLite transaction.
struct SQLiteRows: LedgerTransaction {
    let db: Database
    let terms: TermsCodec
    let facts: FactsCodec

    /// Runs a statement that is prepared once per connection.
    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func all(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }

    func one(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }

    func accounts(among ids: Set<AccountID>) throws -> Set<AccountID> {
        try ids.filter { try one("SELECT 1 FROM accounts WHERE id = ?", [$0.text]) != nil }
    }

    func append(_ entry: AuditEntry) throws {
        let content = try JSON.encode(entry.content)
        let hash = Data(SHA256.hash(data: Data(content.utf8)))
        try run(
            "INSERT INTO audit (at, kind, actor, account, subject, content, contentHash) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                entry.date.milliseconds, entry.kind.rawValue, entry.actor?.name, entry.account?.text, entry.subject,
                content, hash,
            ])
    }
}

/// JSON as the ledger keeps it: times in whole milliseconds, members in a fixed order.
enum JSON {
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.milliseconds)
        }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            Date(milliseconds: try decoder.singleValueContainer().decode(Int.self))
        }
        return try decoder.decode(type, from: Data(text.utf8))
    }
}

extension Row {
    /// The account that a column of this schema names.
    func account(_ column: String) throws -> AccountID {
        guard let id = AccountID(uuidString: self[column]) else {
            throw LedgerUnavailable("\(column) is no account ID")
        }
        return id
    }

    func environment(_ column: String = "environment") throws -> Environment {
        guard let environment = Environment(rawValue: self[column]) else {
            throw LedgerUnavailable("\(column) is no environment")
        }
        return environment
    }

    func date(_ column: String) -> Date { Date(milliseconds: self[column]) }
}
