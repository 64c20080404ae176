import Foundation
import Ledger
import ServerHTTP
import StrictJSON

extension ReportBody {
    /// A row as strings: one for each column, or for each name in it.
    private typealias Cells = [String]

    /// The rows, the total and the apps that are not served for a terminal, in aligned columns.
    package var table: String {
        let columns = total.columns
        let header = [query.grouping.rawValue] + columns.map(\.rawValue)
        let lines =
            [header] + rows.map { Self.line($0, columns) } + [Self.line(total, columns)]
            + notServed.map { Self.line($0.total, columns, named: "not served: \($0.app)") }
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            zip(line.indices, zip(line, widths)).map { index, cell in
                // Columns with names are aligned left, as the first one is; numbers are aligned right.
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                let isNumber = index > 0 && !columns[index - 1].hasNames
                return isNumber ? space + cell.0 : cell.0 + space
            }
            .joined(separator: "  ").trimmedAtEnd
        }
        .joined(separator: "\n")
    }

    private static func line(_ row: Row, _ columns: [ReportColumn], named name: String = "total") -> Cells {
        [(row.name ?? name).withoutControlCharacters]
            + columns.map { column in
                guard row.columns.contains(column) else { return "-" }
                guard column.hasNames else { return String(row.tally[column]) }
                let named = row.tally.named(column).sorted { $0.key < $1.key }
                let parts = named.map { "\($0.key) \(column.isMoney ? Money.text($0.value) : String($0.value))" }
                return parts.isEmpty ? "-" : parts.joined(separator: ", ").withoutControlCharacters
            }
    }

    /// The rows as comma-separated values (RFC 4180), with a header. A column with names is a column for each of them,
    /// such as `revenue.EUR`.
    package var csv: String {
        let columns = rows.first?.columns ?? total.columns
        let names = Dictionary(
            uniqueKeysWithValues: columns.filter(\.hasNames).map { ($0, total.tally.named($0).keys.sorted()) })
        let header = columns.flatMap { column in
            column.hasNames ? (names[column] ?? []).map { "\(column.rawValue).\($0)" } : [column.rawValue]
        }
        let lines = rows.map { row in
            [row.name ?? ""]
                + columns.flatMap { column in
                    column.hasNames
                        ? (names[column] ?? []).map { String(row.tally.named(column)[$0] ?? 0) }
                        : [String(row.tally[column])]
                }
        }
        return ([[query.grouping.rawValue] + header] + lines)
            .map { $0.map(\.csvField).joined(separator: ",") }.joined(separator: "\n")
    }

    /// The rows, each as a JSON object on a line of its own.
    package func jsonLines() throws -> String { try rows.map { try $0.json }.joined(separator: "\n") }
}

extension String {
    /// The text in quotes if it needs them. Nothing in a report begins with a sign that a spreadsheet runs as a
    /// formula, but what a store wrote might.
    var csvField: String {
        let text = ["=", "+", "-", "@"].contains { hasPrefix($0) } ? "'" + self : self
        guard text.contains(where: { ",\"\r\n".contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
