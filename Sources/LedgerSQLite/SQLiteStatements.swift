import GRDB
import LedgerSQL

/// The statements that one connection has prepared.
///
/// `@unchecked Sendable`: used on the connection's own queue alone.
final class SQLiteStatements: @unchecked Sendable {
    /// The statements by the number of their ``/LedgerSQL/SQLStatement``.
    private var numbered: [PreparedStatement?] = []
    private var named: [String: PreparedStatement] = [:]

    func prepared(_ statement: SQLStatement, in db: Database) throws -> PreparedStatement {
        guard let number = statement.number else { return try prepared(statement.text(in: .sqlite), in: db) }
        if number < numbered.count, let known = numbered[number] { return known }
        let new = try PreparedStatement(statement.text(in: .sqlite), in: db)
        while numbered.count <= number { numbered.append(nil) }
        numbered[number] = new
        return new
    }

    private func prepared(_ sql: String, in db: Database) throws -> PreparedStatement {
        if let known = named[sql] { return known }
        let new = try PreparedStatement(sql, in: db)
        named[sql] = new
        return new
    }

    /// Finalizes them all: a connection with open statements cannot be closed.
    func removeAll() {
        numbered = []
        named = [:]
    }
}
