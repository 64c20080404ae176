import Synchronization

/// A statement. A connection that has prepared it finds one that an initializer numbered by its number, and one that
/// was written as a string, by its text, which is hashed for each use.
package struct SQLStatement: Sendable {
    private static let count = Atomic(0)

    /// The number, unique in this process; the first is 0. `nil` for a text.
    package let number: Int?
    private let sqlite: String
    private let postgres: String

    /// Numbers a statement. Make it once, as a static constant.
    ///
    /// - Parameter text: the statement in each dialect.
    package init(_ text: (SQLDialect) -> String) {
        number = Self.count.add(1, ordering: .relaxed).oldValue
        sqlite = text(.sqlite)
        postgres = text(.postgres)
    }

    /// Numbers a statement that is the same in every dialect.
    package init(constant text: String) { self.init { _ in text } }

    package func text(in dialect: SQLDialect) -> String {
        switch dialect {
        case .sqlite: sqlite
        case .postgres: postgres
        }
    }
}

extension SQLStatement: ExpressibleByStringInterpolation {
    /// Takes the same text in every dialect, without a number.
    package init(stringLiteral text: String) {
        number = nil
        sqlite = text
        postgres = text
    }
}

/// The SQL dialect of a database.
package enum SQLDialect: Sendable { case sqlite, postgres }
