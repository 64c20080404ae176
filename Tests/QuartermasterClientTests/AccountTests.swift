import Foundation
import TestSupport
import Testing

@testable import QuartermasterClient

@Suite("The account of a device", .enabled(if: ShopServer.isBuilt))
struct AccountTests {
    private static func folder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "qm-device-\(UUID().uuidString)")
    }

    private static func file(_ folder: URL) -> FileCredentials {
        FileCredentials(folder.appending(path: "account.json"))
    }

    /// Ends the session as the server would, behind the client's back.
    private static func endSession(_ token: String?, _ server: ShopServer) async throws {
        let api = API(server: server.url, transport: HTTPTransport())
        _ = try await api.send(APIRequest(.delete, "v1", "sessions", "current"), token: token)
    }

    @Test("A session that has ended is opened again by the recovery code, once for all that wait")
    func endedSession() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        let phone = try await Device(server, customer: "ada", folder: folder)
        #expect(try await phone.shop.buy("hints") == .delivered)
        let before = try #require(try Self.file(folder).load())
        try await Self.endSession(before.accessToken, server)
        let (first, second, third) = (
            phone.shop.buy, phone.shop.buy, phone.shop.refresh
        )
        async let one = first("hints", 1)
        async let other = second("words", 1)
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

    @Test("Where the code opens nothing the shop is signed out, keeps the purchase, and makes no other account")
    func signedOut() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        var phone = try await Device(server, customer: "ada", folder: folder)
        #expect(try await phone.shop.buy("hints") == .delivered)
        await phone.quit()
        let account = try #require(try Self.file(folder).load())
        try await Self.endSession(account.accessToken, server)
        let code = try #require(account.recoveryCode)
        var broken = account
        broken.recoveryCode = String(code.reversed())
        try Self.file(folder).save(broken)

        phone = try await Device(server, customer: "ada", folder: folder)
        #expect(try await phone.shop.buy("words") == .waiting(provisionalUntil: nil))
        #expect(await phone.shop.state.account == .signedOut(account.id))
        #expect(try Self.file(folder).load() == broken)
        try await phone.shop.signIn(recoveryCode: code.lowercased())
        try await phone.waits(for: "the purchase that waited") { $0.hasAccess(to: "words") }
        #expect(await phone.shop.state.account == .signedIn(account.id))
        await phone.quit()
        try await server.end()
    }

    @Test("Credentials that cannot be read are not the same as none: nothing is bought, nothing is replaced")
    func unreadable() async throws {
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

    @Test("A wrong code changes nothing, another account's is another shop")
    func codes() async throws {
        let server = try await ShopServer()
        try await server.start()
        let ada = try await Device(server, customer: "ada", folder: Self.folder())
        let bob = try await Device(server, customer: "bob", folder: Self.folder())
        #expect(try await ada.shop.buy("words") == .delivered)
        #expect(try await bob.shop.buy("hints") == .delivered)
        let before = await bob.shop.state
        await #expect { try await bob.shop.signIn(recoveryCode: "WRONG-CODE") } throws: { error in
            (error as? Problem)?.code == .invalidCredentials
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

    @Test("The file with the account is the owner's alone")
    func fileMode() throws {
        let folder = Self.folder()
        try Self.file(folder).save(Account(id: UUID(), recoveryCode: "code", accessToken: "token"))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: "account.json").path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try FileManager.default.removeItem(at: folder)
    }
}
