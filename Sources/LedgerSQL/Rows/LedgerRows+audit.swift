import Crypto
import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    /// The maximum number of rows of the audit trail that one statement inserts: more than a usual write appends.
    static let auditRowsPerStatement = 16

    /// Appends a row to the audit trail. It is gathered with the others of this write, and inserted by
    /// ``insertAudit()``, which is called at the end of the write and before the trail is read.
    func append(_ entry: AuditEntry) throws {
        let content = try JSON.encode(entry.content)
        pending.audit.append([
            .integer(entry.date.milliseconds), .text(entry.kind.rawValue), .maybe(entry.actor?.name),
            .maybe(entry.account?.text), .maybe(entry.subject), .text(content),
            .blob(Data(SHA256.hash(data: Data(content.utf8)))),
        ])
        if pending.audit.count >= Self.auditRowsPerStatement { try insertAudit() }
    }

    /// Inserts the gathered rows of the audit trail, in their order.
    func insertAudit() throws {
        guard !pending.audit.isEmpty else { return }
        let gathered = pending.audit
        pending.audit = []
        for start in stride(from: 0, to: gathered.count, by: Self.auditRowsPerStatement) {
            let rows = gathered.dropFirst(start).prefix(Self.auditRowsPerStatement)
            guard let statement = Self.insertions.dropFirst(rows.count - 1).first else { return }
            try send(statement, values: Array(rows.joined()))
        }
    }

    /// One statement for each number of rows, from 1 on.
    private static let insertions = (1...auditRowsPerStatement).map { count in
        let rows = Array(repeating: "(?, ?, ?, ?, ?, ?, ?)", count: count).joined(separator: ", ")
        return SQLStatement(
            constant: "INSERT INTO audit (at, kind, actor, account, subject, content, contentHash) VALUES \(rows)")
    }
}
