/// A type that a column can hold.
package protocol SQLConvertible: Sendable {
    var sqlValue: SQLValue { get }
    /// Converts the value; `nil` if it is of another kind.
    init?(sqlValue: SQLValue)
}
