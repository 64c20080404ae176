import Foundation
import HangmanGame
import QuartermasterClient

/// The shop, as the game uses it: errors are words, and what the screens do not show is left out.
actor GameClient {
    static let currency = "hints"
    private static let bundleID = "com.example.hangman"
    private static let version = "1.0.0"
    /// How often the simulated App Store is asked for what happened elsewhere: it cannot call the game.
    private static let pollInterval = Duration.seconds(10)

    nonisolated let quartermaster: Quartermaster
    nonisolated let library: Library
    private let source: SimulatorSource
    private let simulatedStore: SimulatedStore
    private var purchases: Task<Void, Never>?
    private var downloads: [String: BundleDownload] = [:]

    /// - Parameter languages: the player's, as BCP 47 tags, the best first.
    /// - Throws: ``/QuartermasterClient/FolderInUse`` if another game uses the folder, or what the file system throws.
    static func open(server: URL, simulator: URL, home: Home, languages: [String]) async throws -> GameClient {
        let customer = try home.customer()
        let source = SimulatorSource(
            simulator, bundleID: bundleID, customer: customer.customer, device: customer.device,
            pollInterval: pollInterval)
        var configuration = Quartermaster.Configuration(
            server: server, bundleID: bundleID, folder: home.shop, appVersion: version,
            builtIn: StoreEntry.builtIn)
        configuration.languages = languages
        let quartermaster = try await Quartermaster.open(
            configuration, source: source, credentials: home.credentials, content: ContentClient(),
            patches: Patches.decoder)
        return GameClient(quartermaster, source, SimulatedStore(simulator: simulator, bundleID: bundleID))
    }

    private init(_ quartermaster: Quartermaster, _ source: SimulatorSource, _ simulatedStore: SimulatedStore) {
        self.quartermaster = quartermaster
        self.source = source
        self.simulatedStore = simulatedStore
        library = Library(quartermaster)
    }

    /// Begins to listen to the store and the server.
    func start() async {
        let source = source
        purchases = Task { await source.run() }
        await quartermaster.start()
    }

    func stop() async {
        purchases?.cancel()
        await quartermaster.stop()
    }

    func shop() async -> Shop { Shop(await quartermaster.state) }

    /// The shop as it is now, then each change.
    nonisolated func states() -> AsyncStream<ShopState> { quartermaster.states() }

    /// Asks for what is new.
    ///
    /// - Returns: why that did not work, if it did not.
    func refresh() async -> String? {
        do {
            try await quartermaster.refresh()
            if await addMissingProducts() { try await quartermaster.refresh() }
            return nil
        } catch {
            return Reason.text(error)
        }
    }

    /// A product on sale that the simulated App Store does not know is added there.
    func addMissingProducts() async -> Bool {
        let entries = await quartermaster.state.products.filter { $0.state == .unavailable(.unknownToStore) }.map {
            StoreEntry(id: $0.id, type: $0.type.rawValue)
        }
        guard !entries.isEmpty else { return false }
        return await simulatedStore.add(entries)
    }

    /// - Parameter again: whether to sell more time with a product whose time runs.
    func buy(_ product: String, again: Bool = false) async -> PurchaseReport {
        do {
            _ = await addMissingProducts()
            return PurchaseReport(try await quartermaster.buy(product, again: again))
        } catch {
            return .failed(Reason.text(error))
        }
    }

    /// Pays for a hint. Asked again with its key, it is paid once.
    func payHint(_ key: UUID) async throws {
        try await quartermaster.spend(1, of: Self.currency, key: key)
    }

    /// Downloads the newest version of a bundle and installs it.
    ///
    /// - Returns: why that did not work, if it did not. `nil` as well if another call for it waits already.
    func install(_ bundle: String) async -> DownloadError? {
        let download = quartermaster.download(bundle)
        downloads[bundle] = download
        var last: DownloadProgress?
        for await progress in download { last = progress }
        if case .failed(let error) = last?.phase { return error }
        downloads[bundle] = nil
        return nil
    }

    func pause(_ bundle: String) async { await downloads[bundle]?.pause() }
    func resume(_ bundle: String) async { await downloads[bundle]?.resume() }
    func cancel(_ bundle: String) async { await downloads[bundle]?.cancel() }

    /// Asks the store for everything that was ever bought.
    ///
    /// - Returns: what came of it, as a sentence.
    func restore() async -> String {
        do {
            let result = try await quartermaster.restore()
            if !result.ownedByAnotherAccount.isEmpty { return "some purchases belong to another account" }
            return switch await shop().items.count(where: \.isOwned) {
            case 0: "nothing that was bought gives access now"
            case 1: "restored: 1 product is yours now"
            case let count: "restored: \(count) products are yours now"
            }
        } catch {
            return Reason.text(error)
        }
    }

    /// Opens the account that has the code.
    ///
    /// - Returns: why that did not work, if it did not.
    func signIn(_ code: String) async -> String? {
        do {
            try await quartermaster.signIn(recoveryCode: code)
            return nil
        } catch {
            return Reason.text(error)
        }
    }

    /// Whether the player wants no network. Downloads stop, and go on when they are asked for again.
    func setOffline(_ isOffline: Bool) async {
        await quartermaster.setOffline(isOffline)
        if isOffline { for download in downloads.values { await download.pause() } }
    }

    func recoveryCode() async -> String? {
        try? await quartermaster.recoveryCode()
    }
}

extension PurchaseReport {
    fileprivate init(_ result: PurchaseResult) {
        self =
            switch result {
            case .delivered: .delivered
            case .alreadyDelivered: .alreadyDelivered
            case .pending: .pending
            case .waiting: .waiting
            case .denied(let reason, _): .denied(Columns.printable(reason.rawValue))
            case .cancelled: .cancelled
            }
    }
}
