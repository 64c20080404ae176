import Foundation
import InAppPurchase
package import Ledger
import ServerHTTP

/// A page of the audit trail, the newest row first, as `audit list --json` prints it.
package struct AuditListBody: Encodable {
    package var rows: [AuditRowBody]
    /// The value of `--before` for the next page; omitted on the last page. A page looks at no more than
    /// ``/Ledger/AuditFilter/maximumLookedAt`` rows, so it may be empty while the next one is not.
    package var next: Int?
    private let isShort: Bool

    private enum CodingKeys: String, CodingKey { case rows, next }

    /// - Parameter limit: that of the page.
    package init(_ page: AuditRowPage, limit: Int) {
        rows = page.rows.map(AuditRowBody.init)
        next = page.next
        isShort = page.rows.count < limit
    }

    package func table(for output: TextOutput) throws -> TextTable {
        TextTable(
            ["Row", "When", "Event", "By", "Account", "Subject", "Content"],
            try rows.map { row in
                [
                    "\(row.sequence)", output.time(row.at), row.kind, row.actor ?? "", row.account ?? "",
                    row.subject ?? "", try Self.text(of: row.content, for: output),
                ]
            })
    }

    /// The content in words for people; as JSON for programs, or empty if it was erased.
    private static func text(of content: JSONValue?, for output: TextOutput) throws -> String {
        guard let content else { return output.isTerminal ? "erased" : "" }
        return output.isTerminal ? content.words(output) : try content.json
    }

    /// The line that tells how to list the next page.
    package var remarks: [String] {
        guard let next else { return [] }
        let more = "--before \(next)"
        return [
            isShort
                ? "\(AuditFilter.maximumLookedAt) rows were looked at; there may be more: \(more)"
                : "there are more: \(more)"
        ]
    }
}

/// A row of the audit trail, as `GET /admin/v1/audit` returns it and `audit list --json` prints it.
package struct AuditRowBody: Encodable {
    var sequence: Int
    var at: Date
    var kind: String
    var actor: String?
    var account: String?
    var subject: String?
    /// The content; `nil` if it was erased.
    var content: JSONValue?

    init(_ row: AuditRow) {
        sequence = row.sequence
        at = row.date
        kind = row.kind
        actor = row.actor
        account = row.account?.text
        subject = row.subject
        content = row.content.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
    }
}
