import Foundation
import Testing

@testable import QuartermasterClient

@Suite("Players who want no network", .enabled(if: ShopServer.isBuilt)) struct NoNetworkWantedTests {
    @Test func `Nothing is sent while the player wants no network, and what is known stays`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = FileManager.default.temporaryDirectory.appending(path: "qm-device-\(UUID().uuidString)")
        let phone = try await Device(server, customer: "eva", folder: folder)
        try await phone.waits(for: "the products") { state in
            state.isOnline && !state.products.isEmpty && state.products.allSatisfy { $0.state == .available }
        }

        await phone.shop.setOffline(true)
        let known = await phone.shop.state.products
        #expect(await !phone.shop.state.isOnline)
        await #expect(throws: ConnectionError.notConnected) { try await phone.shop.refresh() }
        await #expect(throws: ConnectionError.notConnected) { try await phone.shop.buy("words") }
        #expect(await phone.shop.state.products == known)
        #expect(await phone.shop.state.account == .none)

        await phone.shop.setOffline(false)
        try await phone.shop.refresh()
        #expect(await phone.shop.state.isOnline)
        #expect(try await phone.shop.buy("words") == .delivered)
        await phone.quit()
        try await server.end()
    }
}
