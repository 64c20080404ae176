public import InAppPurchase

extension ContentPublisher {
    /// Offers everybody a version that was on the channel beta. The second time nothing changes.
    ///
    /// One that a folder was made for by hand is taken into the store first.
    ///
    /// - Throws: ``PublishRefusal``, and what the audit trail throws.
    public func promote(
        _ version: SemanticVersion, of bundle: BundleName, _ act: PublishingAct
    ) async throws -> PublishingOutcome {
        try await change(bundle, existing: version) { known in
            var found = known.record(of: version)
            if found == nil { found = try await adopted(version, of: bundle, known) }
            guard let before = found else { throw PublishRefusal.unknownVersion }
            guard before.state == .published else { throw PublishRefusal.state(before.state) }
            guard before.channel != .stable else { return PublishingOutcome(record: before, isChanged: false) }
            var record = before
            record.channel = .stable
            return try await commit(record, after: before, .bundlePromoted, act)
        }
    }
}
