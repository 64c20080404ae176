import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import QuartermasterClient

@Suite("Customers whom this device does not know yet", .enabled(if: ShopServer.isBuilt), .timeLimit(.minutes(10)))
struct SyncTests {
    private static func restores(_ proxy: DownloadProxy) -> [DownloadProxy.Request] {
        proxy.exchanges.map(\.request).filter { $0.path == "/v1/restore" }
    }

    /// A purchase that another program than this client made, and finished.
    private static func sell(
        _ product: String, to customer: String, for account: UUID? = nil, isFinished: Bool = true, _ server: ShopServer
    ) async throws {
        let token = account.map { #", "appAccountToken": "\#($0.uuidString.lowercased())""# } ?? ""
        let sale = try await server.simulate(
            "purchases",
            #"{"bundleID": "\#(ShopServer.app)", "productID": "\#(product)", "customer": "\#(customer)"\#(token)}"#)
        let jws = try #require(sale["signedTransaction"]?.text)
        let id = try #require(SignedTransaction(simulated: jws)?.id)
        if isFinished { try await server.simulate("transactions/\(id)/finish") }
    }

    @Test
    func `A customer from before the app had this client has access after one request, without a tap`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        try await Self.sell("words", to: "ada", server)
        try await Self.sell("club", to: "ada", server)
        let folder = Device.newFolder()
        var phone = try await Device(server, customer: "ada", folder: folder, at: proxy.url)
        try await phone.waits(for: "what was bought") { $0.hasAccess(to: "words") && $0.hasAccess(to: "club") }
        let sent = try #require(Self.restores(proxy).first)
        #expect(Self.restores(proxy).count == 1)
        #expect(String(decoding: sent.body, as: UTF8.self).contains(#""mayTransfer":false"#))
        #expect(proxy.exchanges.count { $0.request.path == "/v1/receipts" } == 0)
        await phone.quit()

        // Once an install, and after a change of account.
        phone = try await Device(server, customer: "ada", folder: folder, at: proxy.url)
        try await phone.waits(for: "a refresh") { $0.isOnline }
        await phone.shop.resume()
        await phone.shop.syncing?.value
        #expect(Self.restores(proxy).count == 1)
        let other = try await Device(server, customer: "eve", folder: Device.newFolder())
        #expect(try await other.shop.buy("hints") == .delivered)
        try await phone.shop.signIn(recoveryCode: try #require(try await other.shop.recoveryCode()))
        await phone.shop.syncing?.value
        #expect(Self.restores(proxy).count == 2)
        // They belong to the account that has them.
        #expect(await !phone.shop.state.hasAccess(to: "words"))
        #expect(await phone.shop.state.ownedByAnotherAccount != nil)
        await phone.quit()
        await other.quit()
        try await proxy.stop()
        try await server.end()
    }

    @Test func `A customer who has bought nothing gets no account`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let phone = try await Device(server, customer: "new", folder: Device.newFolder(), at: proxy.url)
        try await phone.waits(for: "a refresh") { $0.isOnline }
        await phone.shop.syncing?.value
        #expect(try await phone.shop.sync() == RestoreResult())
        #expect(await phone.shop.state.account == .none)
        #expect(proxy.exchanges.allSatisfy { $0.request.method == .GET })
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }

    /// A second phone with iCloud Keychain: a renewal is there in a second, the code in minutes.
    private static func newPhone(
        _ server: ShopServer, _ proxy: DownloadProxy, shared: URL, waits: Waits, folder: URL, now: Date? = nil
    ) async throws -> Device {
        var setup = Device.Setup()
        (setup.address, setup.shared, setup.now, setup.clock) = (proxy.url, shared, now, waits.clock)
        return try await Device(server, customer: "ada", folder: folder, setup)
    }

    private static func accountsMade(_ proxy: DownloadProxy) -> Int {
        proxy.exchanges.count { $0.request.path == "/v1/accounts" }
    }

    @Test(arguments: [true, false])
    func `A new device waits for the account that iCloud Keychain brings`(isUnfinished: Bool) async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let (shared, away) = (Device.newFolder(), Device.newFolder())
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
        let old = try await Device(server, customer: "ada", folder: Device.newFolder(), sharing: shared)
        #expect(try await old.shop.buy("words") == .delivered)
        let account = try #require(await old.shop.state.account.id)
        if isUnfinished { try await Self.sell("club", to: "ada", for: account, isFinished: false, server) }
        await old.quit()
        try FileManager.default.moveItem(at: shared, to: away)
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)

