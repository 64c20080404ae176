import Foundation
import Testing

/// docs/app/errors.md, whose tables are made of these words.
struct ErrorsPage {
    private let text: String

    init() throws {
        let project = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        text = try String(contentsOf: project.appending(path: "docs/app/errors.md"), encoding: .utf8)
    }

    /// The rows of a section's first table, their cells by the column's title; for `this`, the text is `this`.
    func rows(under heading: String) throws -> [[String: String]] {
        let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix(heading) }, "\(heading)")
        let lines = section.components(separatedBy: "\n").drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        let cells = lines.map { line in
            line.components(separatedBy: "|").dropFirst().dropLast().map { cell in
                cell.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "`", with: "")
            }
        }
        let titles = try #require(cells.first)
        return cells.dropFirst(2).map { Dictionary(zip(titles, $0), uniquingKeysWith: { first, _ in first }) }
    }

    /// Whether a transaction may be finished, by `outcome` or `outcome/reason`.
    func outcomes() throws -> [String: Bool] {
        try Dictionary(
            rows(under: "A transaction's").map { row in
                let reason = row["reason"] ?? ""
                return (row["outcome", default: ""] + (reason.isEmpty ? "" : "/\(reason)"), row["finish"] == "true")
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Why a receipt is rejected. Nothing of it may be finished.
    func rejections() throws -> [String] { try rows(under: "A rejected receipt's").map { $0["reason", default: ""] } }
}
