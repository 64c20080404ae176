import Foundation

/// A shop whose purchases the server verifies and delivers: the type that an app works with.
///
/// Create one for the life of the app, and ``start()`` it before anything else. Everything it knows is on disk: it
/// works without the network, and continues where it was when the process ended.
public actor Quartermaster {
    let configuration: Configuration
    let api: API
    let session: AccountSession
    let source: any PurchaseSource
    let engine: ReceiptEngine
    let spending: SpendQueue
    let bundles: BundleStore
    private let lock: FolderLock

    var time: ServerTime
    var productList: AnswerCache<ProductList>
    var entitlements: AnswerCache<EntitlementsAnswer>
    var bundleList: AnswerCache<BundleList>
    /// The store's answer about the products, or `nil` before it gave one.
    var storeProducts: [String: StoreProduct]?
    var askedToBuy: AskedToBuy
    var buying: Set<String> = []
    var reportedUnavailable: Set<String> = []
    var isOnline = false
    /// Whether the entitlements may have changed since they were read.
    var needsEntitlements = false
    var accountsFound: [UUID] = []
    var ownedByAnotherAccount: Remedy?
    private var tasks: [Task<Void, Never>] = []
    var isStarted: Bool { !tasks.isEmpty }
    /// The time of the next scheduled refresh, and the task that waits for it.
    var wake: (at: Date, task: Task<Void, Never>)?
    var subscribers: [UUID: AsyncStream<ShopState>.Continuation] = [:]
    var latest = ShopState()

    /// - Parameters:
    ///   - source: the store on the device.
    ///   - credentials: where the account is stored.
    ///   - patches: applies patches, so that updates are small. Without it changed files are downloaded whole.
    /// - Throws: ``FolderInUse``, or what the file system throws.
    public init(
        _ configuration: Configuration, source: any PurchaseSource, credentials: any CredentialStore,
        patches: (any PatchDecoder)? = nil
    ) throws {
        let folder = configuration.folder
        lock = try FolderLock(folder)
        self.configuration = configuration
        self.source = source
        api = API(server: configuration.server, transport: HTTPTransport(timeouts: configuration.timeouts))
        session = AccountSession(
            api: api, credentials: credentials, bundleID: configuration.bundleID, folder: folder,
            makeKey: { UUID().uuidString + UUID().uuidString })
        engine = ReceiptEngine(session: session, source: source, configuration: configuration)
        spending = SpendQueue(session: session, source: source, configuration: configuration)
        bundles = try BundleStore(
            folder: folder.appendingPathComponent("content"), api: api, session: session, patches: patches,
            clock: configuration.clock, appVersion: configuration.appVersion, pinnedKeys: configuration.pinnedKeys)
        time = ServerTime(clock: configuration.clock, folder: folder)
        productList = AnswerCache(folder.appendingPathComponent("products.json"))
        entitlements = AnswerCache(folder.appendingPathComponent("entitlements.json"))
        bundleList = AnswerCache(folder.appendingPathComponent("bundles.json"))
        askedToBuy = AskedToBuy(folder: folder)
    }

    /// Listens to the store, sends what is unfinished and refreshes what is known, in tasks of its own. The second time
    /// nothing happens.
    public func start() async {
        guard tasks.isEmpty else { return }
        await publish()
        // Judged by the entitlements that the player sees: whoever forges one that has ended cannot hide that.
        await bundles.tools.manifests.ask { [weak self] in try await self?.isRetained($0) ?? false }
        let (engine, source, bundles) = (engine, source, bundles)
        tasks = [
            Task { await engine.run() },
            Task { for await transaction in source.updates { await self.received(transaction) } },
            Task { for await outcome in engine.outcomes { await self.finished(outcome) } },
            Task { await bundles.removeOldVersions() },
            Task { for await _ in bundles.progressChanges() { await self.publish() } },
            Task { await self.refreshUntilDone() },
        ]
    }

    /// Ends what ``start()`` began and every request, and releases the folder. Unfinished work continues when the app
    /// creates a new value.
    public func stop() async {
        for task in tasks { task.cancel() }
        tasks = []
        wake?.task.cancel()
        await bundles.stop()
        time.save()
        api.transport.close()
        for subscriber in subscribers.values { subscriber.finish() }
        subscribers = [:]
        lock.release()
    }

    /// Sends what waits, and refreshes: call it when the app comes to the foreground, or the network is back. If the
    /// player is signed out, the server is asked once whether the recovery code opens a session by now.
    public func resume() async {
        await session.tryAgain()
        await engine.retryNow()
        await refreshUntilDone()
    }

    /// Refreshes, repeatedly until the server has answered, or the player has to sign in.
    private func refreshUntilDone() async {
        var backoff = Backoff()
        while !Task.isCancelled {
            do {
                try await refresh()
                return await afterRefresh()
            } catch is SignedOut {
                return
            } catch {}
            let wait = backoff.next(fraction: configuration.clock.fraction())
            guard (try? await configuration.clock.sleep(max(wait, Self.minimumWait))) != nil else { return }
        }
    }

    /// Sends what waited for the server: spends whose answer was lost, and confirmations of downloads.
    func afterRefresh() async {
        if await spending.sendWaiting() { _ = try? await refreshEntitlements() }
        await bundles.sendConfirmations()
        await publish()
    }

    private static let minimumWait = Duration.milliseconds(500)

    private func received(_ transaction: SignedTransaction) async {
        askedToBuy.remove(transaction.productID)
        await engine.enqueue(transaction)
        await publish()
    }

    private func finished(_ outcome: ReceiptOutcome) async {
        if case .denied(_, let remedy?) = outcome.result { ownedByAnotherAccount = remedy }
        if outcome.changesEntitlements { try? await refreshAfterDelivery() }
        await publish()
    }
}
