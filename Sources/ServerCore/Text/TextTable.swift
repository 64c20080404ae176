import ServerHTTP

/// Rows of text for a terminal, or for the next program in a pipe.
package struct TextTable: Sendable {
    package var columns: [String]
    /// The rows, each with as many cells as there are columns.
    package var rows: [[String]]

    package init(_ columns: [String], _ rows: [[String]] = []) {
        self.columns = columns
        self.rows = rows
    }

    /// The same table without what could control a terminal: apps and players choose names.
    package var withoutControlCharacters: TextTable {
        TextTable(columns, rows.map { $0.map(\.withoutControlCharacters) })
    }

    /// The same table without the columns in which no row has anything.
    var withoutEmptyColumns: TextTable {
        let filled = columns.indices.filter { index in rows.contains { !($0.dropFirst(index).first ?? "").isEmpty } }
        func kept(_ cells: [String]) -> [String] { filled.compactMap { cells.dropFirst($0).first } }
        return TextTable(kept(columns), rows.map(kept))
    }

    /// The table as text: on a terminal with headings and columns of equal width; otherwise a line for each row, its
    /// cells separated by tabs, without heading and padding, for `cut` and `sort`.
    package func text(for output: TextOutput) -> String {
        output.isTerminal
            ? aligned : rows.map { $0.map(Self.withoutTabs).joined(separator: "\t") }.joined(separator: "\n")
    }

    /// The table with headings and columns of equal width.
    package var aligned: String {
        let rows = rows.map { $0.map(Self.withoutTabs) }
        let widths = columns.indices.map { index in
            ([columns] + rows).map { Self.width($0.dropFirst(index).first ?? "") }.max() ?? 0
        }
        let lines = ([columns.map { $0.uppercased() }] + rows).map { cells in
            zip(cells, widths).map { Self.padded($0, to: $1) }.joined(separator: "  ").trimmedAtEnd
        }
        return lines.joined(separator: "\n")
    }

    private static func padded(_ cell: String, to width: Int) -> String {
        cell + String(repeating: " ", count: max(0, width - Self.width(cell)))
    }

    /// The number of characters, without the colour sequences.
    private static func width(_ cell: String) -> Int {
        cell.count - (cell.hasPrefix("\u{1B}[") ? TextOutput.Colour.length : 0)
    }

    private static func withoutTabs(_ cell: String) -> String {
        String(cell.map { $0 == "\t" || $0.isNewline ? " " : $0 })
    }
}
