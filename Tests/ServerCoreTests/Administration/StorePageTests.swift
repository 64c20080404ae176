import Foundation
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// The lists of products on the page of the store.
@Suite struct StorePageTests {
    /// A list that is cut off says so, and one that is not does not.
    @Test(arguments: [100, 101]) func `A product list that is cut off says so`(count: Int) async throws {
        try await World.run(environment: World.pagesOn) { world in
            let player = try #require(AccountID(text: try await world.newPlayer().account))
            try await Self.fill(world, count, player)
            let page = try await world.visitor(.read).get("/admin/store").html
            let said = page.matches(of: /The first 100 of 101 are shown\./).count
            #expect(said == (count == 101 ? 2 : 0) && page.contains("x50"), "\(page)")
        }
    }

    /// Records this many products that were bought and are unknown, and as many that the store does not know.
    private static func fill(_ world: World, _ count: Int, _ player: AccountID) async throws {
        let app = BundleID(stored: World.app)
        let bought = (0..<count).map { number in
            Transaction(
                id: TransactionID(stored: "\(number)"), originalID: TransactionID(stored: "\(number)"), app: app,
                environment: .production, productID: ProductID(stored: "x\(number)"), purchaseDate: world.clock.now,
                appAccountToken: player.uuid, signedDate: world.clock.now, isSigned: true)
        }
        _ = try await world.ledger.observe(
            VerifiedReceipt(transactions: bought), cause: "n", in: world.assembly.store.decisions.context)
        let products = (0..<count).map { ProductID(stored: "y\($0)") }
        for address in 0..<UInt8(UnavailableProduct.shownAddresses) {
            try await world.ledger.recordUnavailable(products, of: app, from: Data([address]), at: world.clock.now)
        }
    }
}
