/// SQL fragments that differ between the databases, side by side.
extension SQLDialect {
    /// A join in the written order of the tables. PostgreSQL's planner uses statistics instead.
    var orderedJoin: String {
        switch self {
        case .sqlite: "CROSS JOIN"
        case .postgres: "JOIN"
        }
    }

    /// An index hint after a table's name. SQLite, which has no statistics here, prefers the primary key to the index
    /// of an original transaction, and would read everything of the app.
    func using(index: String) -> String {
        switch self {
        case .sqlite: "INDEXED BY \(index)"
        case .postgres: ""
        }
    }

    /// Whether every page that is changed is copied first while a savepoint is open, as SQLite does.
    var copiesPagesForSavepoints: Bool { self == .sqlite }

    /// The bytes of a text, valid UTF-8 or not. PostgreSQL stores valid UTF-8 only.
    func bytes(of column: String) -> String {
        switch self {
        case .sqlite: "CAST(\(column) AS BLOB)"
        case .postgres: column
        }
    }

    /// No bytes.
    var noBytes: String {
        switch self {
        case .sqlite: "X''"
        case .postgres: "''::bytea"
        }
    }

    /// A placeholder of bytes in an expression. PostgreSQL cannot see the type from a CASE alone.
    func blob(_ placeholder: String) -> String {
        switch self {
        case .sqlite: placeholder
        case .postgres: "CAST(\(placeholder) AS BYTEA)"
        }
    }

    /// Whether a column contains the string of an argument.
    func contains(_ column: String) -> String {
        switch self {
        case .sqlite: "instr(\(column), ?) > 0"
        case .postgres: "strpos(\(column), ?) > 0"
        }
    }

    /// A member of a JSON object, as text; NULL if there is none.
    func member(_ name: String, of column: String) -> String {
        switch self {
        case .sqlite: "(\(column) ->> '\(name)')"
        case .postgres: "(CAST(\(column) AS json) ->> '\(name)')"
        }
    }

    /// The text of a member of an object that is itself a member; NULL if either is absent.
    func member(_ name: String, in object: String, of column: String) -> String {
        switch self {
        case .sqlite: "(\(column) ->> '$.\(object).\(name)')"
        case .postgres: "(CAST(\(column) AS json) #>> '{\(object),\(name)}')"
        }
    }

    /// The time of the database's clock, in milliseconds since 1970.
    var now: String {
        switch self {
        case .sqlite: "unixepoch() * 1000"
        case .postgres: "CAST(extract(epoch FROM clock_timestamp()) AS BIGINT) * 1000"
        }
    }

    /// The greater one of two numbers.
    func greatest(_ one: String, _ other: String) -> String {
        switch self {
        case .sqlite: "max(\(one), \(other))"
        case .postgres: "greatest(\(one), \(other))"
        }
    }

    /// The smaller one of two numbers.
    func least(_ one: String, _ other: String) -> String {
        switch self {
        case .sqlite: "min(\(one), \(other))"
        case .postgres: "least(\(one), \(other))"
        }
    }

    /// An upper bound of all strings with a prefix: no character's UTF-8 has the byte FF, and U+10FFFF is not a
    /// character; two of them are never stored.
    var lastCharacter: String {
        switch self {
        case .sqlite: "CAST(x'FF' AS TEXT)"
        case .postgres: "chr(1114111) || chr(1114111)"
        }
    }

    /// The suffix of a selection of work: skips rows that another process has locked. SQLite has a single writer.
    var claim: String {
        switch self {
        case .sqlite: ""
        case .postgres: " FOR UPDATE SKIP LOCKED"
        }
    }

    /// Selects the highest number that was given to a row of a table and not rolled back (`highest`), even if the row
    /// was deleted; `nil` if the database does not know: https://www.sqlite.org/autoinc.html; a sequence of PostgreSQL
    /// is not rolled back.
    func highestNumber(inTable name: String) -> SQLStatement? {
        switch self {
        case .sqlite: "SELECT seq AS highest FROM sqlite_sequence WHERE name = '\(name)'"
        case .postgres: nil
        }
    }

    /// Selects each row that violates a foreign key (`table`, `parent`); `nil` if the database cannot list them, and
    /// has none.
    var referenceCheck: SQLStatement? {
        switch self {
        case .sqlite: "PRAGMA foreign_key_check"
        case .postgres: nil
        }
    }
}
