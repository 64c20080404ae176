import Foundation
import TestSupport
import Testing

@testable import QuartermasterClient

@Suite("Purchases through a real server and the simulated App Store", .enabled(if: ShopServer.isBuilt))
struct PurchaseTests {
    private static func folder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "qm-device-\(UUID().uuidString)")
    }

    @Test("All four types are bought, and come back on a second device by the recovery code")
    func fourTypes() async throws {
        let server = try await ShopServer()
        try await server.start()
        let phone = try await Device(server, customer: "ada", folder: Self.folder())
        try await phone.waits(for: "the products") { state in
            !state.products.isEmpty && state.products.allSatisfy { $0.state == .available }
        }

        let before = await phone.shop.state
        #expect(before.balances == ["hints": 20])
        for product in ["hints", "words", "night", "club"] {
            #expect(try await phone.shop.buy(product) == .delivered)
        }
        let state = await phone.shop.state
        #expect(state.balances == ["hints": 30])
        #expect(["words", "night", "club"].allSatisfy { state.hasAccess(to: $0) })
        #expect(state.waitingTransactions == 0)

        let code = try #require(try await phone.shop.recoveryCode())
        let tablet = try await Device(server, customer: "ada", folder: Self.folder())
        try await tablet.shop.signIn(recoveryCode: code)
        let there = await tablet.shop.state
        #expect(there.account == state.account)
        #expect(there.balances == ["hints": 30])
        #expect(["words", "night", "club"].allSatisfy { there.hasAccess(to: $0) })
        await phone.quit()
        await tablet.quit()
        try await server.end()
    }

    @Test("A refund takes access at the next refresh")
    func refund() async throws {
        let server = try await ShopServer()
        try await server.start()
        let phone = try await Device(server, customer: "ada", folder: Self.folder())
        #expect(try await phone.shop.buy("words") == .delivered)
        let id = try #require(try await phone.source.history().first?.id)
        try await server.simulate("transactions/\(id)/refund")
        try await eventually("the refund has arrived") {
            try await phone.shop.refresh()
            return await !phone.shop.state.hasAccess(to: "words")
        }
        await phone.quit()
        try await server.end()
    }

    @Test("A purchase that waits for approval comes by itself")
    func askToBuy() async throws {
        let server = try await ShopServer()
        try await server.start()
        let phone = try await Device(server, customer: "kid", folder: Self.folder())
        await phone.source.setAsksToBuy(true)
        #expect(try await phone.shop.buy("words") == .pending)
        try await phone.waits(for: "the shop shows that it waits") { state in
            state.products.contains { $0.id == "words" && $0.state == .pending }
        }
        try await server.simulate("purchases/\(try #require(await phone.source.lastPending))/approve")
        try await phone.waits(for: "the purchase") { $0.hasAccess(to: "words") }
        try await phone.waits(for: "the transaction is finished") { $0.waitingTransactions == 0 }
        await phone.quit()
        try await server.end()
    }

    @Test("What was bought while the server was away is delivered when it is back, also after a restart")
    func outage() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        var phone = try await Device(server, customer: "ada", folder: folder)
        #expect(try await phone.shop.buy("hints") == .delivered)
        let proxy = try freePort()
        await phone.quit()
        // The server cannot be reached at this address, the store can.
        let nowhere = try #require(URL(string: "http://127.0.0.1:\(proxy)"))
        phone = try await Device(server, customer: "ada", folder: folder, at: nowhere)
        #expect(try await phone.shop.buy("words") == .waiting(provisionalUntil: nil))
        #expect(await phone.shop.state.waitingTransactions == 1)
        #expect(await phone.shop.state.balances == ["hints": 30])
        await phone.quit()
        phone = try await Device(server, customer: "ada", folder: folder)
        try await phone.waits(for: "the delivery") { $0.hasAccess(to: "words") && $0.waitingTransactions == 0 }
        await phone.quit()
        try await server.end()
    }

    @Test("Two accounts of one customer take nothing from each other by themselves, and one restore transfers once")
    func twoAccounts() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folders = [Self.folder(), Self.folder()]
        let first = try await Device(server, customer: "ada", folder: folders[0])
        #expect(try await first.shop.buy("club") == .delivered)
        let second = try await Device(server, customer: "ada", folder: folders[1])
        #expect(try await second.shop.buy("hints") == .delivered)
        await first.quit()
        await second.quit()
        for round in 0..<5 {
            let line = try #require(try await first.source.history().first { $0.productID == "club" })
            if round < 3 { try await server.simulate("subscriptions/\(line.originalID)/renew") }
            for folder in folders {
                let device = try await Device(server, customer: "ada", folder: folder)
                try await device.waits(for: "a refresh") { $0.isOnline }
                try await device.waits(for: "the receipts were sent") { $0.waitingTransactions == 0 }
                #expect(await device.shop.state.hasAccess(to: "club") == (folder == folders[0]))
                await device.quit()
            }
        }
        let device = try await Device(server, customer: "ada", folder: folders[1])
        let result = try await device.shop.restore()
        #expect(result.verified > 0)
        #expect(await device.shop.state.hasAccess(to: "club"))
        await device.quit()
        try await server.end()
    }
}

extension SignedTransaction {
    /// The original transaction's ID, as its payload has it.
    fileprivate var originalID: String {
        let part = jws.split(separator: ".")[1].replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        let padded = part + String(repeating: "=", count: (4 - part.count % 4) % 4)
        let payload = Data(base64Encoded: padded).flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
        return payload?["originalTransactionId"]?.text ?? ""
    }
}
