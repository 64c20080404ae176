public import InAppPurchase

extension ContentPublisher {
    /// Offers a version no longer; those who ask for it by its number still get it. The second time nothing changes.
    ///
    /// One that a folder was made for by hand is taken into the store first.
    ///
    /// - Throws: ``PublishRefusal``, and what the audit trail throws.
    public func yank(
        _ version: SemanticVersion, of bundle: BundleName, _ act: PublishingAct
    ) async throws -> PublishingOutcome {
        try await change(bundle, existing: version) { known in
            var found = known.record(of: version)
            if found == nil { found = try await adopted(version, of: bundle, known) }
            guard let before = found else { throw PublishRefusal.unknownVersion }
            switch before.state {
            case .draft: throw PublishRefusal.state(.draft)
            case .yanked: return PublishingOutcome(record: before, isChanged: false)
            case .published:
                var record = before
                record.state = .yanked
                return try await commit(record, after: before, .bundleYanked, act)
            }
        }
    }

    /// Offers a yanked version again. The second time nothing changes.
    ///
    /// - Throws: ``PublishRefusal``, and what the audit trail throws.
    public func restore(
        _ version: SemanticVersion, of bundle: BundleName, _ act: PublishingAct
    ) async throws -> PublishingOutcome {
        try await change(bundle, existing: version) { known in
            guard let before = known.record(of: version) else { throw PublishRefusal.unknownVersion }
            switch before.state {
            case .draft: throw PublishRefusal.state(.draft)
            case .published: return PublishingOutcome(record: before, isChanged: false)
            case .yanked:
                var record = before
                record.state = .published
                return try await commit(record, after: before, .bundleRestored, act)
            }
        }
    }

    /// The version of a folder that was made by hand, its files in the store; nil where there is none.
    func adopted(
        _ version: SemanticVersion, of bundle: BundleName, _ known: KnownVersions
    ) async throws -> VersionRecord? {
        guard let folder = try await blocking({ try known.folder(of: version) }) else { return nil }
        let manifest = try VersionPlan(bundle: bundle, version: folder.version ?? version)
            .manifest(files: folder.manifestFiles)
        try await add(folder, manifest)
        return VersionRecord(manifest: manifest, state: .published)
    }
}
