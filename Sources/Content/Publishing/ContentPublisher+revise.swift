package import InAppPurchase
import Ledger

extension ContentPublisher {
    /// Stops offering a version; clients that ask for it by its number still get it. Idempotent.
    ///
    /// If the version is a folder made by hand, it is first imported into the content repository.
    ///
    /// - Throws: ``PublishRefusal``, and what the audit trail throws.
    package func yank(
        _ version: SemanticVersion, of bundle: BundleName, _ act: PublishingAct
    ) async throws -> PublishingOutcome {
        try await revise(version, of: bundle, .bundleYanked, act) { record throws(PublishRefusal) in
            if record.state == .draft { throw .state(.draft) }
            record.state = .yanked
        }
    }

    /// Offers a yanked version again. Idempotent.
    ///
    /// - Throws: ``PublishRefusal``, and what the audit trail throws.
    package func restore(
        _ version: SemanticVersion, of bundle: BundleName, _ act: PublishingAct
    ) async throws -> PublishingOutcome {
        try await revise(version, of: bundle, .bundleRestored, act) { record throws(PublishRefusal) in
            if record.state == .draft { throw .state(.draft) }
            record.state = .published
        }
    }

    /// Offers a version of the `beta` channel to everybody, as `stable`. Idempotent.
    ///
    /// If the version is a folder made by hand, it is first imported into the content repository.
    ///
    /// - Throws: ``PublishRefusal``, and what the audit trail throws.
    package func promote(
        _ version: SemanticVersion, of bundle: BundleName, _ act: PublishingAct
    ) async throws -> PublishingOutcome {
        try await revise(version, of: bundle, .bundlePromoted, act) { record throws(PublishRefusal) in
            guard record.state == .published else { throw .state(record.state) }
            record.channel = .stable
        }
    }

    private func revise(
        _ version: SemanticVersion, of bundle: BundleName, _ kind: AuditEntry.Kind, _ act: PublishingAct,
        _ edit: @escaping @Sendable (inout VersionRecord) throws(PublishRefusal) -> Void
    ) async throws -> PublishingOutcome {
        try await change(bundle, existing: version) { known in
            let kept = known.record(of: version)
            let before = if let kept { kept } else { try await adopted(version, of: bundle, known) }
            guard let before else { throw PublishRefusal.unknownVersion }
            var record = before
            try edit(&record)
            guard record != before else { return PublishingOutcome(record: before, isChanged: false) }
            return try await commit(record, after: before, among: known, kind, act)
        }
    }

    /// Imports the version's folder that was made by hand into the content repository; `nil` if there is no such
    /// folder.
    func adopted(
        _ version: SemanticVersion, of bundle: BundleName, _ known: KnownVersions
    ) async throws -> VersionRecord? {
        guard let folder = try await blocking({ try known.folder(of: version) }) else { return nil }
        let manifest = try VersionPlan(bundle: bundle, version: folder.version ?? version)
            .manifest(files: folder.manifestFiles)
        try await store.add(folder, manifest) { _ in }
        return VersionRecord(manifest: manifest, state: .published)
    }
}
