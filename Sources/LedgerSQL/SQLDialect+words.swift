/// Where one text cannot serve all databases, their words stand side by side here.
extension SQLDialect {
    /// A join that reads the tables in the order they are written. PostgreSQL's planner counts what is in them instead.
    var orderedJoin: String {
        switch self {
        case .sqlite: "CROSS JOIN"
        case .postgres: "JOIN"
        }
    }

    /// After a table's name: reads it by this index.
    func using(index: String) -> String {
        switch self {
        case .sqlite: "INDEXED BY \(index)"
        case .postgres: ""
        }
    }

    /// The bytes of a text, whatever they are. PostgreSQL has none that are no UTF-8.
    func bytes(of column: String) -> String {
        switch self {
        case .sqlite: "CAST(\(column) AS BLOB)"
        case .postgres: column
        }
    }

    /// A member of a JSON object, as text; NULL where there is none.
    func member(_ name: String, of column: String) -> String {
        switch self {
        case .sqlite: "(\(column) ->> '\(name)')"
        case .postgres: "(CAST(\(column) AS json) ->> '\(name)')"
        }
    }

    /// The texts of an array that is a member of a JSON object, as a table with the column `value`.
    func elements(of column: String, member: String) -> String {
        switch self {
        case .sqlite: "json_each(\(column), '$.\(member)')"
        case .postgres: "LATERAL json_array_elements_text(CAST(\(column) AS json) -> '\(member)')"
        }
    }

    /// A text that comes after all texts that may follow a prefix: no character's UTF-8 has the byte FF, and U+10FFFF
    /// is no character; two of them are never kept.
    var lastCharacter: String {
        switch self {
        case .sqlite: "CAST(x'FF' AS TEXT)"
        case .postgres: "chr(1114111) || chr(1114111)"
        }
    }

    /// After a selection of what is to be done: leaves out what another process takes at the same time. SQLite has one
    /// writer at a time.
    var claim: String {
        switch self {
        case .sqlite: ""
        case .postgres: " FOR UPDATE SKIP LOCKED"
        }
    }

    /// Tells the highest number that was given to a row of a table, and not rolled back (`highest`), also where the row is
    /// gone; nil where the database does not know: https://www.sqlite.org/autoinc.html, and PostgreSQL counts on when a
    /// transaction is rolled back.
    func highestNumber(inTable name: String) -> String? {
        switch self {
        case .sqlite: "SELECT seq AS highest FROM sqlite_sequence WHERE name = '\(name)'"
        case .postgres: nil
        }
    }

    /// Tells each row that names no row (`table`, `parent`); nil where the database has no way to say, and none to be so.
    var referenceCheck: String? {
        switch self {
        case .sqlite: "PRAGMA foreign_key_check"
        case .postgres: nil
        }
    }
}