        let waits = Waits(isEndless: true)
        let new = try await Self.newPhone(server, proxy, shared: shared, waits: waits, folder: Device.newFolder())
        try await new.waits(for: "that it waits") { state in
            guard case .awaited(let until) = state.account else { return false }
            return (590...610).contains(until.timeIntervalSinceNow)
        }
        try await Task.sleep(for: .milliseconds(300))
        #expect(Self.accountsMade(proxy) == 0)
        #expect(await new.shop.state.entitlements.isEmpty)

        try FileManager.default.removeItem(at: shared)
        try FileManager.default.moveItem(at: away, to: shared)
        waits.end()
        try await new.waits(for: "what was bought") { state in
            state.hasAccess(to: "words") && state.hasAccess(to: "club") == isUnfinished
                && state.waitingTransactions == 0
        }
        #expect(await new.shop.state.account == .signedIn(account))
        #expect(await new.shop.state.ownedByAnotherAccount == nil)
        #expect(Self.accountsMade(proxy) == 0)
        await new.quit()
        try await proxy.stop()
        try await server.end()
    }

    @Test func `After ten minutes without the account one is created, and at once if the player buys`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        try await Self.sell("words", to: "ada", for: UUID(), isFinished: false, server)
        let (shared, folder) = (Device.newFolder(), Device.newFolder())
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
        for (seconds, isAwaited) in [(0.0, true), (540, true), (601, false)] {
            let waits = Waits(isEndless: true)
            let phone = try await Self.newPhone(
                server, proxy, shared: shared, waits: waits, folder: folder, now: Date() + seconds)
            if isAwaited {
                try await phone.waits(for: "that it waits") { state in
                    if case .awaited = state.account { true } else { false }
                }
                #expect(Self.accountsMade(proxy) == 0, "after \(seconds) seconds")
            } else {
                try await phone.waits(for: "an account") { $0.account.id != nil }
            }
            await phone.quit()
        }
        #expect(Self.accountsMade(proxy) == 1)

        let empty = Device.newFolder()
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        let impatient = try await Self.newPhone(
            server, proxy, shared: empty, waits: Waits(isEndless: true),
            folder: Device.newFolder())
        try await impatient.waits(for: "that it waits") { state in
            if case .awaited = state.account { true } else { false }
        }
        #expect(try await impatient.shop.buy("hints") == .delivered)
        #expect(Self.accountsMade(proxy) == 2)
        await impatient.quit()
        try await proxy.stop()
        try await server.end()
    }

    @Test func `A sign-in that replaces an account keeps its code`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let (folder, others) = (Device.newFolder(), Device.newFolder())
        let phone = try await Device(server, customer: "ada", folder: folder)
        #expect(try await phone.shop.buy("hints") == .delivered)
        let first = try #require(await phone.shop.state.account.id)
        let other = try await Device(server, customer: "eve", folder: others)
        #expect(try await other.shop.buy("words") == .delivered)
        let second = try #require(await other.shop.state.account.id)
        try await phone.shop.signIn(recoveryCode: try #require(try await other.shop.recoveryCode()))
        #expect(await phone.shop.state.account == .signedIn(second))
        #expect(await phone.shop.state.accountsFound == [first])
        let credentials = FileCredentials(folder.appending(path: "account.json"))
        #expect(try credentials.otherAccounts().map(\.id) == [first])

        try await phone.shop.signIn(account: first)
        #expect(await phone.shop.state.balances == ["hints": 30])
        #expect(await phone.shop.state.accountsFound == [second])
        await phone.quit()
        await other.quit()
        try await server.end()
    }

    @Test func `What the keychain refuses has a name`() {
        #expect(CredentialsUnavailable(status: -34_018).reason == .missingEntitlement)
        #expect(CredentialsUnavailable(status: -25_308).reason == .locked)
        #expect(CredentialsUnavailable(status: -34_018).description.contains("missingEntitlement"))
    }
}
