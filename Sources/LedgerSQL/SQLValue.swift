package import Foundation
import InAppPurchase

/// What stands in a column, or is handed to a statement.
package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int)
    case text(String)
    case blob(Data)
}

/// A type that a column can hold.
package protocol SQLConvertible: Sendable {
    var sqlValue: SQLValue { get }
    /// Nil where the value is of another kind.
    init?(sqlValue: SQLValue)
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

/// A text is read as its UTF-8.
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

/// 0 and 1 where the database has no type for it.
extension Bool: SQLConvertible {
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
    package init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self = number != 0
    }
}

/// Any of them.
extension SQLValue: SQLConvertible {
    package var sqlValue: SQLValue { self }
    package init?(sqlValue: SQLValue) { self = sqlValue }
}

/// One row of a result.
package struct SQLRow: Sendable {
    /// The columns' names as the database gives them. PostgreSQL gives them in lower case.
    private let columns: [String]
    package let values: [SQLValue]

    package init(columns: [String], values: [SQLValue]) {
        self.columns = columns
        self.values = values
    }

    /// The value of a column, found without regard to the case of its name; nil where it is NULL.
    ///
    /// - Throws: ``InAppPurchase/LedgerUnavailable`` where there is no such column, or it holds something else.
    package func decodeIfPresent<Value: SQLConvertible>(
        _ column: String, as type: Value.Type = Value.self
    ) throws -> Value? {
        guard let index = columns.firstIndex(of: column) ?? columns.firstIndex(of: column.lowercased()),
            index < values.count
        else { throw LedgerUnavailable("the ledger's answer has no column \(column)") }
        if values[index] == .null { return nil }
        guard let value = Value(sqlValue: values[index]) else {
            throw LedgerUnavailable("the ledger's column \(column) holds no \(Value.self)")
        }
        return value
    }

    /// - Throws: as ``decodeIfPresent(_:as:)``, and where it is NULL.
    package func decode<Value: SQLConvertible>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        guard let value: Value = try decodeIfPresent(column) else {
            throw LedgerUnavailable("the ledger's column \(column) is NULL")
        }
        return value
    }

    package subscript<Value: SQLConvertible>(column: String) -> Value {
        get throws { try decode(column) }
    }

    package subscript<Value: SQLConvertible>(column: String) -> Value? {
        get throws { try decodeIfPresent(column) }
    }
}
