package import Foundation

/// The value of a column, or an argument of a statement.
package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int)
    case text(String)
    case blob(Data)
}

extension SQLValue {
    static func maybe(_ number: Int?) -> SQLValue { number.map { .integer($0) } ?? .null }

    static func maybe(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
}

extension Int: SQLConvertible {
    package var sqlValue: SQLValue { .integer(self) }
    package init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self = number
    }
}

extension String: SQLConvertible {
    package var sqlValue: SQLValue { .text(self) }
    package init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self = text
    }
}

/// A string is read as its UTF-8.
extension Data: SQLConvertible {
    package var sqlValue: SQLValue { .blob(self) }
    package init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .blob(let data): self = data
        case .text(let text): self = Data(text.utf8)
        case .null, .integer: return nil
        }
    }
}

/// Stored as 0 and 1 if the database has no boolean type.
extension Bool: SQLConvertible {
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
    package init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self = number != 0
    }
}

/// Any value, unconverted.
extension SQLValue: SQLConvertible {
    package var sqlValue: SQLValue { self }
    package init?(sqlValue: SQLValue) { self = sqlValue }
}
