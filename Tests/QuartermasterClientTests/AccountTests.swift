import Foundation
import TestSupport
import Testing

@testable import QuartermasterClient

@Suite("The account of a device", .enabled(if: ShopServer.isBuilt)) struct AccountTests {
    private static func folder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "qm-device-\(UUID().uuidString)")
    }

    private static func file(_ folder: URL) -> FileCredentials {
        FileCredentials(folder.appending(path: "account.json"))
    }

    /// Ends the session as the server would, behind the client's back.
    private static func endSession(_ token: String?, _ server: ShopServer) async throws {
        let api = API(server: server.url, transport: HTTPTransport(timeouts: .patient))
        _ = try await api.send(APIRequest(.delete, "v1", "sessions", "current"), token: token)
    }

    @Test
    func `A session that has ended is reopened by the recovery code, once for all requests that wait`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        let phone = try await Device(server, customer: "ada", folder: folder)
        #expect(try await phone.shop.buy("hints") == .delivered)
        let before = try #require(try Self.file(folder).load())
        try await Self.endSession(before.accessToken, server)
        let (first, second, third) = (phone.shop.buy, phone.shop.buy, phone.shop.refresh)
        async let one = first("hints", 1, false)
        async let other = second("words", 1, false)
        async let refreshed: Void = third()
        #expect(try await one == .delivered)
        #expect(try await other == .delivered)
        try await refreshed
        let after = try #require(try Self.file(folder).load())
        #expect(after.id == before.id && after.recoveryCode == before.recoveryCode)
        #expect(after.accessToken != before.accessToken)
        #expect(await phone.shop.state.account == .signedIn(before.id))
        await phone.quit()
        try await server.end()
    }

    @Test
    func `A code that opens nothing signs the shop out, which keeps the purchase and makes no account`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        var phone = try await Device(server, customer: "ada", folder: folder)
        #expect(try await phone.shop.buy("hints") == .delivered)
        await phone.quit()
        let (account, code) = try await Self.breakAccount(in: folder, server)
        let broken = try Self.file(folder).load()

        phone = try await Device(server, customer: "ada", folder: folder)
        #expect(try await phone.shop.buy("words") == .waiting(provisionalUntil: nil))
        #expect(await phone.shop.state.account == .signedOut(account))
        #expect(try Self.file(folder).load() == broken)
        try await phone.shop.signIn(recoveryCode: code.lowercased())
        try await phone.waits(for: "the purchase that waited") { $0.hasAccess(to: "words") }
        #expect(await phone.shop.state.account == .signedIn(account))
        await phone.quit()
        try await server.end()
    }

    @Test func `A shop that is signed out sends nothing until somebody signs in, and loses nothing`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let folder = Self.folder()
        var phone = try await Device(server, customer: "ada", folder: folder, at: proxy.url)
        #expect(try await phone.shop.buy("hints") == .delivered)
        await phone.quit()
        let (account, code) = try await Self.breakAccount(in: folder, server)

        let waits = Waits()
        phone = try await Device(server, customer: "ada", folder: folder, at: proxy.url, clock: waits.clock)
        try await phone.waits(for: "the end of the session") { $0.account == .signedOut(account) }
        // A list of products that did not come is requested again.
        try await eventually("the shop has refreshed") { waits.running == 0 }
        let before = waits.begun
        proxy.decide { _ in .forward }
        #expect(try await phone.shop.buy("words") == .waiting(provisionalUntil: nil))
        await #expect(throws: SignedOut.self) { try await phone.shop.refresh() }
        await #expect(throws: SignedOut.self) { try await phone.shop.restore() }
        #expect(await phone.shop.state.waitingTransactions == 1)
        #expect(proxy.exchanges.allSatisfy { $0.request.path.hasPrefix("/v1/apps/") })

        // The app comes to the foreground: it is asked once whether that has changed.
        await phone.shop.resume()
        #expect(proxy.exchanges.count { $0.request.path == "/v1/sessions" } == 1)
        #expect(await phone.shop.state.account == .signedOut(account))
        // The engine as well as the shop has looked, and waits for nothing that comes by itself.
        #expect(try await phone.shop.buy("night") == .waiting(provisionalUntil: nil))
        #expect(proxy.exchanges.count { $0.request.path == "/v1/sessions" } == 1)
        #expect(waits.begun == before)

        try await phone.shop.signIn(recoveryCode: code)
        try await phone.waits(for: "what waited") { state in
            state.hasAccess(to: "words") && state.hasAccess(to: "night") && state.waitingTransactions == 0
        }
        #expect(await phone.shop.state.balances == ["hints": 30])
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }

    /// Ends the session, and has the device store a code that opens no other.
    ///
    /// - Returns: the account, and its code.
    private static func breakAccount(in folder: URL, _ server: ShopServer) async throws -> (id: UUID, code: String) {
        var account = try #require(try file(folder).load())
        let code = try #require(account.recoveryCode)
        try await endSession(account.accessToken, server)
        account.recoveryCode = String(code.reversed())
        try file(folder).save(account)
        return (account.id, code)
    }

    @Test func `While the credentials cannot be read, nothing is bought and they are not replaced`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        let file = folder.appending(path: "account.json")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("locked".utf8).write(to: file)
        let phone = try await Device(server, customer: "ada", folder: folder)
        await #expect(throws: CredentialsUnavailable.self) { try await phone.shop.buy("words") }
        #expect(await phone.shop.state.account == .unavailable)
        #expect(try Data(contentsOf: file) == Data("locked".utf8))
        #expect(try await phone.source.history().isEmpty)
        await phone.quit()
        try await server.end()
    }

    @Test func `A wrong recovery code changes nothing, and another account's code opens that account`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let ada = try await Device(server, customer: "ada", folder: Self.folder())
        let bob = try await Device(server, customer: "bob", folder: Self.folder())
        #expect(try await ada.shop.buy("words") == .delivered)
        #expect(try await bob.shop.buy("hints") == .delivered)
        let before = await bob.shop.state
        await #expect { try await bob.shop.signIn(recoveryCode: "WRONG-CODE") } throws: { error in
            (error as? ServerProblem)?.code == .invalidCredentials
        }
        #expect(await bob.shop.state.account == before.account)
        try await bob.shop.signIn(recoveryCode: try #require(try await ada.shop.recoveryCode()))
        let after = await bob.shop.state
        #expect(after.account == (await ada.shop.state.account) && after.balances == ["hints": 20])
        #expect(after.hasAccess(to: "words"))
        try await bob.shop.signOut()
        #expect(await bob.shop.state.account == .none)
        #expect(await bob.shop.state.entitlements.isEmpty)
        await ada.quit()
        await bob.quit()
        try await server.end()
    }

    @Test func `Only the owner may read the file with the account`() throws {
        let folder = Self.folder()
        try Self.file(folder).save(PlayerAccount(id: UUID(), recoveryCode: "code", accessToken: "token"))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: "account.json").path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try FileManager.default.removeItem(at: folder)
    }
}
