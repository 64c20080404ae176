import ServerCore

/// A table with a caption. Where it has no rows, a sentence stands in its place.
package struct Table: Sendable {
    package struct Row: Sendable {
        package var cells: [Cell]
    }

    package let caption: String
    package let columns: [String]
    package let rows: [Row]
    let hasRows: Bool
    /// The sentence in place of a table without rows.
    package let empty: String

    /// - Parameter rows: each with a cell for every column.
    package init(_ caption: String, columns: [String], rows: [[Cell]], empty: String = "None.") {
        self.caption = caption
        self.columns = columns
        self.empty = empty
        hasRows = !rows.isEmpty
        self.rows = rows.map { cells in
            Row(
                cells: zip(columns, cells).map { column, cell in
                    var cell = cell
                    cell.label = column
                    return cell
                })
        }
    }
}
