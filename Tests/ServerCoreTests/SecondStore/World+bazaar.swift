import Foundation
import InAppPurchase
import ServerTestSupport

@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// A server whose store is the Bazaar, with the routes, limits and ledger of any other server.
struct BazaarWorld: Sendable {
    let world: World
    let store: BazaarStore
    let worker: RetryWorker

    func purchase(_ code: String, of item: String, _ kind: ProductType, order: String = "Nr7aX") -> BazaarPurchase {
        BazaarPurchase(
            code: code, first: code, order: order, game: World.app, item: "\(World.app).\(item)", kind: kind,
            bought: world.clock.now, stated: world.clock.now)
    }
}

extension World {
    /// Serves a second time from the ledger of this world, with the Bazaar in the App Store's place.
    func withBazaar(_ test: @escaping @Sendable (BazaarWorld) async throws -> Void) async throws {
        let store = BazaarStore()
        let intake = assembly.routes.services.intake
        let known = ReceiptIntake(
            ledger: ledger, decisions: intake.decisions, store: store, random: intake.random, logger: intake.logger,
            lines: intake.lines, metrics: intake.metrics)
        var routes = assembly.routes
        (routes.services.store, routes.services.intake) = (store, known)
        let worker = RetryWorker(
            intake: known, ledger: ledger, clock: { clock.now }, logger: intake.logger, outages: store.outages)
        let listener = routes.listener(at: ListenAddress(host: "localhost", port: 0), logger: intake.logger)
        try await listener.test { server in
            let world = World(
                assembly: assembly, ledger: ledger, clock: clock, folder: folder, server: server, store: self.store)
            try await test(BazaarWorld(world: world, store: store, worker: worker))
        }
    }
}
