import Foundation

/// One run of a download, from the manifest to a version that can be installed. Another run continues where it ended.
struct DownloadRun: Sendable {
    let bundle: String
    let tools: DownloadTools
    let control: DownloadControl

    /// Downloads the newest version.
    ///
    /// - Parameter install: makes the version the installed one.
    /// - Throws: ``DownloadError``, or `CancellationError`.
    func run(install: @Sendable (BundleRecord) async throws -> Void) async throws {
        var fruitless = 0
        var attempts = BundleLimits.firstAttempts
        try tools.folder.change(bundle, now: tools.clock.now()) { download in
            download.network = control.wanted.network
            download.isPaused = false
        }
        while true {
            control.update { $0.phase = .checking }
            let start = tools.clock.uptime()
            let checked = try await manifest(attempts: attempts)
            attempts = BundleLimits.fruitlessAttempts
            let before = control.progress.received
            do {
                return try await download(checked, install: install)
            } catch ContentRefusal.link {
                // The links have expired, or the version is gone: the manifest has others, and what is here stays.
                fruitless = control.progress.received > before ? 0 : fruitless + 1
                guard fruitless < BundleLimits.fruitlessManifests else { throw DownloadError.offline }
                let wait = BundleLimits.manifestInterval - (tools.clock.uptime() - start)
                if wait > .zero { try await tools.clock.sleep(wait) }
            }
        }
    }

    private func download(
        _ checked: CheckedManifest, install: @Sendable (BundleRecord) async throws -> Void
    ) async throws {
        let folder = tools.folder
        let now = tools.clock.now()
        try folder.change(bundle, now: now) { download in
            if download.manifest != checked.manifest.sha256 { download.fetched = nil }
            download.manifest = checked.manifest.sha256
            download.version = checked.manifest.version.text
            download.content = DownloadPlan.content(of: checked)
            download.at = now
        }
        let canPatch = tools.patches != nil
        let plan = try await FileWork.run { try DownloadPlan(checked, in: folder, canPatch: canPatch) }
        try checkSpace(for: plan)
        let whole = try folder.change(bundle, now: now) { download in
            download.fetched = (download.fetched ?? [:]).merging(plan.fetched) { $1 }
        }
        // What an earlier launch finished counts as well.
        let total = max((whole.fetched ?? [:]).values.reduce(0, +), plan.total)
        control.update { progress in
            progress.version = checked.manifest.version.text
            progress.received = plan.received + total - plan.total
            progress.total = total
            progress.phase = .downloading
        }
        try await fetch(plan)
        control.update { $0.phase = .installing }
        try await assemble(checked, install: install)
    }

    /// The manifest, requested until the server answers.
    private func manifest(attempts: Int) async throws -> CheckedManifest {
        var backoff = Backoff(base: BundleLimits.firstWait, maximum: BundleLimits.maximumWait)
        for _ in 1..<attempts {
            do {
                return try await askForManifest()
            } catch {
                if let error = DownloadError(final: error) { throw error }
                let retryAfter = (error as? ServerProblem)?.retryAfter
                try await tools.clock.sleep(backoff.next(fraction: tools.clock.fraction(), retryAfter: retryAfter))
            }
        }
        return try await askForManifest()
    }

    private func askForManifest() async throws -> CheckedManifest {
        _ = try await tools.session.open()
        return try await tools.manifests.manifest(of: bundle)
    }

    private func checkSpace(for plan: DownloadPlan) throws {
        // Some volumes state 0 whatever there is; on a full one the next write fails.
        guard plan.space > 0, let available = tools.freeSpace(tools.folder.root), available > 0 else { return }
        let needed = plan.space + BundleLimits.spareBytes
        guard needed <= available else { throw DownloadError.noSpace(needed: needed, available: available) }
    }

    /// Fetches all that is missing, several files at once.
    private func fetch(_ plan: DownloadPlan) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var rest = plan.items[...]
            for item in rest.prefix(tools.turns.limit) { group.addTask { try await fetch(item) } }
            rest = rest.dropFirst(tools.turns.limit)
            while try await group.next() != nil {
                if let item = rest.popFirst() { group.addTask { try await fetch(item) } }
            }
        }
    }

    private func fetch(_ item: DownloadPlan.Item) async throws {
        let options = control.wanted
        let networks = AllowedNetworks(
            allowsExpensive: options.network == .any, allowsConstrained: tools.usesConstrainedNetworks)
        try await FileDownload(
            tools: tools, item: item, networks: networks, isFirst: options.isFirst, received: { control.receive($0) },
            total: grow
        ).run()
    }

    private func grow(by bytes: Int) { control.update { $0.total = max($0.total + bytes, 0) } }

    private func assemble(
        _ checked: CheckedManifest, install: @Sendable (BundleRecord) async throws -> Void
    ) async throws {
        let manifest = checked.manifest
        let folder = tools.folder
        let earlier = folder.record(bundle).loadIfReadable()
        let isInstalled = try await FileWork.run {
            earlier.map { $0.manifest == manifest.sha256 && folder.isComplete($0) } ?? false
        }
        let new = "\(manifest.version.text)-\(UUID().uuidString.prefix(8))"
        let name = isInstalled ? earlier?.folder ?? new : new
        let version = folder.version(name, of: bundle)
        // Until its record is written, nothing else says that it is needed.
        let hold = tools.holds.hold(version)
        let confirmation = checked.answer.delivery.map {
            BundleRecord.Confirmation(delivery: $0, sha256: manifest.sha256)
        }
        if !isInstalled { try await FileWork.run { try folder.assemble(manifest.files, at: version) } }
        try await install(
            BundleRecord(
                bundle: bundle, version: manifest.version.text, folder: name, files: manifest.files,
                manifest: manifest.sha256, entityTag: checked.entityTag,
                unconfirmed: confirmation.map { [$0] } ?? [], delivery: checked.answer.delivery))
        withExtendedLifetime(hold) {}
    }
}

/// The parts that all downloads of a store use.
struct DownloadTools: Sendable {
    let session: AccountSession
    let manifests: ManifestSource
    let fetch: ContentFetch
    let folder: BundleFolder
    let holds: VersionHolds
    let turns: FileTurns
    let patches: (any PatchDecoder)?
    let usesConstrainedNetworks: Bool
    let clock: ClientClock
    /// The bytes that are free where a folder is, if that is known.
    let freeSpace: @Sendable (URL) -> Int?
}
