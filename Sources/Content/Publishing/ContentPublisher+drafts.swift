package import InAppPurchase
import Ledger

/// Publication in steps: create a draft, upload its files, publish it.
extension ContentPublisher {
    /// Creates a draft from the manifest of a version whose files will be uploaded. Idempotent: the same manifest again
    /// changes nothing.
    ///
    /// - Parameter isPatch: as in ``VersionPlan``; also applied if the draft was created without it.
    /// - Returns: the version with the hashes of missing files; with another state than draft if it was published
    ///   before.
    /// - Throws: ``PublishRefusal``, and what the audit trail throws.
    package func draft(
        _ manifest: Manifest, isPatch: Bool, channel: ReleaseChannel? = nil, _ act: PublishingAct
    ) async throws -> PublishingOutcome {
        try ManifestCheck.check(manifest)
        return try await change(manifest.bundle, existing: nil) { known in
            let existing = try await blocking { try known.existingVersion(matching: manifest, isPatch: isPatch) }
            let draft = VersionRecord(manifest: manifest, state: .draft, isPatch: isPatch, channel: channel)
            var outcome: PublishingOutcome
            if let existing, existing.state != .draft || existing == draft {
                outcome = PublishingOutcome(record: existing, isChanged: false)
            } else {
                outcome = try await commit(draft, after: existing, among: known, .bundleDrafted, act)
            }
            outcome.missing = try await store.missing(from: manifest)
            outcome.programs = try await store.programs(in: manifest)
            return outcome
        }
    }

    /// Publishes a draft whose files have all been uploaded. Idempotent: the second time nothing changes.
    ///
    /// - Throws: ``PublishRefusal``, and what the audit trail throws.
    package func publish(
        _ version: SemanticVersion, of bundle: BundleName, _ act: PublishingAct
    ) async throws -> PublishingOutcome {
        try await change(bundle, existing: version) { known in
            guard let draft = known.record(of: version) else { throw PublishRefusal.unknownVersion }
            let programs = try await store.programs(in: draft.manifest)
            guard draft.state == .draft else {
                guard draft.state == .published else { throw PublishRefusal.state(draft.state) }
                return PublishingOutcome(record: draft, isChanged: false, programs: programs)
            }
            let missing = try await store.missing(from: draft.manifest)
            guard missing.isEmpty else { throw PublishRefusal.missing(missing) }
            try await blocking { try known.checkNumber(of: draft.manifest, isPatch: draft.isPatch) }
            try await store.sync(draft.manifest)
            var published = draft
            (published.state, published.publishedAt) = (.published, act.date)
            var outcome = try await commit(published, after: draft, among: known, .bundlePublished, act)
            outcome.programs = programs
            return outcome
        }
    }

    /// Deletes a draft; its files stay in the content repository until ``ContentCollector`` removes them.
    ///
    /// - Throws: ``PublishRefusal``, and what the audit trail throws.
    package func discard(_ version: SemanticVersion, of bundle: BundleName, _ act: PublishingAct) async throws {
        try await change(bundle, existing: version) { known in
            guard let draft = known.record(of: version) else { throw PublishRefusal.unknownVersion }
            guard draft.state == .draft else { throw PublishRefusal.state(draft.state) }
            try await recorded(draft, after: draft, .bundleDiscarded, act) {
                try await store.remove(draft, among: known)
            }
        }
    }
}
