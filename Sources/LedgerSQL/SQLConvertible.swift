/// A type that a column can hold.
package protocol SQLConvertible: Sendable {
    var sqlValue: SQLValue { get }
    /// Nil where the value is of another kind.
    init?(sqlValue: SQLValue)
}
