import Foundation
import InAppPurchase
import NIOHTTP1
import Testing

@testable import AdminPages
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

extension CrashTests {
    static func linkToBigFile(on server: ServerProcess, _ authority: SigningAuthority) async throws -> String {
        let player = try await server.newPlayer()
        let words = SigningAuthority.transaction(
            ["productId": .string("\(World.app).big"), "type": "Non-Consumable"], at: Date())
        #expect(try await server.post(authority.jws(words), token: player.token).status == 200)
        let manifest = try await server.call(.GET, "/v1/bundles/big", token: player.token).json
        return try #require(manifest["files"][0]["url"].text, "\(manifest)")
    }

    static func withServer(
        openFiles: Int = 1024, _ body: @Sendable (ServerProcess, SigningAuthority) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")
        let bundle = folder.appending(path: "content/big/1.0.0")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(repeating: 7, count: bigFile).write(to: bundle.appending(path: "big.bin"))
        let big = """
            {"id": "com.example.hangman.big", "type": "non-consumable", "bundles": ["big"]}
            """
        let club = """
            {"id": "com.example.hangman.club.monthly", "type": "auto-renewable", "group": "club"}
            """
        let words = LiveCatalogTests.words.replacing("hard-words", with: "big")
        try LiveCatalogTests.catalog(LiveCatalogTests.hints, words, big, club)
            .write(to: folder.appending(path: "products.json"), atomically: true, encoding: .utf8)
        let authority = try SigningAuthority(at: Date())
        let root = folder.appending(path: "root.cer")
        try authority.root.write(to: root)
        let server = try await ServerProcess(
            folder: folder, environment: ["QUARTERMASTER_ROOT_CERTIFICATES": root.path], openFiles: openFiles)
        try await server.start()
        do { try await body(server, authority) } catch {
            try? await server.kill()
            throw error
        }
        try await server.kill()
    }
}
