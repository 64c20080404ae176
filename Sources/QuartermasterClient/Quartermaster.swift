import Foundation

/// A shop whose purchases the server verifies and delivers: the type that an app works with.
///
/// ``open(_:source:credentials:patches:)`` one for the life of the app, and ``start()`` it before anything else.
/// Everything it knows is on disk: it works without the network, and continues where it was when the process ended.
public actor Quartermaster {
    let configuration: Configuration
    let api: API
    let session: AccountSession
    let source: any PurchaseSource
    let environment: KnownEnvironment
    let engine: ReceiptEngine
    let spending: SpendQueue
    let bundles: BundleStore
    let keys: ManifestKeys
    let lock: FolderLock

    let time: ServerTime
    var productList: AnswerCache<ProductList>
    var entitlements: EntitlementCache
    var bundleList: AnswerCache<BundleList>
    /// The store's answer about the products, or `nil` before it gave one.
    var storeProducts: [String: SourceProduct]?
    var askedToBuy: AskedToBuy
    /// The purchases that run, by their products.
    var purchases: [String: Task<PurchaseResult, any Error>] = [:]
    var canMakePayments = true
    var reportedUnavailable: Set<String> = []
    /// The products of the list that the store did not know when it was last asked.
    var unknownProducts: Set<String> = []
    var isOnline = false
    /// Whether the entitlements may have changed since they were read.
    var needsEntitlements = false
    var accountsFound: [UUID] = []
    var ownedByAnotherAccount: Remedy?
    private enum Phase {
        case created
        case running
        case stopped
    }

    private var phase = Phase.created
    private var tasks: [Task<Void, Never>] = []
    /// The attempt of ``resume()`` that runs, and the further ones that follow if it fails.
    private var (resuming, retries): (Task<Void, Never>?, Task<Void, Never>?)
    /// The account for which the customer's purchases were sent to the server.
    let synced: StoredFile<UUID>
    var syncing: Task<Void, Never>?
    /// While the app is in the background and the folder is left to others: the downloads that ran.
    var downloadsOfForeground: [String]?
    var isStarted: Bool { phase == .running }
    /// The time of the next scheduled refresh, and the task that waits for it.
    var wake: (at: Date, task: Task<Void, Never>)?
    var subscribers: [UUID: AsyncStream<ShopState>.Continuation] = [:]
    var listeners: [UUID: AsyncStream<ShopEvent>.Continuation] = [:]
    var lastError: ShopEvent?
    /// The phases of the downloads whose end was told.
    var told: [String: DownloadProgress.Phase] = [:]
    /// Whether the store answered when it was last asked about products; `nil` before.
    var storeAnswered: Bool?
    var latest = ShopState()

    /// Opens the shop with what is on disk. The disk is read outside of the caller's thread.
    ///
    /// - Parameters:
    ///   - source: the store on the device.
    ///   - credentials: where the account is stored.
    ///   - content: sends the requests for content. Without it `URLSession` does, as for all other requests.
    ///   - patches: applies patches, so that updates are small. Without it changed files are downloaded whole.
    /// - Throws: ``FolderInUse``, or what the file system throws. In a background launch before the device was unlocked
    ///   first the folder cannot be read: try again.
    public static func open(
        _ configuration: Configuration, source: any PurchaseSource, credentials: any CredentialStore,
        content: (any ContentTransport)? = nil, patches: (any PatchDecoder)? = nil
    ) async throws -> Quartermaster {
        try await FileWork.run {
            try Quartermaster(
                configuration, source: source, credentials: credentials, content: content, patches: patches)
        }
    }

    private init(
        _ configuration: Configuration, source: any PurchaseSource, credentials: any CredentialStore,
        content: (any ContentTransport)?, patches: (any PatchDecoder)?
    ) throws {
        let folder = configuration.folder
        try ClientFolder.prepare(folder)
        lock = try FolderLock(folder)
        self.configuration = configuration
        self.source = source
        api = API(
            server: configuration.server, transport: HTTPTransport(timeouts: configuration.timeouts),
            addresses: ServerAddresses(
                configuration.server, mirrors: configuration.mirrors, uptime: configuration.clock.uptime))
        session = AccountSession(
            api: api, credentials: credentials, bundleID: configuration.bundleID, folder: folder,
            clock: configuration.clock, makeKey: { UUID().uuidString + UUID().uuidString })
        environment = KnownEnvironment(source: source, configuration: configuration)
        time = ServerTime(clock: configuration.clock, folder: folder)
        engine = ReceiptEngine(session: session, source: source, configuration: configuration)
        spending = SpendQueue(session: session, environment: environment, configuration: configuration)
        keys = ManifestKeys(
            api: api, folder: folder, clock: configuration.clock, time: time, trust: configuration.trust)
        bundles = try BundleStore(
            folder: folder.appendingPathComponent("content"), api: api, session: session, keys: keys,
            content: content, patches: patches, clock: configuration.clock, time: time,
            appVersion: configuration.appVersion, usesConstrainedNetworks: configuration.usesConstrainedNetworks)
        productList = AnswerCache(ClientFolder.products(folder))
        entitlements = EntitlementCache(
            folder: folder, bundleID: configuration.bundleID, trust: configuration.trust)
        bundleList = AnswerCache(ClientFolder.bundles(folder))
        askedToBuy = AskedToBuy(folder: folder)
        synced = StoredFile(folder.appendingPathComponent("synced.json"))
    }

    /// Listens to the store, sends what is unfinished and refreshes what is known, in tasks of its own. The second time
    /// nothing happens, also while the first call runs: each window may call it.
    public func start() async {
        guard phase == .created else { return }
        phase = .running
        await publish()
        // Judged by the entitlements that the player sees: whoever forges one that has ended cannot hide that.
        await bundles.tools.manifests.ask { [weak self] in try await self?.isRetained($0) ?? false }
        guard isStarted else { return }
        let (engine, source, bundles) = (engine, source, bundles)
        tasks = [
            Task { await engine.run() },
            Task { for await transaction in source.updates { await self.received(transaction) } },
            Task { for await (product, outcome) in engine.outcomes { await self.finished(product, outcome) } },
            Task {
                await bundles.removeOldVersions()
                await bundles.resumeUnfinished()
            },
            Task { for await downloads in bundles.progressChanges() { await self.show(downloads) } },
            Task { for await _ in source.storefrontChanges { _ = try? await self.refresh() } },
            Task { await self.resume() },
            Task { await self.followApp() },
            Task { await self.followNetwork() },
        ]
    }

    /// Ends what ``start()`` began and every request, and releases the folder. Unfinished work continues when the app
    /// creates a new value.
    public func stop() async {
        phase = .stopped
        for task in tasks { task.cancel() }
        tasks = []
        resuming?.cancel()
        retries?.cancel()
        syncing?.cancel()
        wake?.task.cancel()
        await bundles.stop()
        time.save()
        api.transport.close()
        for subscriber in subscribers.values { subscriber.finish() }
        for listener in listeners.values { listener.finish() }
        (subscribers, listeners) = ([:], [:])
        lock.release()
    }

    /// Sends what waits, and refreshes. It happens by itself when the app comes to the foreground, and on Apple's
    /// platforms when the network is back; a game calls it when the player pulls to refresh. It returns after one
    /// attempt; if that fails, others follow by themselves. A call while another runs joins it. If the player is signed
    /// out, the server is asked once whether the recovery code opens a session by now.
    public func resume() async {
        if let resuming { return await resuming.value }
        guard phase != .stopped else { return }
        let task = Task { await self.tryNow() }
        resuming = task
        await task.value
        resuming = nil
    }

    private func tryNow() async {
        await session.tryAgain()
        await engine.retryNow()
        retries?.cancel()
        guard await !isRefreshed(), isStarted else { return }
        retries = Task { await self.retryUntilDone() }
    }

    /// Refreshes once.
    ///
    /// - Returns: whether another attempt would change nothing: the server has answered, or the player or the app's
    ///   developer has to act first.
    private func isRefreshed() async -> Bool {
        do {
            try await refresh()
            await afterRefresh()
            return true
        } catch is SignedOut, ConnectionError.insecure {
            return true
        } catch {
            return false
        }
    }

    private func retryUntilDone() async {
        var backoff = Backoff()
        repeat {
            let wait = backoff.next(fraction: configuration.clock.fraction())
            guard (try? await configuration.clock.sleep(max(wait, Self.minimumWait))) != nil else { return }
        } while await !isRefreshed() && !Task.isCancelled
    }

    /// Sends what waited for the server: spends whose answer was lost, and confirmations of downloads.
    func afterRefresh() async {
        if await spending.sendWaiting() { _ = try? await refreshEntitlements() }
        await bundles.sendConfirmations()
        await downloadEssentials()
        beginSync()
        await publish()
    }

    private static let minimumWait = Duration.milliseconds(500)

    private func received(_ transaction: SignedTransaction) async {
        askedToBuy.remove(transaction.productID)
        await environment.learn(from: transaction)
        await engine.enqueue(transaction)
        await publish()
    }

    private func show(_ downloads: [String: DownloadProgress]) async {
        tellEnds(of: downloads)
        await publish()
    }

    private func finished(_ product: String, _ outcome: ReceiptOutcome) async {
        tell(ShopEvent(.purchaseAnswered, at: time.now, subject: product, reason: outcome.result.word))
        if case .denied(_, let remedy?) = outcome.result { ownedByAnotherAccount = remedy }
        if outcome.changesEntitlements { try? await refreshAfterDelivery() }
        await publish()
    }
}
