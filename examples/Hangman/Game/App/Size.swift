/// The size of a terminal, in characters.
package struct Size: Sendable, Equatable {
    package let columns: Int
    package let rows: Int

    /// For a terminal that does not tell its size.
    package static let standard = Size(columns: 80, rows: 24)
    /// The screens are complete from this size on.
    package static let minimum = Size(columns: 60, rows: 20)
    /// More than this is not drawn.
    private static let maximum = Size(columns: 500, rows: 200)

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The size that a terminal tells. One of 0 by 0, as there is without a window, counts as ``standard``.
    package init(told columns: Int, _ rows: Int) {
        self.columns = columns > 0 ? min(columns, Self.maximum.columns) : Self.standard.columns
        self.rows = rows > 0 ? min(rows, Self.maximum.rows) : Self.standard.rows
    }
}
