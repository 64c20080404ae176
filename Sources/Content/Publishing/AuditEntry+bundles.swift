import InAppPurchase
import Ledger

extension AuditEntry {
    /// The entry for a change of a version's state.
    init(_ kind: Kind, _ record: VersionRecord, after before: VersionRecord?, _ act: PublishingAct) {
        let manifest = record.manifest
        var content: [String: JSONValue] = [
            "bundle": .string(manifest.bundle.text), "version": .string(manifest.version.description),
            "files": .integer(manifest.files.count), "bytes": .integer(manifest.bytes),
        ]
        content["stateBefore"] = (before?.state.rawValue).map { .string($0) }
        self.init(
            kind, by: act.actor, subject: "\(manifest.bundle) \(manifest.version)", content: content, at: act.date)
    }

    /// The entry which says that this change was not made after all, and why.
    func undone(because reason: String) -> AuditEntry {
        var content = content
        content["reason"] = .string(reason)
        return AuditEntry(.bundleNotChanged, by: actor, subject: subject, content: content, at: date)
    }
}
