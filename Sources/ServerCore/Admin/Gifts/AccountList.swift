import Foundation
import HTTPTypes
package import ServerHTTP

/// The accounts that a file names, one a line, by their IDs or external IDs.
package struct AccountList: Sendable {
    /// The maximum number of lines: two short transactions for each are done in the time of one request.
    package static let maximumLines = 1_000
    /// The maximum size of a file, also of one with further columns.
    package static let maximumBytes = 256 << 10

    /// The names in the order of the file; empty for a line that names nobody.
    package let names: [String]

    /// The names with the numbers of their lines, from 1.
    var numbered: [(line: Int, name: String)] {
        names.enumerated().map { ($0.offset + 1, $0.element) }.filter { !$0.name.isEmpty }
    }

    /// - Throws: 422 if there are none, or more than ``maximumLines``.
    package init(names: [String]) throws {
        self.names = names.map(\.trimmed)
        guard self.names.contains(where: { !$0.isEmpty }), names.count <= Self.maximumLines else {
            throw Problem.wrongAccountList
        }
    }

    /// Reads a file with one account a line; of a CSV file the first column.
    ///
    /// - Throws: 422 if it names nobody, or has more than ``maximumLines`` lines or ``maximumBytes`` bytes.
    package init(file text: String) throws {
        guard text.utf8.count <= Self.maximumBytes else { throw Problem.wrongAccountList }
        // Spreadsheets begin a file with a byte order mark.
        let marked = text.unicodeScalars.first == "\u{FEFF}"
        let lines = String(text.unicodeScalars.dropFirst(marked ? 1 : 0))
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let last = lines.lastIndex { !String($0).trimmed.isEmpty } ?? 0
        try self.init(names: lines.prefix(last + 1).map { Self.firstColumn(String($0).trimmed) })
    }

    private static func firstColumn(_ line: String) -> String {
        guard line.hasPrefix("\"") else { return String(line.prefix { !",;\t".contains($0) }) }
        // A quote inside quotes is doubled (RFC 4180 §2.7).
        guard let column = line.prefixMatch(of: /"((?:[^"]|"")*)"/)?.output.1 else { return line }
        return String(column).replacing("\"\"", with: "\"")
    }
}

extension Problem {
    package static let wrongAccountList = Problem(
        .unprocessableContent, "invalid_request", "The list of accounts cannot be taken",
        detail: "accounts: 1 to \(AccountList.maximumLines) lines, each with the ID or the external ID of an account, "
            + "in at most \(AccountList.maximumBytes) bytes")
}
