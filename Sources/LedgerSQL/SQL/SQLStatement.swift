import Synchronization

/// A statement that a connection finds by number once it has prepared it, instead of by its text, which would be hashed
/// for each use. Make it once, as a static constant: each one gets a number of its own.
package struct SQLStatement: Sendable {
    private static let count = Atomic(0)

    /// The number, unique in this process; the first is 0.
    package let number: Int
    private let sqlite: String
    private let postgres: String

    /// - Parameter text: the statement in each dialect.
    package init(_ text: (SQLDialect) -> String) {
        number = Self.count.add(1, ordering: .relaxed).oldValue
        sqlite = text(.sqlite)
        postgres = text(.postgres)
    }

    /// - Parameter text: the statement, the same in every dialect.
    package init(_ text: String) { self.init { _ in text } }

    package func text(in dialect: SQLDialect) -> String {
        switch dialect {
        case .sqlite: sqlite
        case .postgres: postgres
        }
    }
}

/// The SQL dialect of a database.
package enum SQLDialect: Sendable { case sqlite, postgres }
