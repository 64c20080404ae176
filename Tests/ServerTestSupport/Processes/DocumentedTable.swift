import Foundation

/// A table of a page of the documentation.
package struct DocumentedTable {
    /// Names of the columns, without markup.
    package var columns: [String]
    /// Cells by column, without markup.
    package var rows: [[String: String]]

    /// Every table of a page, in order.
    ///
    /// - Parameter page: its path in the checkout.
    package static func all(in page: String) throws -> [DocumentedTable] {
        let text = try String(contentsOfFile: Project.folder(page), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let blocks = lines.split { !$0.hasPrefix("|") }
        return blocks.filter { $0.count > 2 }.map { block in
            let columns = cells(block[block.startIndex])
            let rows = block.dropFirst(2).map { line in Dictionary(zip(columns, cells(line))) { first, _ in first } }
            return DocumentedTable(columns: columns, rows: rows)
        }
    }

    private static func cells(_ line: Substring) -> [String] {
        let inside = line.trimmingPrefix("|")
        return inside.split(separator: "|", omittingEmptySubsequences: false).dropLast().map { cell in
            cell.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }.replacing("`", with: "")
                .trimmingCharacters(in: .whitespaces)
        }
    }
}
