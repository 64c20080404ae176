public import Foundation

/// The bundles on this device: downloads, installed versions, and the confirmations for the server.
actor BundleStore {
    let tools: DownloadTools
    private let board = ProgressBoard()
    private(set) var records: [String: BundleRecord] = [:]
    var isConfirming = false
    private var isStopped = false

    /// - Parameters:
    ///   - folder: used by this store alone; the owner of the store holds the folder's lock.
    ///   - content: sends the requests for content; without it, the transport of `api`.
    ///   - patches: applies patches; without it, changed files are downloaded whole.
    /// - Throws: if the folder cannot be made.
    init(
        folder: URL, api: API, session: AccountSession, keys: ManifestKeys,
        content: (any ContentTransport)? = nil, patches: (any PatchDecoder)?, clock: ClientClock, time: ServerTime,
        appVersion: String?, usesConstrainedNetworks: Bool = false,
        freeSpace: @escaping @Sendable (URL) -> Int? = { FreeSpace.bytes(at: $0) }
    ) throws {
        let folder = BundleFolder(root: folder)
        try folder.prepare()
        let content = content ?? api.transport
        let manifests = ManifestSource(
            session: session, keys: keys, folder: folder, time: time, appVersion: appVersion,
            linkLifetime: content.isBackground ? BundleLimits.backgroundLinkLifetime : nil)
        tools = DownloadTools(
            session: session, manifests: manifests,
            fetch: ContentFetch(api: api, transport: content, clock: clock), folder: folder, holds: VersionHolds(),
            turns: FileTurns(
                limit: content.isBackground ? BundleLimits.backgroundFiles : BundleLimits.concurrentFiles),
            patches: patches, usesConstrainedNetworks: usesConstrainedNetworks, clock: clock, freeSpace: freeSpace)
        records = folder.readableRecords()
        board.show(unfinished: folder.readableUnfinished().map { (folder.progress(of: $0), $0.network ?? .any) })
    }

    // MARK: Downloads

    /// Downloads and installs the newest version that fits the app. A paused download continues; one that is running is
    /// returned.
    nonisolated func download(_ bundle: String, _ options: DownloadControl.Options? = nil) -> BundleDownload {
        let control = board.control(of: bundle)
        if let options { control.want(options) }
        start(control)
        return BundleDownload(control, of: bundle, in: self)
    }

    /// Goes on with the downloads that nobody paused and that may succeed now: those of an earlier launch, and those
    /// that failed.
    func resumeUnfinished() async {
        for download in tools.folder.readableUnfinished() where download.isPaused == false {
            switch board.snapshot[download.bundle]?.phase {
            case .checking, .downloading, .installing: continue
            case .failed(let error) where !error.passes: continue
            default: break
            }
            _ = self.download(download.bundle, .init(network: download.network ?? .any))
        }
        await retainContent()
    }

    /// Waits until a transport that works without the app has the next requests, after the system has woken the app
    /// for what has arrived; at most as long as the system allows.
    func prepareForSuspension() async {
        let start = tools.clock.uptime()
        while tools.clock.uptime() - start < BundleLimits.backgroundWake {
            let isBusy = board.snapshot.values.contains { $0.phase == .checking || $0.phase == .installing }
            let background = tools.fetch.transport as? BackgroundTransport
            guard isBusy || background?.hasUnclaimed == true else { return }
            guard (try? await tools.clock.sleep(.milliseconds(100))) != nil else { return }
        }
    }

    /// Has a transport that works without the app end what no download needs now.
    private func retainContent() async {
        guard tools.fetch.transport.isBackground, let all = try? tools.folder.unfinishedDownloads() else { return }
        func content(_ downloads: [UnfinishedDownload]) -> Set<String> {
            Set(downloads.flatMap(\.content).map(\.text))
        }
        let running = content(all.filter { $0.isPaused == false })
        await tools.fetch.transport.retain(content(all), paused: content(all).subtracting(running))
    }

    /// The progress of each bundle that was downloaded since the app was started or that an earlier launch left, by its
    /// name.
    nonisolated var progress: [String: DownloadProgress] { board.snapshot }

    /// The latest ``progress``, then each change; a slow reader misses all but the newest.
    nonisolated func progressChanges() -> AsyncStream<[String: DownloadProgress]> { board.watch() }

    /// Stops all downloads for good and keeps what was fetched. When this returns, none runs and nothing is written.
    func stop() async {
        for control in board.all { _ = await control.stop(.pause) }
        isStopped = true
    }

    /// Pauses the downloads that run.
    ///
    /// - Returns: their bundles.
    func pauseAll() async -> [String] {
        var paused: [String] = []
        for control in board.all where await control.stop(.pause) { paused.append(control.progress.bundle) }
        return paused
    }

    /// Reads what is installed anew: another process may have changed it.
    func readAgain() { records = tools.folder.readableRecords() }

    nonisolated func start(_ control: DownloadControl) { control.start { await self.run(control) } }

    /// Stops it until the player goes on with it, also after a relaunch. Also one that failed and would go on by
    /// itself.
    nonisolated func pause(_ control: DownloadControl) async {
        _ = await control.stop(.pause)
        await hold(control.progress.bundle)
    }

    private func hold(_ bundle: String) async {
        let folder = tools.folder
        guard folder.unfinished(bundle).loadIfReadable() != nil else { return }
        _ = try? folder.change(bundle, now: tools.clock.now()) { $0.isPaused = true }
        await retainContent()
    }

    nonisolated func cancel(_ control: DownloadControl) async {
        if await control.stop(.cancel) { return }
        // It was paused, or is over.
        if control.progress.isLast { return }
        await discard(control.progress.bundle)
        control.end { _ in .failed(.cancelled) }
    }

    private nonisolated func run(_ control: DownloadControl) async {
        let bundle = control.progress.bundle
        do {
            let download = DownloadRun(bundle: bundle, tools: tools, control: control)
            try await download.run { try await self.install($0) }
            control.end { _ in .installed }
            await sendConfirmations()
        } catch {
            let error = DownloadError(error)
            if control.isCancelled { await discard(bundle) }
            if error != .cancelled, !error.passes { await hold(bundle) }
            control.end { wish in
                switch wish {
                case .cancel: .failed(.cancelled)
                case .pause where error == .cancelled: .paused
                case .pause, nil: .failed(error)
                }
            }
        }
    }

    private func discard(_ bundle: String) async {
        tools.folder.unfinished(bundle).remove()
        removeOldVersions()
        await retainContent()
    }

    // MARK: Installed versions

    /// The version of each installed bundle, by its name.
    var installedVersions: [String: String] { records.mapValues(\.version) }

    /// The installed version of a bundle, or `nil`.
    func installed(_ bundle: String) -> InstalledBundle? {
        records[bundle].map { record in
            let folder = tools.folder.version(record.folder, of: bundle)
            return InstalledBundle(record, at: folder, hold: tools.holds.hold(folder))
        }
    }

    /// Removes the installed version of a bundle, when nobody reads it any longer, and what its download fetched.
    func remove(_ bundle: String) async {
        if let control = board.all.first(where: { $0.progress.bundle == bundle }) { await cancel(control) }
        if let record = records.removeValue(forKey: bundle) {
            let waiting = (try? tools.folder.outbox.load() ?? []).map { $0 + record.unconfirmed } ?? []
            if !waiting.isEmpty { try? tools.folder.outbox.save(waiting.suffix(BundleLimits.confirmations)) }
            tools.folder.record(bundle).remove()
            tools.holds.retire(tools.folder.version(record.folder, of: bundle))
        }
        await discard(bundle)
    }

    /// Removes versions that are neither installed nor read by anybody, and content that neither a version nor an
    /// unfinished download needs. For the start of the app.
    func removeOldVersions() {
        let holds = tools.holds
        tools.folder.removeUnneeded(isHeld: { holds.isHeld($0) }, now: tools.clock.now())
    }

    /// The newest version of an installed bundle, or `nil` if none is above the installed one. It costs a few hundred
    /// bytes.
    ///
    /// - Throws: ``DownloadError``.
    func update(of bundle: String) async throws(DownloadError) -> String? {
        guard let record = records[bundle] else { throw .unknownBundle }
        do {
            guard case .manifest(let newest) = try await tools.manifests.newest(after: record) else { return nil }
            let version = newest.manifest.version
            guard newest.manifest.sha256 == record.manifest else {
                return FreshStatement.isBelow(version, record.version) ? nil : version.text
            }
            // The same files in another form: the next request is answered in a few bytes again.
            try change(bundle) { $0.entityTag = newest.entityTag }
            return nil
        } catch {
            throw DownloadError(error)
        }
    }

    /// The switch: before the record is written the old version is installed, and after it the new one.
    private func install(_ record: BundleRecord) throws {
        var record = record
        let earlier = records[record.bundle]
        if let earlier {
            if earlier.delivery == record.delivery, earlier.manifest == record.manifest { record.unconfirmed = [] }
            let waiting = earlier.unconfirmed + record.unconfirmed
            record.unconfirmed = Array(waiting.suffix(BundleLimits.confirmations))
        }
        try tools.folder.record(record.bundle).save(record)
        records[record.bundle] = record
        tools.folder.unfinished(record.bundle).remove()
        if let earlier, earlier.folder != record.folder {
            tools.holds.retire(tools.folder.version(earlier.folder, of: earlier.bundle))
        }
    }

    /// Changes the record of a bundle, on disk first.
    func change(_ bundle: String, _ body: (inout BundleRecord) -> Void) throws {
        // Another store may use the folder by now.
        guard !isStopped, var record = records[bundle] else { return }
        body(&record)
        try tools.folder.record(bundle).save(record)
        records[bundle] = record
    }
}

/// Applies patches (`zstd --patch-from`). An app without one downloads changed files whole.
public protocol PatchDecoder: Sendable {
    /// Writes the new file.
    ///
    /// - Parameters:
    ///   - patch: as it was downloaded. It comes from the network and is not yet known to be right.
    ///   - base: the older file.
    ///   - target: a file that does not exist yet.
    ///   - size: of the new file, in bytes; more is never written.
    func apply(_ patch: URL, to base: URL, writing target: URL, size: Int) throws
}
