import Foundation
import InAppPurchase
import Ledger

/// A row of the audit trail, as `GET /admin/v1/audit` returns it and `audit list --json` prints it.
struct AuditRowBody: Encodable {
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
