package import InAppPurchase
import Ledger

/// One row of a result.
package struct SQLRow: Sendable {
    /// The columns' names as the database reports them. PostgreSQL reports them in lower case.
    private let columns: [String]
    package let values: [SQLValue]

    package init(columns: [String], values: [SQLValue]) {
        self.columns = columns
        self.values = values
    }

    /// The value of a column, whose name is case-insensitive; `nil` if it is NULL.
    ///
    /// - Throws: ``/Ledger/LedgerUnavailable`` if there is no such column, or its value is of another type.
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

    /// - Throws: like ``decodeIfPresent(_:as:)``, and if it is NULL.
    package func decode<Value: SQLConvertible>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        guard let value: Value = try decodeIfPresent(column) else {
            throw LedgerUnavailable("the ledger's column \(column) is NULL")
        }
        return value
    }

    package subscript<Value: SQLConvertible>(column: String) -> Value { get throws { try decode(column) } }

    package subscript<Value: SQLConvertible>(column: String) -> Value? { get throws { try decodeIfPresent(column) } }
}

/// A type that a column can hold.
package protocol SQLConvertible: Sendable {
    var sqlValue: SQLValue { get }
    /// Converts the value; `nil` if it is of another kind.
    init?(sqlValue: SQLValue)
}

// An identifier is in a column as its plain text. A new type of identifier is named here to be stored.
extension BundleID: SQLConvertible {}
extension BundleName: SQLConvertible {}
extension Currency: SQLConvertible {}
extension ProductID: SQLConvertible {}
extension TransactionID: SQLConvertible {}

extension Identifier where Self: SQLConvertible {
    package var sqlValue: SQLValue { text.sqlValue }

    package init?(sqlValue: SQLValue) {
        guard let text = String(sqlValue: sqlValue) else { return nil }
        self.init(stored: text)
    }
}
