import Foundation
import Testing

@testable import QuartermasterClient

/// A device of a player: a folder, a customer of the simulated App Store, and the client.
final class Device: Sendable {
    let shop: Quartermaster
    let source: SimulatorSource
    private let updates: Task<Void, Never>

    /// Differences from a new phone of today that looks for everything where it is.
    struct Setup: Sendable {
        var environment = StoreEnvironment.production
        /// The address of the server, if not its own.
        var address: URL?
        /// The address of the simulated App Store, if not its own.
        var store: URL?
        /// How the store answers, if not as the simulated one does.
        var behaviour: @Sendable (SimulatorSource) -> any PurchaseSource = { $0 }
        /// The time that the device's clock shows, if not the right one.
        var now: Date?
        /// The folder with its recovery codes and those of the player's other devices.
        var shared: URL?
        /// By which the shop waits, if not the system's.
        var clock = ClientClock.system
        var build = "1"
        var builtIn: [ListedProduct] = []
        var rootKeys: Set<String> = []
        var content: (any ContentTransport)?
        var mirrors: [URL] = []
        var languages = ["en"]
        /// Its own, at which the test says that the app comes to the foreground.
        let notifications = NotificationCenter()
        /// Whether the app starts the shop.
        var starts = true
    }

    convenience init(
        _ server: ShopServer, customer: String, folder: URL, environment: StoreEnvironment = .production,
        at address: URL? = nil, now: Date? = nil, sharing shared: URL? = nil, clock: ClientClock = .system
    ) async throws {
        var setup = Setup()
        (setup.environment, setup.address, setup.now) = (environment, address, now)
        (setup.shared, setup.clock) = (shared, clock)
        try await self.init(server, customer: customer, folder: folder, setup)
    }

    /// - Parameter folder: what the device knows; a device that is made with it again is the same after a restart.
    init(_ server: ShopServer, customer: String, folder: URL, _ setup: Setup) async throws {
        var clock = setup.clock
        if let now = setup.now { clock.now = { now } }
        let source = server.store(
            of: customer, at: setup.store, environment: setup.environment, pollInterval: .milliseconds(50))
        self.source = source
        var configuration = Quartermaster.Configuration(
            server: setup.address ?? server.url, bundleID: ShopServer.app, folder: folder, appVersion: "1.0",
            builtIn: setup.builtIn, rootKeys: setup.rootKeys, clock: clock)
        configuration.timeouts = .patient
        configuration.mirrors = setup.mirrors
        configuration.languages = setup.languages
        configuration.build = setup.build
        configuration.notifications = setup.notifications
        shop = try await Quartermaster.open(
            configuration, source: setup.behaviour(source),
            credentials: Self.credentials(in: folder, sharing: setup.shared), content: setup.content)
        updates = Task { await source.run() }
        if setup.starts { await shop.start() }
    }

    private static func credentials(in folder: URL, sharing shared: URL?) -> any CredentialStore {
        let own = folder.appending(path: "account.json")
        return shared.map { SharedCredentials(own, shared: $0) } ?? FileCredentials(own)
    }

    /// A folder for a new device.
    static func newFolder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "qm-device-\(UUID().uuidString)")
    }

    /// Ends the app. Its folder stays.
    func quit() async {
        updates.cancel()
        await shop.stop()
    }

    /// The state of a product.
    func state(of product: String) async -> ProductState? {
        await shop.state.products.first { $0.id == product }?.state
    }

    /// Waits until the shop shows something.
    func waits(
        for what: String, isolation: isolated (any Actor)? = #isolation, _ isSo: (ShopState) -> Bool
    ) async throws {
        let deadline = Date() + 300
        var state = await shop.state
        while !isSo(state) {
            try #require(Date() < deadline, "\(what): \(state)")
            try await Task.sleep(for: .milliseconds(20))
            state = await shop.state
        }
    }
}
