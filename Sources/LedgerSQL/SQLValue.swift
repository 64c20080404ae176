public import Foundation
import InAppPurchase

/// What stands in a column, or is handed to a statement.
public enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int)
    case text(String)
    case blob(Data)
}

/// A type that a column can hold.
public protocol SQLConvertible: Sendable {
    var sqlValue: SQLValue { get }
    /// Nil where the value is of another kind.
    init?(sqlValue: SQLValue)
}

extension Int: SQLConvertible {
    public var sqlValue: SQLValue { .integer(self) }
    public init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self = number
    }
}

extension String: SQLConvertible {
    public var sqlValue: SQLValue { .text(self) }
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self = text
    }
}

/// A text is read as its UTF-8.
extension Data: SQLConvertible {
    public var sqlValue: SQLValue { .blob(self) }
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .blob(let data): self = data
        case .text(let text): self = Data(text.utf8)
        case .null, .integer: return nil
        }
    }
}

/// 0 and 1 where the database has no type for it.
extension Bool: SQLConvertible {
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
    public init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self = number != 0
    }
}

/// Any of them.
extension SQLValue: SQLConvertible {
    public var sqlValue: SQLValue { self }
    public init?(sqlValue: SQLValue) { self = sqlValue }
}

/// One row of a result.
public struct SQLRow: Sendable {
    /// The columns' names as the database gives them. PostgreSQL gives them in lower case.
    private let columns: [String]
    public let values: [SQLValue]

    public init(columns: [String], values: [SQLValue]) { (self.columns, self.values) = (columns, values) }

    /// The value of a column, found without regard to the case of its name; nil where it is NULL.
    ///
    /// - Throws: ``InAppPurchase/LedgerUnavailable`` where there is no such column, or it holds something else.
    public func decodeIfPresent<Value: SQLConvertible>(
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
    public func decode<Value: SQLConvertible>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        guard let value: Value = try decodeIfPresent(column) else {
            throw LedgerUnavailable("the ledger's column \(column) is NULL")
        }
        return value
    }

    public subscript<Value: SQLConvertible>(column: String) -> Value {
        get throws { try decode(column) }
    }

    public subscript<Value: SQLConvertible>(column: String) -> Value? {
        get throws { try decodeIfPresent(column) }
    }
}
