package import Foundation
package import InAppPurchase
package import Ledger
import ServerHTTP

/// The result of an edit of the catalog, with what the audit trail records about it.
package protocol RecordedChange: Sendable {
    var app: BundleID { get }
    /// The product; `nil` for a change of an app.
    var changedProduct: ProductID? { get }
    var outcome: CatalogChange.Outcome { get }
    /// The bytes of the entry before; `nil` if there was none.
    var before: Data? { get }
    /// The bytes of the entry after; `nil` if it was removed.
    var after: Data? { get }
    /// The catalog before and after; the same if nothing changed.
    var files: (old: CatalogFile, new: CatalogFile) { get set }
    /// The kind of its row in the audit trail.
    var auditKind: AuditEntry.Kind { get }
    /// The kind of the row that retracts it, since it did not happen after all.
    var retractionKind: AuditEntry.Kind { get }
}

extension RecordedChange {
    /// The product ID or bundle ID, by which the rows of the audit trail are found.
    package var subject: String { changedProduct?.text ?? app.text }

    /// The entries before and after as JSON; `null` where there is none.
    package var entries: (before: JSONValue, after: JSONValue) { (before?.value ?? .null, after?.value ?? .null) }

    /// The content of the audit row.
    package func content(_ reason: EditReason?) -> [String: JSONValue] {
        var content: [String: JSONValue] = [
            "app": .string(app.text), "before": entries.before, "after": entries.after,
            "revisionBefore": .string(files.old.revision), "revisionAfter": .string(files.new.revision),
        ]
        content["reason"] = reason.map { .string($0.text) }
        return content
    }
}

extension Data {
    fileprivate var value: JSONValue? { try? JSONDecoder().decode(JSONValue.self, from: self) }
}
