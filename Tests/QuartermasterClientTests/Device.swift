import Foundation
import Testing

@testable import QuartermasterClient

/// A device of a player: a folder, a customer of the simulated App Store, and the client.
final class Device: Sendable {
    let shop: Quartermaster
    let source: SimulatorSource
    private let updates: Task<Void, Never>

    /// - Parameters:
    ///   - folder: what the device knows; a device that is made with it again is the same after a restart.
    ///   - address: where the client looks for the server, if not at its own address.
    ///   - shared: where its recovery codes and those of the player's other devices are.
    ///   - now: what the device's clock shows, if not the time.
    ///   - clock: by which the shop waits, if not the system's.
    init(
        _ server: ShopServer, customer: String, folder: URL, environment: StoreEnvironment = .production,
        at address: URL? = nil, now: Date? = nil, sharing shared: URL? = nil, clock: ClientClock = .system
    ) async throws {
        var clock = clock
        if let now { clock.now = { now } }
        let source = server.store(of: customer, environment: environment, pollInterval: .milliseconds(50))
        self.source = source
        var configuration = Quartermaster.Configuration(
            server: address ?? server.url, bundleID: ShopServer.app, folder: folder, appVersion: "1.0", clock: clock)
        configuration.timeouts = .patient
        shop = try Quartermaster(
            configuration, source: source, credentials: Self.credentials(in: folder, sharing: shared))
        updates = Task { await source.run() }
        await shop.start()
    }

    private static func credentials(in folder: URL, sharing shared: URL?) -> any CredentialStore {
        let own = folder.appending(path: "account.json")
        return shared.map { SharedCredentials(own, shared: $0) } ?? FileCredentials(own)
    }

    /// Ends the app. Its folder stays.
    func quit() async {
        updates.cancel()
        await shop.stop()
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
